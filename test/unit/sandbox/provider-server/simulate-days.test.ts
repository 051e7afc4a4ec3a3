// Simulated days have the same values as the sandbox's uploads of a ring.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cloudProviderIds } from '../../../../shared/catalog/provider.ts';
import { personaIds } from '../../../../shared/catalog/sandbox.ts';
import { addDays, todayIn } from '../../../../shared/platform/time/local-day.ts';
import { buildSandboxDay, listSandboxDates } from '../../../../shared/sandbox/life/sandbox-day.ts';
import {
  parseSandboxAccount,
  toProviderAccount,
  toSandboxAccount,
} from '../../../../shared/sandbox/provider-server/account.ts';
import { simulateDay, simulateDays } from '../../../../shared/sandbox/provider-server/simulate-days.ts';
import { makeId } from '../../../../shared/system/ids.ts';

const nowMs = Date.parse('2026-06-14T14:10:00Z');
const userId = makeId('user', nowMs, new Uint8Array(10).fill(7));
const withoutIds = (day: object): unknown =>
  JSON.parse(JSON.stringify(day, (key, value) => (key === 'id' ? undefined : value)));
const everyLife = personaIds.map((persona) => ({ userId, persona, timezone: 'Europe/London' }));

describe.each(everyLife)('the days of $persona', (life) => {
  test('match those of the ring, date by date', () => {
    for (const date of listSandboxDates(life, null, nowMs)) {
      const { ring } = buildSandboxDay({ ...life, date, untilMs: nowMs });
      const day = simulateDay({ ...life, worn: 'ring' }, date, nowMs);
      const stated = new Map(ring.daily.map(({ metric, value }) => [metric, value]));
      const totalOf = (metric: string) => stated.get(metric) ?? null;
      expect(day.steps).toBe(totalOf('steps'));
      expect(day.distanceKm).toBe(totalOf('distance'));
      expect(day.activeKcal).toBe(totalOf('active_calories'));
      expect(day.restingKcal).toBe(totalOf('resting_energy'));
      expect(day.restingBpm).toBe(totalOf('resting_heart_rate'));
      expect(day.minBpm).toBe(totalOf('min_heart_rate'));
      expect(day.maxBpm).toBe(totalOf('max_heart_rate'));
      expect(day.sleepBpm).toBe(totalOf('sleep_heart_rate'));
      expect(day.rmssdMs).toBe(totalOf('sleep_heart_rate_variability'));
      expect(day.breathsPerMinute).toBe(totalOf('sleep_respiratory_rate'));
      expect(day.oxygenPct).toBe(totalOf('sleep_blood_oxygen'));
      expect(day.skinCelsius).toBe(totalOf('sleep_skin_temperature'));
      expect(day.vo2Max).toBe(totalOf('vo2_max'));
      expect(day.sleeps.map(({ startMs }) => new Date(startMs).toISOString())).toEqual(
        ring.sleep.map((each) => each.start),
      );
      expect(day.workouts.map(({ kcal, avgBpm }) => [kcal, avgBpm])).toEqual(
        ring.workouts.map((each) => [each.calories, each.avg_heart_rate]),
      );
      expect(day.heartRate.map(({ bpm }) => bpm)).toEqual(
        ring.samples.filter(({ metric }) => metric === 'heart_rate').map(({ value }) => value),
      );
      expect(day.stepIntervals.reduce((sum, { steps }) => sum + steps, 0)).toBe(day.steps ?? 0);
    }
  });

  test('begin with the history of the persona', () => {
    const days = simulateDays({ ...life, worn: 'phone' }, { from: '2020-01-01', to: '2030-01-01' }, nowMs);
    expect(days.map(({ date }) => date)).toEqual(listSandboxDates(life, null, nowMs));
  });
});

test('a user who switches to a watch has no ring data from then on, and no watch data before', () => {
  const life = { userId, persona: 'device_swap', timezone: 'Europe/London' } as const;
  const today = todayIn(life.timezone, nowMs);
  const before = addDays(today, -4);
  const after = addDays(today, -2);
  expect(simulateDay({ ...life, worn: 'ring' }, before, nowMs).restingBpm).not.toBeNull();
  expect(simulateDay({ ...life, worn: 'ring' }, after, nowMs).restingBpm).toBeNull();
  expect(simulateDay({ ...life, worn: 'wrist' }, before, nowMs).restingBpm).toBeNull();
  const { watch } = buildSandboxDay({ ...life, date: after, untilMs: nowMs });
  const resting = watch.daily.find(({ metric }) => metric === 'resting_heart_rate')?.value;
  expect(simulateDay({ ...life, worn: 'wrist' }, after, nowMs).restingBpm).toBe(resting);
});

test('users with the same seed have the same values, and records with ids of their own', () => {
  const otherId = makeId('user', nowMs, new Uint8Array(10).fill(8));
  for (const persona of personaIds) {
    const simulate = (id: string, lifeSeed: string | null, date: string) => {
      const life = { userId: id, persona, timezone: 'Europe/London', worn: 'ring', lifeSeed } as const;
      const { sleeps, workouts, ...values } = simulateDay(life, date, nowMs);
      const ids = [...sleeps, ...workouts].map((record) => record.id);
      return { ids, values: { ...values, sleeps, workouts }, uploads: buildSandboxDay({ ...life, date }) };
    };
    for (let back = 1; back <= 9; back++) {
      const date = addDays(todayIn('Europe/London', nowMs), -back);
      const [one, other] = [simulate(userId, 'build-7', date), simulate(otherId, 'build-7', date)];
      expect(withoutIds(one.values)).toEqual(withoutIds(other.values));
      expect(withoutIds(one.uploads)).toEqual(withoutIds(other.uploads));
      expect(one.ids.filter((id) => other.ids.includes(id))).toEqual([]);
      if (one.values.heartRate.length === 0) continue;
      expect(simulate(userId, 'build-8', date).values.heartRate).not.toEqual(one.values.heartRate);
      expect(simulate(userId, null, date).values.heartRate).not.toEqual(one.values.heartRate);
    }
  }
});

test('a day in progress grows, and differs from the complete day', () => {
  const life = { userId, persona: 'average', timezone: 'UTC', worn: 'ring' } as const;
  const noon = simulateDay(life, '2026-06-14', Date.parse('2026-06-14T12:00:00Z'));
  const night = simulateDay(life, '2026-06-14', Date.parse('2026-06-15T00:00:00Z'));
  expect(night.heartRate.length).toBeGreaterThan(noon.heartRate.length);
  expect(simulateDay(life, '2026-06-14', Date.parse('2026-06-14T12:00:00Z'))).toEqual(noon);
});

describe('an account', () => {
  test.each(['Europe/London', 'America/Port-au-Prince', 'Etc/GMT+3', null])(
    'in %s names its user, persona and zone',
    (timezone) => {
      const account = toSandboxAccount({ userId, persona: 'shift_worker', timezone });
      expect(parseSandboxAccount(account)).toEqual({ userId, persona: 'shift_worker', timezone: timezone ?? 'UTC' });
    },
  );

  test('names the seed, so that two users with one seed have two accounts and the same life', () => {
    const zones = fc.constantFrom('Europe/London', 'America/Port-au-Prince', 'Etc/GMT-3', 'UTC');
    const seeds = fc.stringMatching(/^[A-Za-z0-9._-]{1,64}$/);
    const anyPersona = fc.constantFrom(...personaIds);
    fc.assert(
      fc.property(zones, seeds, anyPersona, fc.integer({ min: 8, max: 366 }), (timezone, lifeSeed, persona, days) => {
        const life = { userId, persona, timezone, days, lifeSeed };
        const account = toSandboxAccount(life);
        expect(parseSandboxAccount(account)).toEqual(life);
        expect(parseSandboxAccount(toSandboxAccount(life, 'rate_limited'))).toEqual(life);
        const otherId = makeId('user', nowMs, new Uint8Array(10).fill(8));
        for (const provider of cloudProviderIds)
          expect(toProviderAccount(provider, toSandboxAccount({ ...life, userId: otherId }))).not.toBe(
            toProviderAccount(provider, account),
          );
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    '',
    'sbx-average-01k9p3w0b1c3e5g7j9m1p3r5t7~a b~-UTC',
    'sbx-average-01k9p3w0b1c3e5g7j9m1p3r5t7~~-UTC',
    'sbx-average',
    'sbx-nobody-01k9p3w0b1c3e5g7j9m1p3r5t7-UTC',
    'sbx-average-01k9p3w0b1c3e5g7j9m1p3r5t7-Mars.City',
  ])('is not parsed from %j', (account) => expect(parseSandboxAccount(account)).toBeUndefined());

  test('has a number for providers with numeric accounts', () => {
    const account = toSandboxAccount({ userId, persona: 'average', timezone: null });
    expect(toProviderAccount('oura', account)).toBe(account);
    expect(toProviderAccount('strava', account)).toMatch(/^[1-9]\d+$/);
    expect(Number.isSafeInteger(Number(toProviderAccount('whoop', account)))).toBe(true);
    expect(toProviderAccount('whoop', account)).not.toBe(toProviderAccount('strava', account));
  });
});
