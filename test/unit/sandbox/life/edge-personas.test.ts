// The guarantees of the personas that show edge cases of scores, in the days that are generated for
// them.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { personaIds, type SandboxPersona } from '../../../../shared/catalog/sandbox.ts';
import { addDays, datesInRange, todayIn } from '../../../../shared/platform/time/local-day.ts';
import { garmin } from '../../../../shared/providers/garmin/descriptor.ts';
import { listPersonaDevices } from '../../../../shared/sandbox/life/devices.ts';
import { buildSandboxDay, listSandboxDates } from '../../../../shared/sandbox/life/sandbox-day.ts';
import { makeId, parseIdTime } from '../../../../shared/system/ids.ts';

type Day = ReturnType<typeof buildSandboxDay>;
const hourMs = 3_600_000;
const who = fc.record({
  userId: fc
    .tuple(fc.integer({ min: 0, max: 400 * 24 }), fc.uint8Array({ minLength: 10, maxLength: 10 }))
    .map(([hours, bytes]) => makeId('user', 1_780_000_000_000 + hours * hourMs, bytes)),
  timezone: fc.constantFrom('Europe/Berlin', 'America/New_York', 'Pacific/Kiritimati', 'Pacific/Honolulu', null),
});

/**
 * Checks the days of random users, by their distance from the day on which the user was created.
 */
const everyLife = (persona: SandboxPersona, rule: (day: (back: number) => Day) => void, numRuns = 8) =>
  fc.assert(
    fc.property(who, ({ userId, timezone }) => {
      const createdOn = todayIn(timezone, parseIdTime(userId));
      const days = new Map<number, Day>();
      rule((back) => {
        const day = days.get(back) ?? buildSandboxDay({ userId, persona, timezone, date: addDays(createdOn, back) });
        days.set(back, day);
        return day;
      });
    }),
    { numRuns },
  );
const span = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_none, at) => from + at);
const total = (device: Day['ring'], metric: string): number =>
  device.daily.find((each) => each.metric === metric)?.value ?? Number.NaN;
const sumOf = (device: Day['ring'], metric: string): number =>
  device.samples.filter((each) => each.metric === metric).reduce((sum, { value }) => sum + value, 0);
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const night = (device: Day['ring']) => device.sleep.toSorted((a, b) => b.asleep_minutes - a.asleep_minutes)[0];

describe('the history of a persona', () => {
  test.each([
    ['new_user', 3],
    ['ill', 21],
    ['device_swap', 21],
    ['incomplete_log', 7],
    ['child', 7],
    ['older', 7],
    ['empty', 0],
  ] as const)('%s begins %i complete days before today, and later catches up on a week', (persona, days) => {
    const life = { userId: makeId('user', 1_780_000_000_000, new Uint8Array(10)), persona, timezone: 'Asia/Tokyo' };
    const nowMs = 1_780_000_000_000;
    const today = todayIn(life.timezone, nowMs);
    expect(listSandboxDates(life, null, nowMs)).toEqual(datesInRange(addDays(today, -days), today));
    const laterMs = nowMs + 60 * 24 * hourMs;
    const later = todayIn(life.timezone, laterMs);
    expect(listSandboxDates(life, nowMs, laterMs)).toEqual(datesInRange(addDays(later, -7), later));
    expect(listSandboxDates(life, nowMs, nowMs + hourMs)).toEqual([today]);
  });
});

describe('ill', () => {
  test('heart rate and respiration are higher, and variability, sleep, steps and appetite lower, from two days before', () => {
    // Three nights of one user may be long by chance, but not those of many users.
    const lessSlept: number[] = [];
    everyLife('ill', (day) => {
      const well = span(-16, -3).map(day);
      const usual = (of: (each: Day) => number) => mean(well.map(of));
      for (const ill of [-1, 0].map(day)) {
        const differenceFromUsual = (of: (each: Day) => number) => of(ill) - usual(of);
        const share = (of: (each: Day) => number) => of(ill) / usual(of);
        expect(differenceFromUsual(({ ring }) => total(ring, 'resting_heart_rate'))).toBeGreaterThan(4);
        expect(share(({ ring }) => total(ring, 'sleep_heart_rate_variability'))).toBeLessThan(0.85);
        expect(differenceFromUsual(({ ring }) => total(ring, 'sleep_respiratory_rate'))).toBeGreaterThan(1.2);
        expect(differenceFromUsual(({ ring }) => total(ring, 'sleep_latency'))).toBeGreaterThan(5);
        expect(share(({ phone }) => sumOf(phone, 'steps'))).toBeLessThan(0.6);
        expect(share(({ phone }) => total(phone, 'dietary_energy'))).toBeLessThan(0.85);
        expect(ill.ring.workouts).toEqual([]);
      }
      const nights = [-2, -1, 0].map(day).map(({ ring }) => night(ring)?.asleep_minutes ?? 0);
      lessSlept.push(usual(({ ring }) => night(ring)?.asleep_minutes ?? 0) - mean(nights));
    });
    expect(mean(lessSlept)).toBeGreaterThan(0);
  });

  test('is over three days after the user was created', () =>
    everyLife(
      'ill',
      (day) => {
        const pulse = (days: number[]) => mean(days.map(day).map(({ ring }) => total(ring, 'resting_heart_rate')));
        expect(Math.abs(pulse(span(3, 16)) - pulse(span(-16, -3)))).toBeLessThan(3);
        expect(span(3, 9).flatMap((each) => day(each).ring.workouts).length).toBeGreaterThan(0);
      },
      6,
    ));
});

describe('device_swap', () => {
  test('the ring reports every day until three days before, and none after, where the watch begins', () =>
    everyLife('device_swap', (day) => {
      for (const back of [-21, -10, -5, -4]) {
        expect(total(day(back).ring, 'resting_heart_rate')).toBeGreaterThan(0);
        expect([...day(back).watch.samples, ...day(back).watch.daily, ...day(back).watch.sleep]).toEqual([]);
      }
      for (const back of [-3, -2, -1, 0, 1, 40]) {
        expect(total(day(back).watch, 'resting_heart_rate')).toBeGreaterThan(0);
        expect(night(day(back).watch)?.asleep_minutes).toBeGreaterThan(180);
        expect([...day(back).ring.samples, ...day(back).ring.daily, ...day(back).ring.sleep]).toEqual([]);
      }
    }));

  test('the watch reports another level of the same heart rate, and the phone reports none', () => {
    // For one user, two good weeks may follow two bad ones, but not for several users together.
    const [ratios, drops]: [number[], number[]] = [[], []];
    everyLife(
      'device_swap',
      (day) => {
        const [before, after] = [span(-17, -4).map(day), span(-3, 10).map(day)];
        const level = (days: Day[], device: 'ring' | 'watch', metric: string) =>
          mean(days.map((each) => total(each[device], metric)));
        const hrv = (days: Day[], device: 'ring' | 'watch') => level(days, device, 'heart_rate_variability_rmssd');
        ratios.push(hrv(after, 'watch') / hrv(before, 'ring'));
        const rate = (days: Day[], device: 'ring' | 'watch') => level(days, device, 'resting_heart_rate');
        drops.push(rate(before, 'ring') - rate(after, 'watch'));
        for (const { phone } of [...before, ...after]) expect(sumOf(phone, 'heart_rate_variability')).toBe(0);
      },
      6,
    );
    expect(mean(ratios)).toBeGreaterThan(1.2);
    expect(mean(drops)).toBeGreaterThan(2);
  });

  test('the watch reports only metrics of its provider', () =>
    everyLife('device_swap', (day) => {
      const { samples, daily } = day(0).watch;
      const reported = new Set([...samples, ...daily].map(({ metric }) => metric));
      expect([...reported].filter((metric) => !new Set<string>(garmin.metrics).has(metric))).toEqual([]);
      expect(reported.has('sleep_heart_rate_variability')).toBe(true);
    }));

  test('no other persona has a watch', () => {
    for (const persona of personaIds.filter((each) => each !== 'device_swap')) {
      expect(listPersonaDevices(persona)).toEqual(persona === 'empty' ? [] : ['ring', 'phone']);
      everyLife(persona, (day) => expect([...day(0).watch.samples, ...day(0).watch.daily]).toEqual([]), 2);
    }
  });
});

describe('incomplete_log', () => {
  test('one day in four is logged completely, today and yesterday are not', () =>
    everyLife('incomplete_log', (day) => {
      const share = (back: number) =>
        total(day(back).phone, 'dietary_energy') / total(day(back).phone, 'total_calories');
      const complete = span(-14, 13).filter((back) => share(back) > 0.7);
      expect(complete).toEqual([-14, -10, -6, -2, 2, 6, 10]);
      for (const back of span(-14, 13).filter((each) => !complete.includes(each))) {
        expect(share(back)).toBeGreaterThan(0.05);
        expect(share(back)).toBeLessThan(0.4);
      }
    }));
});

describe('ages', () => {
  const days = (persona: SandboxPersona): Day[] => {
    const all: Day[] = [];
    everyLife(persona, (day) => all.push(...span(-14, 13).map(day)), 4);
    return all;
  };
  const average = (all: Day[], of: (day: Day) => number): number => mean(all.map(of));

  test('a child sleeps ten hours, has a higher heart rate and respiration, and weighs little', () => {
    const child = days('child');
    expect(average(child, ({ ring }) => night(ring)?.asleep_minutes ?? 0)).toBeGreaterThan(550);
    expect(average(child, ({ ring }) => total(ring, 'sleep_respiratory_rate'))).toBeGreaterThan(17.5);
    expect(average(child, ({ ring }) => total(ring, 'resting_heart_rate'))).toBeGreaterThan(74);
    expect(average(child, ({ phone }) => sumOf(phone, 'weight'))).toBeLessThan(33);
  });

  test('an older user takes long to fall asleep, has less deep sleep and moves less than average', () => {
    const [older, others] = [days('older'), days('average')];
    const deep = ({ ring }: Day) => (night(ring)?.deep_minutes ?? 0) / (night(ring)?.asleep_minutes ?? 1);
    const steps = ({ phone }: Day) => sumOf(phone, 'steps');
    expect(average(older, ({ ring }) => total(ring, 'sleep_latency'))).toBeGreaterThan(30);
    expect(average(older, deep)).toBeLessThan(0.75 * average(others, deep));
    expect(average(older, steps)).toBeLessThan(0.85 * average(others, steps));
  });
});
