import type { Deps } from '../../../shared/domain/deps.ts';
import { sweep } from '../../../shared/domain/work/sweep.ts';

export const sweepWorker = (deps: Deps) => async (): Promise<void> => sweep(deps);
