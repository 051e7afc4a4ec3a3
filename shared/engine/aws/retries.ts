// Which failures may be over a moment later, and how often a call is then tried: the SDK's standard retries, with what its lists leave out.
import {
  isServerError,
  isThrottlingError,
  isTransientError,
  StandardRetryStrategy,
  type StandardRetryStrategyOptions,
} from '@smithy/core/retry';
import { EngineUnavailable } from '../ports.ts';

export const mostTries = 4;

/** The waits between tries; the SDK's own by default: random, up to a base that doubles, with a longer one after throttling. */
export type Backoff = NonNullable<StandardRetryStrategyOptions['backoff']>;

export class Retries extends StandardRetryStrategy {
  override refreshRetryTokenForRetry(
    ...[token, failure]: Parameters<StandardRetryStrategy['refreshRetryTokenForRetry']>
  ) {
    const leftOut = failure.errorType !== 'THROTTLING' && isPassing(failure.error);
    return super.refreshRetryTokenForRetry(token, leftOut ? { ...failure, errorType: 'TRANSIENT' } : failure);
  }
}

/** Codes that DynamoDB, SQS and EventBridge also name in answers that succeed in part. */
const passingCodes = new Set([
  'InternalException',
  'InternalFailure',
  'InternalServerError',
  'ServiceUnavailable',
  // A single write that met a transaction on the same item: the write was not applied.
  'TransactionConflictException',
]);

export const isPassingCode = (code: string): boolean =>
  passingCodes.has(code) || isThrottlingError({ name: code, message: '' });

/** The SDK's word for any error: what it adds to some is optional. */
type SdkError = Parameters<typeof isTransientError>[0];

function isPassing(error: unknown): error is SdkError {
  const isError = (thrown: unknown): thrown is SdkError => thrown instanceof Error;
  if (!isError(error)) return false;
  // An answer that is no JSON comes from something before the engine, such as a load balancer.
  if (error instanceof SyntaxError) return true;
  return passingCodes.has(error.name) || isThrottlingError(error) || isTransientError(error) || isServerError(error);
}

/**
 * Makes one call, tried as often as the SDK does. What is left after that is an outage or a refusal.
 *
 * A try whose answer is lost is sent again though it may have been applied. A conditional write can then fail on its own first try,
 * and an update that adds can add twice: what must not is sent as TransactWriteItems with a ClientRequestToken, the same for
 * all tries of a command, so the table applies it once.
 */
export async function asking<T>(what: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!isPassing(error)) throw error;
    throw new EngineUnavailable(`${what} failed, at last with: ${error.message}`, { cause: error });
  }
}
