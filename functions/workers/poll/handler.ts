import { onSchedule } from '../../runtime/on-schedule.ts';
import { pollWorker } from './worker.ts';

export const handler = onSchedule(pollWorker);
