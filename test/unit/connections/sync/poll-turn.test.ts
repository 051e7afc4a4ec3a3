import { expect, test } from 'vitest';
import { computePollInterval, findPollLimit, pollShare } from '../../../../shared/connections/client/poll-share.ts';
import { readPollIntervals } from '../../../../shared/connections/client/provider-quota.ts';
import { takePollTurn } from '../../../../shared/connections/sync/poll-turn.ts';
import { SyncPlan } from '../../../../shared/connections/sync-plan.ts';
import { providerDescriptors } from '../../../../shared/providers/catalog.ts';
import type { ProviderRateLimit } from '../../../../shared/providers/kit/descriptor.ts';
import { memoryDeps } from '../../../harness/memory-deps.ts';

const minute = 60_000;

/** Each connection wants a poll of 5 requests every 15 minutes. Returns when each was polled. */
async function pollAll(connections: number, limit: ProviderRateLimit, forMs: number) {
  const { deps, clock, log } = memoryDeps();
  clock.freeze();
  const startMs = clock.now();
  const configured = {
    ...{ provider: 'whoop' as const, env: 'live' as const, limits: [limit], disconnectsPerHour: 0 },
    ...{ credentials: { clientId: '', clientSecret: '', more: {} } },
    ...{ resolveUrl: (url: string) => url, client: deps.egress.providers },
  };
  const waiting = Array.from({ length: connections }, (_none, at) => ({
    dueMs: startMs + ((at * 7) % 15) * minute,
    plan: SyncPlan.parse({ requests: 5 }),
    polls: [] as number[],
  }));
  for (;;) {
    const next = waiting.reduce((a, b) => (b.dueMs < a.dueMs ? b : a));
    if (next.dueMs >= startMs + forMs) break;
    clock.advance(Math.max(0, next.dueMs - clock.now()));
    const turn = await takePollTurn({ deps, configured }, next.plan);
    next.plan = { ...next.plan, pollTurn: turn.drawn ? 'none' : turn.turn };
    if (turn.drawn) next.polls.push(clock.now() - startMs);
    next.dueMs = turn.drawn ? clock.now() + 15 * minute : Math.max(turn.retryMs, clock.now() + 1);
  }
  const intervals = await readPollIntervals(deps, [{ provider: 'whoop', limits: [limit] }]);
  return {
    intervalMinutes: (intervals.get('whoop') ?? 0) / 60,
    polls: waiting.map(({ polls }) => polls),
    postponed: log.filter((line) => line.message === 'poll_postponed'),
  };
}

const hourlyLimit = { requests: 100, seconds: 3_600, per: 'deployment' } as const;

test('polls that fit into their share of the limit are never postponed', async () => {
  const { polls, postponed } = await pollAll(3, hourlyLimit, 6 * 60 * minute);
  expect(postponed).toEqual([]);
  for (const each of polls) expect(each).toHaveLength(24);
});

test('connections that want more than the share of the limit are polled equally often, and together no more than it allows', async () => {
  const hours = 20;
  const { polls, postponed } = await pollAll(20, hourlyLimit, hours * 60 * minute);
  const counts = polls.map(({ length }) => length);
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(2);
  const total = counts.reduce((sum, count) => sum + count, 0) * 5;
  expect(total).toBeLessThanOrEqual(hours * hourlyLimit.requests * pollShare + 30);
  expect(total).toBeGreaterThan(0.8 * hours * hourlyLimit.requests * pollShare);
  // No connection waits much longer than its share of the line.
  const gaps = polls.flatMap((at) => at.slice(1).map((ms, i) => ms - (at[i] ?? 0)));
  expect(Math.max(...gaps) / minute).toBeLessThan(2 * (20 / 12) * 60);
  expect(postponed[0]?.fields).toMatchObject({ provider: 'whoop', env: 'live', retry_at: expect.any(String) });
});

test.each([3, 12, 20, 40])(
  'the interval that is shown is the one at which %i connections are polled',
  async (connections) => {
    const { polls, intervalMinutes } = await pollAll(connections, hourlyLimit, 20 * 60 * minute);
    // The last polls, because a line takes hours to build up.
    const gaps = polls.map((at) => ((at.at(-1) ?? 0) - (at.at(-3) ?? 0)) / 2 / minute);
    const meanGap = gaps.reduce((sum, gap) => sum + gap, 0) / connections;
    expect(intervalMinutes / meanGap).toBeGreaterThan(0.8);
    expect(intervalMinutes / meanGap).toBeLessThan(1.25);
  },
);

test('a provider that is never polled has no interval, and one without a line is polled every 15 minutes', () => {
  expect(computePollInterval(providerDescriptors.garmin, { promisedMs: 5_000 }, 0)).toBeNull();
  expect(computePollInterval(providerDescriptors.oura, undefined, 0)).toBe(900);
  expect(computePollInterval(providerDescriptors.oura, { promisedMs: 1_000 }, 2_000)).toBe(900);
  expect(computePollInterval(providerDescriptors.oura, { promisedMs: 61_000 }, 0)).toBe(900 + 120);
});

test('a provider without a limit for the whole deployment, such as the simulated one, postpones no poll', () => {
  expect(findPollLimit('whoop', [])).toBeUndefined();
  expect(findPollLimit('whoop', [{ requests: 1, seconds: 60, per: 'person' }])).toBeUndefined();
});
