import { onSchedule } from '../../runtime/on-schedule.ts';
import { feedSandboxWorker } from './worker.ts';

export const handler = onSchedule(feedSandboxWorker);
