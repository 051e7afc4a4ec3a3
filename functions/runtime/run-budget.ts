// The share of a run that one of several groups of messages may use, so that a slow one does not
// spend the receives of the others: without it, Lambda would stop the run, and all would return.
import type { Clock } from '../../shared/platform/ports.ts';
import { runWithEarlierDeadline } from './run-deadline.ts';

/** Longer than any ordinary work, and well below the timeout of a run. */
export const groupBudgetMs = 40_000;

export class BudgetExceeded extends Error {}

/** Rejects when the budget is used up. From then on, the work cannot write any more. */
export async function runWithinBudget<T>(clock: Clock, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    const error = new BudgetExceeded(`the work took longer than ${groupBudgetMs / 1000} seconds; it will be retried`);
    timer = setTimeout(() => reject(error), groupBudgetMs);
  });
  try {
    return await Promise.race([runWithEarlierDeadline(clock, groupBudgetMs, work), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
