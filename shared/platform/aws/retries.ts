// Which failures may be over a moment later, and how often a call is then tried: by the SDK's lists, with what they leave out.
import { isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry';
import { EngineUnavailable } from '../ports.ts';
import { jitteredDelayMs } from './backoff.ts';
import { IncompleteResponse } from './sdk-http-handler.ts';

export const defaultMaxAttempts = 4;
/** Who is throttled comes back later than who met a fault. */
export const throttlingBackoffFactor = 4;

interface RetryToken {
  getRetryCount(): number;
  getRetryDelay(): number;
}

const createRetryToken = (failures: number, delayMs: number): RetryToken => ({
  getRetryCount: () => failures,
  getRetryDelay: () => delayMs,
});

/**
 * In place of the SDK's standard strategy, which has a quota a client: fifty writes that meet a transaction use it up, and the ones after them fail
 * on their first conflict. It also waits as long as a Retry-After header says, past the end of the function. Four tries and short waits bound both.
 */
export class RetryStrategy {
  readonly mode = 'standard';
  readonly #backoffMs: number;
  readonly #maxAttempts: number;

  constructor(backoffMs: number, maxAttempts: number = defaultMaxAttempts) {
    this.#backoffMs = backoffMs;
    this.#maxAttempts = maxAttempts;
  }
  async acquireInitialRetryToken(): Promise<RetryToken> {
    return createRetryToken(0, 0);
  }
  async refreshRetryTokenForRetry(previous: RetryToken, { error }: { error?: unknown }): Promise<RetryToken> {
    const failures = previous.getRetryCount() + 1;
    if (failures >= this.#maxAttempts || !isTransient(error)) throw error;
    const baseMs = isThrottlingError(error) ? throttlingBackoffFactor * this.#backoffMs : this.#backoffMs;
    return createRetryToken(failures, jitteredDelayMs(baseMs, failures));
  }
  recordSuccess(): void {}
}

/** Codes that DynamoDB, SQS and EventBridge also name in answers that succeed in part. */
const transientCodes = new Set([
  'InternalException',
  'InternalFailure',
  'InternalServerError',
  // What SQS took is not what was sent, or its answer does not say.
  'InvalidChecksumError',
  'ServiceUnavailable',
  // A single write that met a transaction on the same item: the write was not applied.
  'TransactionConflictException',
]);

export const isTransientCode = (code: string): boolean =>
  transientCodes.has(code) || isThrottlingError({ name: code, message: '' });

/** The SDK's word for any error: what it adds to some is optional. */
type SdkError = Parameters<typeof isTransientError>[0];

function isTransient(error: unknown): error is SdkError {
  const isError = (thrown: unknown): thrown is SdkError => thrown instanceof Error;
  if (!isError(error)) return false;
  // An answer that is no JSON comes from something before the engine, such as a load balancer.
  if (error instanceof SyntaxError || error instanceof IncompleteResponse) return true;
  return (
    transientCodes.has(error.name) ||
    error.$metadata?.httpStatusCode === 408 ||
    isThrottlingError(error) ||
    isTransientError(error) ||
    isServerError(error)
  );
}

/**
 * Makes one call, tried as often as the SDK does. What is left after that is an outage or a refusal.
 *
 * A try whose answer is lost is sent again though it may have been applied. A conditional write can then fail on its own first try,
 * and an update that adds can add twice: what must not is sent as TransactWriteItems with a ClientRequestToken, the same for
 * all tries of a command, so the table applies it once.
 */
export async function callAws<T>(operation: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!isTransient(error)) throw error;
    throw new EngineUnavailable(`${operation} failed, at last with: ${error.message}`, { cause: error });
  }
}
