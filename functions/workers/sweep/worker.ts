import type { Deps } from '../../../shared/system/deps.ts';
import { sweep } from '../../../shared/system/sweep.ts';

export const sweepWorker = (deps: Deps) => async (): Promise<void> => sweep(deps);
