import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cloudProviderIds } from '../../../../shared/catalog/provider.ts';
import {
  expectsPushes,
  isPollOnly,
  pollIntervalMs,
  recordPush,
} from '../../../../shared/connections/sync/poll-interval.ts';
import { SyncPlan } from '../../../../shared/connections/sync-plan.ts';
import { providerDescriptors } from '../../../../shared/providers/catalog.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const zones = ['Europe/Berlin', 'America/Los_Angeles', 'Asia/Kolkata', 'UTC'];
/** The weeks after it have no clock changes. */
const startMs = Date.UTC(2026, 5, 1);

/** Minutes since midnight on a clock in the time zone. */
function wallMinutes(timeZone: string, ms: number): number {
  const [hours = 0, minutes = 0] = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })
    .format(ms)
    .split(':')
    .map(Number);
  return hours * 60 + minutes;
}

/** The documented rule, in whole minutes. */
function expectedIntervalMinutes(
  zone: string,
  pollMinutes: number,
  nowMs: number,
  lastChangeMs: number,
  wasDelayed: boolean,
): number {
  let gap = 15;
  for (let silent = day; silent <= nowMs - lastChangeMs && gap < pollMinutes; silent += day) gap *= 2;
  if (wasDelayed || gap > pollMinutes) gap = pollMinutes;
  const wall = wallMinutes(zone, nowMs);
  if (wall >= 6 * 60 && wall < 23 * 60) return gap;
  const untilMorning = (6 * 60 - wall + 1440) % 1440;
  return Math.min(pollMinutes, Math.max(gap, untilMorning));
}

test('a connection is polled at the documented interval for any hour, time zone and length of silence', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.constantFrom(60, 360, 1440),
      fc.nat(20 * 1440),
      fc.oneof(fc.nat(1440), fc.nat(9 * 1440)),
      fc.boolean(),
      (zone, pollMinutes, afterMinutes, silentMinutes, wasDelayed) => {
        const nowMs = startMs + afterMinutes * minute;
        const lastChangeMs = nowMs - silentMinutes * minute;
        const gapMs = pollIntervalMs({ pollMinutes, zone, nowMs, lastChangeMs, isDelayed: wasDelayed });
        expect(gapMs / minute).toBe(expectedIntervalMinutes(zone, pollMinutes, nowMs, lastChangeMs, wasDelayed));
      },
    ),
    { numRuns: 1_000 },
  );
});

test('by day the interval is 15 minutes while data arrives, and the usual one some days after it stopped', () => {
  const noonMs = startMs + 12 * hour;
  const gap = (silentDays: number) =>
    pollIntervalMs({
      pollMinutes: 60,
      zone: null,
      nowMs: noonMs,
      lastChangeMs: noonMs - silentDays * day,
      isDelayed: false,
    }) / minute;
  expect([0, 0.9, 1, 1.9, 2, 3, 400].map(gap)).toEqual([15, 15, 30, 30, 60, 60, 60]);
  // A connection that has never brought data keeps the usual interval.
  expect(pollIntervalMs({ pollMinutes: 60, zone: null, nowMs: noonMs, lastChangeMs: 0, isDelayed: false })).toBe(hour);
});

test('only providers that push nothing, or whose pushes cannot be verified here, are poll-only', () => {
  const listPollOnly = (more: (name: string) => Record<string, string>) =>
    cloudProviderIds.filter((id) => {
      const { push } = providerDescriptors[id];
      return isPollOnly({ push }, { more: push?.credential ? more(push.credential) : {} });
    });
  expect(listPollOnly((name) => ({ [name]: 'a secret' }))).toEqual(['ultrahuman']);
  expect(listPollOnly(() => ({}))).toEqual(['suunto', 'google_health', 'ultrahuman']);
  for (const id of cloudProviderIds) {
    const { push, credentials } = providerDescriptors[id];
    if (push?.credential) expect(credentials.map(({ name }) => name)).toContain(push.credential);
  }
});

const { oura } = providerDescriptors;
const credentials = { clientId: '', clientSecret: '', more: {} };

const recordAll = (times: readonly number[]): SyncPlan => {
  let plan = SyncPlan.parse({});
  for (const ms of times) plan = { ...plan, ...recordPush(oura, plan, ms) };
  return plan;
};

/** The documented rule from the whole list of arrivals, in fractions of minutes. */
function recallPushes(times: readonly number[]): { last: number; usual: number } {
  let usual = Math.min(oura.sync.pollIntervalMinutes, oura.sync.maxSilenceMinutes ?? Number.NaN);
  for (const [at, ms] of times.entries()) {
    const earlier = times.slice(0, at);
    if (earlier.length === 0) continue;
    const distance = (ms - Math.max(...earlier)) / minute;
    if (distance < 15) continue;
    const counted = distance > 2 * usual ? 2 * usual : distance;
    usual = (usual * 3 + counted) / 4;
    if (usual < 15) usual = 15;
  }
  return { last: Math.max(...times), usual };
}

/** Bursts, ordinary distances, nights and weeks, and pushes that arrive after later ones. */
const arrivals = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 20 * minute }),
      fc.integer({ min: 0, max: 3 * hour }),
      fc.integer({ min: -hour, max: 12 * hour }),
      fc.integer({ min: 0, max: 9 * day }),
    ),
    { minLength: 1, maxLength: 40 },
  )
  .map((distances) => {
    let ms = startMs;
    return distances.map((distance) => {
      ms += distance;
      return ms;
    });
  });

test('pushes are expected for twice their usual distance after the last one, however they arrive', () => {
  fc.assert(
    fc.property(arrivals, (times) => {
      const plan = recordAll(times);
      const { last, usual } = recallPushes(times);
      expect(plan.pushes?.lastMs).toBe(last);
      expect(plan.lastChangeMs).toBe(last);
      // Each push rounds to whole milliseconds.
      expect(Math.abs((plan.pushes?.usualMs ?? 0) / (usual * minute) - 1)).toBeLessThan(0.0001);
      const silentMs = last + 2 * (plan.pushes?.usualMs ?? 0);
      const isExpected = (ms: number) => expectsPushes({ descriptor: oura }, { credentials }, plan, ms);
      expect([isExpected(silentMs - 1), isExpected(silentMs)]).toEqual([true, false]);
    }),
    { numRuns: 500 },
  );
});

test('the usual distance follows regular pushes, never falls below 15 minutes, and one silence raises it by a quarter at most', () => {
  fc.assert(
    fc.property(
      arrivals,
      fc.integer({ min: 15, max: 600 }),
      fc.integer({ min: 0, max: 30 * day }),
      (times, regular, silence) => {
        const start = Math.max(...times);
        const usualOf = (more: readonly number[]) => recordAll([...times, ...more]).pushes?.usualMs ?? 0;
        const before = usualOf([]);
        expect(before).toBeGreaterThanOrEqual(15 * minute);
        expect(usualOf([start + silence])).toBeLessThanOrEqual(Math.ceil(before * 1.25));
        const settled = usualOf(Array.from({ length: 60 }, (_none, at) => start + (at + 1) * regular * minute));
        expect(Math.abs(settled / minute - regular)).toBeLessThan(0.1);
      },
    ),
    { numRuns: 200 },
  );
});

test('pushes of a connection that never had one are not expected', () => {
  expect(expectsPushes({ descriptor: oura }, { credentials }, SyncPlan.parse({}), startMs)).toBe(false);
});
