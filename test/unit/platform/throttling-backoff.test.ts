import { ThrottlingException } from '@aws-sdk/client-dynamodb';
import { afterEach, expect, test, vi } from 'vitest';
import { defaultMaxAttempts, RetryStrategy, throttlingBackoffFactor } from '../../../shared/platform/aws/retries.ts';

afterEach(() => vi.restoreAllMocks());

const throttled = new ThrottlingException({ message: 'slow down', $metadata: {}, throttlingReasons: [] });
const broken = Object.assign(new Error('broken'), { name: 'InternalServerError' });

async function maxDelays(error: Error): Promise<number[]> {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  const retries = new RetryStrategy(25);
  const waits: number[] = [];
  let token = await retries.acquireInitialRetryToken();
  for (let failures = 1; failures < defaultMaxAttempts; failures++) {
    token = await retries.refreshRetryTokenForRetry(token, { error });
    waits.push(token.getRetryDelay());
  }
  await expect(retries.refreshRetryTokenForRetry(token, { error })).rejects.toBe(error);
  return waits;
}

test('delays double from try to try, and the fourth try is the last', async () => {
  expect(await maxDelays(broken)).toEqual([25, 50, 100]);
});

test('a throttled call waits longer', async () => {
  expect(await maxDelays(throttled)).toEqual([25, 50, 100].map((ms) => throttlingBackoffFactor * ms));
});

test('an error that is not an outage is not retried', async () => {
  const retries = new RetryStrategy(25);
  const refused = Object.assign(new Error('no'), { name: 'ValidationException' });
  const first = await retries.acquireInitialRetryToken();
  await expect(retries.refreshRetryTokenForRetry(first, { error: refused })).rejects.toBe(refused);
});
