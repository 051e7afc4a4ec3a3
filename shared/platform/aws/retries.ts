// Which failures are transient, and how often a call is retried: the SDK's lists, and what they
// leave out.
import { isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry';
import { EngineUnavailable } from '../ports.ts';
import { jitteredDelayMs } from './backoff.ts';
import { IncompleteResponse } from './sdk-http-handler.ts';

export const defaultMaxAttempts = 4;
/** A throttled caller waits longer than one that met a fault. */
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
 * Replaces the SDK's standard strategy, which has a retry quota per client: fifty writes that
 * conflict with a transaction use it up, and later writes fail on their first conflict. It also
 * honors a Retry-After header beyond the function's timeout. Four attempts with short delays avoid
 * both.
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

/** Error codes that DynamoDB, SQS and EventBridge also return in partially successful responses. */
const transientCodes = new Set([
  'InternalException',
  'InternalFailure',
  'InternalServerError',
  // SQS stored something else than what was sent, or its response does not confirm it.
  'InvalidChecksumError',
  'ServiceUnavailable',
  // A single write that conflicted with a transaction on the same item. The write was not applied.
  'TransactionConflictException',
]);

export const isTransientCode = (code: string): boolean =>
  transientCodes.has(code) || isThrottlingError({ name: code, message: '' });

/** The SDK's type for any error; the fields it adds to some errors are optional. */
type SdkError = Parameters<typeof isTransientError>[0];

function isTransient(error: unknown): error is SdkError {
  const isError = (thrown: unknown): thrown is SdkError => thrown instanceof Error;
  if (!isError(error)) return false;
  // A response that is not JSON comes from something in front of the engine, such as a load
  // balancer.
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
 * Makes one call with the SDK's retries. A failure after that is an outage or a rejection.
 *
 * An attempt whose response is lost is sent again although it may have been applied. A conditional
 * write can then fail because of its own first attempt, and an update that adds can add twice. A
 * write that must not do so is sent as TransactWriteItems with a ClientRequestToken, which is the
 * same for all attempts of a command, so the table applies it once.
 */
export async function callAws<T>(operation: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!isTransient(error)) throw error;
    throw new EngineUnavailable(`${operation} failed; the last error was: ${error.message}`, { cause: error });
  }
}
