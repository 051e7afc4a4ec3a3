import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  computeSleepDayMetrics,
  efficiencyPct,
  findMainSleep,
  type StoredSleep,
} from '../../../shared/measurements/sleep.ts';

const hour = 3_600_000;

const unknown = {
  asleepMinutes: null,
  deepMinutes: null,
  lightMinutes: null,
  remMinutes: null,
  awakeMinutes: null,
  inBedMinutes: null,
};
const night = (id: string, startHour: number, hours: number, more: Partial<StoredSleep> = {}): StoredSleep => ({
  id,
  startMs: startHour * hour,
  endMs: (startHour + hours) * hour,
  receivedMs: 0,
  ...unknown,
  ...more,
});

describe("a day's sleep", () => {
  test('adds up what the sessions report and leaves out what none reported', () => {
    const sessions = [
      night('a', 0, 8, { asleepMinutes: 420, inBedMinutes: 480, deepMinutes: 80, remMinutes: 90 }),
      night('b', 12, 1, { asleepMinutes: 50, deepMinutes: 0 }),
    ];
    expect(computeSleepDayMetrics(sessions)).toEqual({
      asleep: 470,
      longest_sleep: 420,
      time_in_bed: 480,
      deep_sleep: 80,
      rem_sleep: 90,
      restorative_sleep: 170,
      sleep_efficiency: 87.5,
    });
  });

  test('counts a night that is reported twice once, as it was reported last', () => {
    const first = night('a', 0, 8, { asleepMinutes: 420, remMinutes: 90 });
    const again = night('b', 0, 7.5, { asleepMinutes: 400, receivedMs: 5 });
    expect(computeSleepDayMetrics([first, again])).toEqual({ asleep: 400, longest_sleep: 400 });
    expect(computeSleepDayMetrics([again, first])).toEqual({ asleep: 400, longest_sleep: 400 });
  });

  test('counts sessions that barely overlap as two', () => {
    const first = night('a', 0, 4, { asleepMinutes: 200 });
    const second = night('b', 3.9, 3, { asleepMinutes: 170 });
    expect(computeSleepDayMetrics([first, second])).toEqual({ asleep: 370, longest_sleep: 200 });
  });

  test('has the efficiency of its longest sleep, regardless of naps', () => {
    const slept = night('a', 0, 8, { asleepMinutes: 432, inBedMinutes: 480 });
    const nap = night('b', 12, 2, { asleepMinutes: 60, inBedMinutes: 120 });
    for (const sessions of [
      [slept, nap],
      [nap, slept],
    ])
      expect(computeSleepDayMetrics(sessions)).toMatchObject({ asleep: 492, longest_sleep: 432, sleep_efficiency: 90 });
  });

  test('has no efficiency if its longest sleep reports no minutes, even if a nap does', () => {
    const nap = night('b', 12, 1, { asleepMinutes: 60, inBedMinutes: 60 });
    for (const more of [{}, { inBedMinutes: 480 }, { deepMinutes: 60 }])
      expect(computeSleepDayMetrics([night('a', 0, 8, more), nap]).sleep_efficiency).toBeUndefined();
    expect(computeSleepDayMetrics([night('a', 0, 8, {}), nap])).toEqual({
      asleep: 60,
      longest_sleep: 60,
      time_in_bed: 60,
    });
  });

  test('has no efficiency if only its naps report the time in bed', () => {
    const sessions = [
      night('a', 0, 8, { asleepMinutes: 420 }),
      night('b', 12, 1, { asleepMinutes: 50, inBedMinutes: 55 }),
    ];
    expect(computeSleepDayMetrics(sessions)).toEqual({ asleep: 470, longest_sleep: 420, time_in_bed: 55 });
  });

  test('takes the earlier of two equally long sleeps as the longest', () => {
    const first = night('z', 0, 4, { asleepMinutes: 200, inBedMinutes: 240 });
    const second = night('a', 10, 4, { asleepMinutes: 220, inBedMinutes: 240 });
    for (const sessions of [
      [first, second],
      [second, first],
    ])
      expect(computeSleepDayMetrics(sessions).longest_sleep).toBe(200);
  });

  test('has a longest sleep even if it has only naps', () => {
    const naps = [night('a', 12, 1, { asleepMinutes: 50 }), night('b', 16, 0.5, { asleepMinutes: 20 })];
    expect(computeSleepDayMetrics(naps)).toEqual({ asleep: 70, longest_sleep: 50 });
  });

  test('of a night without sleep has zero minutes rather than none', () => {
    expect(computeSleepDayMetrics([night('a', 0, 4, { asleepMinutes: 0, inBedMinutes: 240 })])).toMatchObject({
      longest_sleep: 0,
      sleep_efficiency: 0,
    });
  });

  test('is empty without sessions', () => {
    expect(computeSleepDayMetrics([])).toEqual({});
    expect(computeSleepDayMetrics([night('a', 0, 8)])).toEqual({});
  });

  test('of separate nights is the sum of each reported field, in any order', () => {
    const minutes = fc.option(fc.nat({ max: 300 }));
    const anyNight = fc.record({
      asleepMinutes: minutes,
      deepMinutes: minutes,
      lightMinutes: minutes,
      remMinutes: minutes,
      awakeMinutes: minutes,
      inBedMinutes: minutes,
    });
    fc.assert(
      fc.property(fc.array(anyNight, { maxLength: 4 }), (fields) => {
        const sessions = fields.map((each, index) => night(`n${index}`, index * 5, 4, each));
        const day = computeSleepDayMetrics(sessions);
        const sum = (field: keyof (typeof fields)[number]) => {
          const reported = fields.map((each) => each[field]).filter((value) => value !== null);
          return reported.length === 0 ? undefined : reported.reduce((a, b) => a + b, 0);
        };
        expect([day.asleep, day.time_in_bed, day.time_awake]).toEqual([
          sum('asleepMinutes'),
          sum('inBedMinutes'),
          sum('awakeMinutes'),
        ]);
        expect([day.light_sleep, day.deep_sleep, day.rem_sleep]).toEqual([
          sum('lightMinutes'),
          sum('deepMinutes'),
          sum('remMinutes'),
        ]);
        expect('restorative_sleep' in day).toBe(day.deep_sleep !== undefined && day.rem_sleep !== undefined);
        expect(computeSleepDayMetrics(sessions.toReversed())).toEqual(day);
        expect(Object.values(day)).not.toContain(undefined);
      }),
    );
  });
});

describe('efficiency', () => {
  test.each([
    [420, 480, 87.5],
    [1, 3, 33.333333333333],
    [0, 480, 0],
    [481, 480, 100],
    [null, 480, null],
    [420, null, null],
    [0, 0, null],
  ])('of %s minutes asleep in %s minutes in bed is %s', (asleep, inBed, percent) => {
    expect(efficiencyPct(asleep, inBed)).toBe(percent);
  });
});

describe('the main sleep', () => {
  const main = (sessions: StoredSleep[], zone: string | null = null) => findMainSleep(sessions, zone)?.id;
  test('is the longest of its day if it lasts more than three hours', () => {
    expect(main([night('nap', 13, 1), night('night', 0, 7)])).toBe('night');
    expect(main([night('nap', 13, 3)])).toBeUndefined();
    expect(main([night('nap', 13, 3.01)])).toBe('nap');
    expect(main([])).toBeUndefined();
  });
  test('is the earlier of two equally long ones', () => {
    expect(main([night('later', 9, 4), night('earlier', 1, 4)])).toBe('earlier');
  });
  test.each([
    ['two and a half hours at night', 2, 2.5, true],
    ['an hour around 22:00', 21.5, 1, true],
    ['an hour around 21:59:59', 21.5 - 1 / 3600, 1, false],
    ['an hour around 07:00', 6.5, 1, true],
    ['an hour around 07:00:01', 6.5 + 1 / 3600, 1, false],
    ['a second less than an hour at night', 2, 1 - 1 / 3600, false],
    ['three hours around midday', 10.5, 3, false],
  ])('is short only at night: %s', (_name, startHour, hours, isMain) => {
    expect(main([night('only', startHour, hours)])).toBe(isMain ? 'only' : undefined);
  });
  test('follows the clock of the time zone', () => {
    const sleep = [night('only', 14, 2)];
    expect(main(sleep)).toBeUndefined();
    expect(main(sleep, 'Asia/Tokyo')).toBe('only');
  });
  test('is missing if the longest session of the day is a nap', () => {
    expect(main([night('nap', 13, 2), night('night', 2, 1.5)])).toBeUndefined();
  });
});
