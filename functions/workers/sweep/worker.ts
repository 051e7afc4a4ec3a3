import type { Deps } from '../../../shared/domain/deps.ts';
import { wakeErasures } from '../../../shared/domain/erase-user.ts';

export const sweepWorker = (deps: Deps) => async (): Promise<void> => wakeErasures(deps);
