import { onSchedule } from '../../runtime/on-schedule.ts';
import { sweepWorker } from './worker.ts';

export const handler = onSchedule(sweepWorker);
