import type { Deps } from '../../shared/system/deps.ts';
import { wakeDue } from '../../shared/system/wake-pending.ts';
import { onSchedule } from '../runtime/on-schedule.ts';

export const feedSandboxWorker = (deps: Deps) => async (): Promise<void> => wakeDue(deps, 'sandbox');

export const handler = onSchedule(feedSandboxWorker);
