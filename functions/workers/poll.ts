import { storeSettingsSummary } from '../../shared/connections/client/provider-availability.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { wakeDue } from '../../shared/system/wake-pending.ts';
import { onSchedule } from '../runtime/on-schedule.ts';

export const pollWorker = (deps: Deps) => async (): Promise<void> => {
  await wakeDue(deps, 'sync');
  await storeSettingsSummary(deps);
};

export const handler = onSchedule(pollWorker);
