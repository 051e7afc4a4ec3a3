import type { Deps } from '../../../shared/domain/deps.ts';
import { wakeDueSandboxes } from '../../../shared/domain/work/sweep.ts';

export const feedSandboxWorker = (deps: Deps) => async (): Promise<void> => wakeDueSandboxes(deps);
