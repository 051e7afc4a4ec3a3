import { onSchedule } from '../../../shared/runtime/on-schedule.ts';
import { pollWorker } from './worker.ts';

export const handler = onSchedule(pollWorker);
