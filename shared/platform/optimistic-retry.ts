// Optimistic concurrency: whoever writes what they read reads and writes again when another came between, a bounded number of times.
import { EngineUnavailable, TransactionCanceled } from './ports.ts';

export interface RetryPolicy {
  /** What everybody wants to change, for the message: `a device`. */
  what: string;
  /** Of those who come at once one gets through each time. */
  retries: number;
}

/** `attempt` reads anew each time. Those who come too many at once are told to come later, as with an engine that is away. */
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
