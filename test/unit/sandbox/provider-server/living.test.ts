// What a life says is what its ring said before there were vendors.
import { describe, expect, test } from 'vitest';
import { personaIds } from '../../../../shared/catalog/sandbox.ts';
import { addDays, todayIn } from '../../../../shared/platform/time/local-day.ts';
import { sandboxDates, sandboxDay } from '../../../../shared/sandbox/life/sandbox-day.ts';
import { accountOfLife, lifeOfAccount, shownAccount } from '../../../../shared/sandbox/provider-server/account.ts';
import { lifeDay, lifeDays } from '../../../../shared/sandbox/provider-server/living.ts';
import { makeId } from '../../../../shared/system/ids.ts';

const nowMs = Date.parse('2026-06-14T14:10:00Z');
const userId = makeId('user', nowMs, new Uint8Array(10).fill(7));
const everyLife = personaIds.map((persona) => ({ userId, persona, timezone: 'Europe/London' }));

describe.each(everyLife)('the life of $persona', (life) => {
  test('is told as the ring tells it, date by date', () => {
    for (const date of sandboxDates(life, null, nowMs)) {
      const { ring } = sandboxDay({ ...life, date, untilMs: nowMs });
      const day = lifeDay({ ...life, worn: 'ring' }, date, nowMs);
      const stated = new Map(ring.daily.map(({ metric, value }) => [metric, value]));
      const said = (metric: string) => stated.get(metric) ?? null;
      expect(day.steps).toBe(said('steps'));
      expect(day.distanceKm).toBe(said('distance'));
      expect(day.activeKcal).toBe(said('active_calories'));
      expect(day.restingKcal).toBe(said('resting_energy'));
      expect(day.restingBpm).toBe(said('resting_heart_rate'));
      expect(day.minBpm).toBe(said('min_heart_rate'));
      expect(day.maxBpm).toBe(said('max_heart_rate'));
      expect(day.sleepBpm).toBe(said('sleep_heart_rate'));
      expect(day.rmssdMs).toBe(said('sleep_heart_rate_variability'));
      expect(day.breathsPerMinute).toBe(said('sleep_respiratory_rate'));
      expect(day.oxygenPct).toBe(said('sleep_blood_oxygen'));
      expect(day.skinCelsius).toBe(said('sleep_skin_temperature'));
      expect(day.vo2Max).toBe(said('vo2_max'));
      expect(day.sleeps.map(({ startMs }) => new Date(startMs).toISOString())).toEqual(
        ring.sleep.map((each) => each.start),
      );
      expect(day.workouts.map(({ kcal, avgBpm }) => [kcal, avgBpm])).toEqual(
        ring.workouts.map((each) => [each.calories, each.avg_heart_rate]),
      );
      expect(day.heartRate.map(({ bpm }) => bpm)).toEqual(
        ring.samples.filter(({ metric }) => metric === 'heart_rate').map(({ value }) => value),
      );
      expect(day.walked.reduce((sum, { steps }) => sum + steps, 0)).toBe(day.steps ?? 0);
    }
  });

  test('begins with the past that the persona has', () => {
    const days = lifeDays({ ...life, worn: 'phone' }, { from: '2020-01-01', to: '2030-01-01' }, nowMs);
    expect(days.map(({ date }) => date)).toEqual(sandboxDates(life, null, nowMs));
  });
});

test('whoever changes to a watch tells the ring nothing from then on, and the watch nothing before', () => {
  const life = { userId, persona: 'device_swap', timezone: 'Europe/London' } as const;
  const today = todayIn(life.timezone, nowMs);
  const before = addDays(today, -4);
  const after = addDays(today, -2);
  expect(lifeDay({ ...life, worn: 'ring' }, before, nowMs).restingBpm).not.toBeNull();
  expect(lifeDay({ ...life, worn: 'ring' }, after, nowMs).restingBpm).toBeNull();
  expect(lifeDay({ ...life, worn: 'wrist' }, before, nowMs).restingBpm).toBeNull();
  const { watch } = sandboxDay({ ...life, date: after, untilMs: nowMs });
  const resting = watch.daily.find(({ metric }) => metric === 'resting_heart_rate')?.value;
  expect(lifeDay({ ...life, worn: 'wrist' }, after, nowMs).restingBpm).toBe(resting);
});

test('a day that is under way grows, and is not mistaken for the whole', () => {
  const life = { userId, persona: 'average', timezone: 'UTC', worn: 'ring' } as const;
  const noon = lifeDay(life, '2026-06-14', Date.parse('2026-06-14T12:00:00Z'));
  const night = lifeDay(life, '2026-06-14', Date.parse('2026-06-15T00:00:00Z'));
  expect(night.heartRate.length).toBeGreaterThan(noon.heartRate.length);
  expect(lifeDay(life, '2026-06-14', Date.parse('2026-06-14T12:00:00Z'))).toEqual(noon);
});

describe('an account', () => {
  test.each(['Europe/London', 'America/Port-au-Prince', 'Etc/GMT+3', null])(
    'in %s says whose life it is',
    (timezone) => {
      const account = accountOfLife({ userId, persona: 'shift_worker', timezone });
      expect(lifeOfAccount(account)).toEqual({ userId, persona: 'shift_worker', timezone: timezone ?? 'UTC' });
    },
  );

  test.each([
    '',
    'sbx-average',
    'sbx-nobody-01k9p3w0b1c3e5g7j9m1p3r5t7-UTC',
    'sbx-average-01k9p3w0b1c3e5g7j9m1p3r5t7-Mars.City',
  ])('is not called %j', (account) => expect(lifeOfAccount(account)).toBeUndefined());

  test('has a number where the vendor knows people by numbers', () => {
    const account = accountOfLife({ userId, persona: 'average', timezone: null });
    expect(shownAccount('oura', account)).toBe(account);
    expect(shownAccount('strava', account)).toMatch(/^[1-9]\d+$/);
    expect(Number.isSafeInteger(Number(shownAccount('whoop', account)))).toBe(true);
    expect(shownAccount('whoop', account)).not.toBe(shownAccount('strava', account));
  });
});
