// Simulates a provider that can answer with 200 and report the outcome in the body, as some do.
import { beforeEach, describe, expect, test } from 'vitest';
import { createProviderClient } from '../../../../shared/connections/client/provider-client.ts';
import type { ProviderUnavailable } from '../../../../shared/connections/client/send-to-provider.ts';
import { OutOfTime, TokenRefused } from '../../../../shared/connections/client/sync-errors.ts';
import type { ProviderResponse, RequestFlow } from '../../../../shared/providers/kit/request-flow.ts';
import { frozenClock, type TestClock } from '../../../harness/clock.ts';
import { makeGrantContext } from '../../../harness/request-flow.ts';

let clock: TestClock;
let held: number[];
let shown: string[];
let counted: string[];
beforeEach(() => {
  clock = frozenClock(1_000_000);
  [held, shown, counted] = [[], [], []];
});

/** Each answer is a status, an outcome reported in the body, or a transport failure. */
function lineTo(answers: readonly (number | 'expired' | 'too_many' | 'away' | 'too_large' | 'timeout')[]) {
  const left = [...answers];
  const allowance = {
    reserve: async () => {},
    spend: async () => {},
    pauseUntil: async (untilMs: number) => void held.push(untilMs - clock.now()),
    recordAnswer: () => void counted.push('answered'),
    recordFailure: async () => void counted.push('failed'),
    spent: () => 0,
  };
  const client = {
    async send({ headers = {} }: { headers?: Record<string, string> }) {
      shown.push(headers['authorization'] ?? '');
      const answer = left.shift() ?? 200;
      if (answer === 'too_large' || answer === 'timeout') {
        const status = answer === 'too_large' ? 200 : undefined;
        return { kind: 'unanswered', reason: answer, message: '', status, body: Buffer.alloc(0) } as const;
      }
      const [status, text] = typeof answer === 'number' ? [answer, 'fine'] : [200, answer];
      return { kind: 'answered', status, headers: { 'retry-after': '7' }, body: Buffer.from(text) } as const;
    },
  };
  const meaning = ({ text }: ProviderResponse) =>
    text === 'expired' || text === 'too_many' || text === 'away' ? text : undefined;
  const to = { client, resolveUrl: (url: string) => url };
  return createProviderClient(
    { clock },
    to,
    { classifyResponse: meaning },
    { allowance, untilMs: clock.now() + 1_000 },
  );
}
const tokens = {
  current: async () => makeGrantContext(),
  renewRefused: async () => makeGrantContext({ accessToken: 'access-2' }),
};
function* asked(): RequestFlow<string> {
  const { status, text } = yield { method: 'GET', url: 'https://vendor.example/days' };
  return `${status} ${text}`;
}
const ask = (...answers: Parameters<typeof lineTo>[0]) => lineTo(answers).withUserToken(asked(), tokens);

describe('a response that reports', () => {
  test('an expired token refreshes it and repeats the request once', async () => {
    expect(await ask('expired')).toBe('200 fine');
    expect(shown).toEqual(['Bearer access-1', 'Bearer access-2']);
  });

  test('an expired token right after a refresh is a refusal, while a bare 401 is left to the adapter', async () => {
    await expect(ask('expired', 'expired')).rejects.toBeInstanceOf(TokenRefused);
    expect(await ask(401, 401)).toBe('401 fine');
    expect(shown).toHaveLength(4);
  });

  test('a rate limit pauses all requests for as long as it says', async () => {
    const away: ProviderUnavailable = await ask('too_many').catch((error) => error);
    expect([away.status, held]).toEqual([429, [7_000]]);
  });

  test('an outage counts as one, regardless of its status', async () => {
    await expect(ask('away')).rejects.toMatchObject({
      status: undefined,
      message: expect.stringContaining('unavailable'),
    });
    expect(held).toEqual([]);
  });
});

test('errors and timeouts count as failures of the provider, oversized and rate-limited responses do not', async () => {
  for (const answer of [500, 'timeout', 'too_large', 429] as const) await expect(ask(answer)).rejects.toThrow(/answer/);
  expect(counted).toEqual(['failed', 'failed', 'answered', 'answered']);
  expect(held).toEqual([7_000]);
});

test('no request is sent after the deadline', async () => {
  const line = lineTo([]);
  clock.advance(1_000);
  await expect(line.withUserToken(asked(), tokens)).rejects.toBeInstanceOf(OutOfTime);
  expect(shown).toEqual([]);
});
