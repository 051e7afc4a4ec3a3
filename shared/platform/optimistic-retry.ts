// Optimistic concurrency: if a row has changed between read and write, both are repeated, a bounded
// number of times.
import { EngineUnavailable, TransactionCanceled } from './ports.ts';

export interface RetryPolicy {
  /** What is being changed, for the error message: `a device`. */
  what: string;
  /** Of several concurrent writers, one succeeds each time. */
  retries: number;
}

/**
 * `attempt` reads again each time. After too many conflicts, the caller should retry later, as when
 * an engine is unavailable.
 */
export async function optimisticRetry<T>(
  { what, retries }: RetryPolicy,
  attempt: (conflicts: number) => Promise<T>,
): Promise<T> {
  for (let conflicts = 0; ; conflicts++) {
    try {
      return await attempt(conflicts);
    } catch (error) {
      if (!(error instanceof TransactionCanceled)) throw error;
      if (conflicts === retries)
        throw new EngineUnavailable(`too many concurrent changes to ${what}`, { cause: error });
    }
  }
}
