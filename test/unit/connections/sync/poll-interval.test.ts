import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cloudProviderIds } from '../../../../shared/catalog/provider.ts';
import { isPollOnly, pollIntervalMs } from '../../../../shared/connections/sync/poll-interval.ts';
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
