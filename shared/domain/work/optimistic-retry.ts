// Whoever writes what they read tries again when another came between, a bounded number of times.
import { EngineUnavailable, TransactionRefused } from '../../engine/ports.ts';

/** Returns when the refused write is to be tried again. Those who come too many at once are told to come later, as with an engine that is away. */
export function mustTryAgain(error: unknown, left: number, what: string): void {
  if (!(error instanceof TransactionRefused)) throw error;
  if (left === 0) throw new EngineUnavailable(`${what} is changed by too many at once`, { cause: error });
}
