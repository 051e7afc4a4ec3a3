import type { Deps } from '../../../shared/domain/deps.ts';
import { wakeDue } from '../../../shared/domain/work/wake-due.ts';

export const feedSandboxWorker = (deps: Deps) => async (): Promise<void> => wakeDue(deps, 'sandbox');
