// Simulates a provider that can answer with 200 and report the outcome in the body, as some do.
import { beforeEach, describe, expect, test } from 'vitest';
import { createProviderClient } from '../../../../shared/connections/client/provider-client.ts';
import type { ProviderUnavailable } from '../../../../shared/connections/client/send-to-provider.ts';
import { OutOfTime, TokenRefused } from '../../../../shared/connections/client/sync-errors.ts';
import type { ProviderResponse, RequestFlow } from '../../../../shared/providers/kit/request-flow.ts';
import { frozenClock, type TestClock } from '../../../harness/clock.ts';
import { makeGrantContext } from '../../../harness/request-flow.ts';

let clock: TestClock;
let pauses: number[];
let authorizations: string[];
let outcomes: string[];
let successes: number;
beforeEach(() => {
  clock = frozenClock(1_000_000);
  [pauses, authorizations, outcomes, successes] = [[], [], [], 0];
});

/** Each answer is a status, an outcome reported in the body, or a transport failure. */
function createTestClient(answers: readonly (number | 'expired' | 'too_many' | 'away' | 'too_large' | 'timeout')[]) {
  const remaining = [...answers];
  const allowance = {
    reserve: async () => {},
    spend: async () => {},
    pauseUntil: async (untilMs: number) => void pauses.push(untilMs - clock.now()),
    recordAnswer: () => void outcomes.push('answered'),
    recordSuccess: () => void successes++,
    storeSuccess: async () => {},
    recordFailure: async () => void outcomes.push('failed'),
    spent: () => 0,
  };
  const client = {
    async send({ headers = {} }: { headers?: Record<string, string> }) {
      authorizations.push(headers['authorization'] ?? '');
      const answer = remaining.shift() ?? 200;
      if (answer === 'too_large' || answer === 'timeout') {
        const status = answer === 'too_large' ? 200 : undefined;
        return { kind: 'unanswered', reason: answer, message: '', status, body: Buffer.alloc(0) } as const;
      }
      const [status, text] = typeof answer === 'number' ? [answer, 'fine'] : [200, answer];
      return { kind: 'answered', status, headers: { 'retry-after': '7' }, body: Buffer.from(text) } as const;
    },
  };
  const classify = ({ text }: ProviderResponse) =>
    text === 'expired' || text === 'too_many' || text === 'away' ? text : undefined;
  const to = { client, resolveUrl: (url: string) => url };
  return createProviderClient(
    { clock },
    to,
    { classifyResponse: classify },
    { allowance, untilMs: clock.now() + 1_000 },
  );
}
const tokens = {
  current: async () => makeGrantContext(),
  renewRefused: async () => makeGrantContext({ accessToken: 'access-2' }),
};
function* requestDays(): RequestFlow<string> {
  const { status, text } = yield { method: 'GET', url: 'https://vendor.example/days' };
  return `${status} ${text}`;
}
const requestWith = (...answers: Parameters<typeof createTestClient>[0]) =>
  createTestClient(answers).withUserToken(requestDays(), tokens);

describe('a response that reports', () => {
  test('an expired token refreshes it and repeats the request once', async () => {
    expect(await requestWith('expired')).toBe('200 fine');
    expect(authorizations).toEqual(['Bearer access-1', 'Bearer access-2']);
  });

  test('an expired token right after a refresh is a refusal, while a bare 401 is left to the adapter', async () => {
    await expect(requestWith('expired', 'expired')).rejects.toBeInstanceOf(TokenRefused);
    expect(await requestWith(401, 401)).toBe('401 fine');
    expect(authorizations).toHaveLength(4);
  });

  test('a rate limit pauses all requests for as long as it says', async () => {
    const unavailable: ProviderUnavailable = await requestWith('too_many').catch((error) => error);
    expect([unavailable.status, pauses]).toEqual([429, [7_000]]);
  });

  test('an outage counts as one, regardless of its status', async () => {
    await expect(requestWith('away')).rejects.toMatchObject({
      status: undefined,
      message: expect.stringContaining('unavailable'),
    });
    expect(pauses).toEqual([]);
  });
});

test('errors and timeouts count as failures of the provider, oversized and rate-limited responses do not', async () => {
  for (const answer of [500, 'timeout', 'too_large', 429] as const)
    await expect(requestWith(answer)).rejects.toThrow(/answer/);
  expect(outcomes).toEqual(['failed', 'failed', 'answered', 'answered']);
  expect(pauses).toEqual([7_000]);
});

test.each([
  [200, 1],
  ...(['expired', 'too_many', 'away', 401, 404, 429, 500, 'timeout', 'too_large'] as const).map(
    (each) => [each, 0] as const,
  ),
] as const)('the response %s counts as %i successful answers', async (answer, count) => {
  await requestWith(answer, answer).catch(() => {});
  expect(successes).toBe(count);
});

test('no request is sent after the deadline', async () => {
  const providerClient = createTestClient([]);
  clock.advance(1_000);
  await expect(providerClient.withUserToken(requestDays(), tokens)).rejects.toBeInstanceOf(OutOfTime);
  expect(authorizations).toEqual([]);
});
