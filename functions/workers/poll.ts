import type { Deps } from '../../shared/system/deps.ts';
import { wakeDue } from '../../shared/system/wake-pending.ts';
import { onSchedule } from '../runtime/on-schedule.ts';

export const pollWorker = (deps: Deps) => async (): Promise<void> => wakeDue(deps, 'sync');

export const handler = onSchedule(pollWorker);
