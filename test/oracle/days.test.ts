// The day rules on cases worked out by hand, and properties of all scenarios.
import { describe, expect, test } from 'vitest';
import { isSumOfSteps } from './compare-sums.ts';
import { dayValue } from './day-value.ts';
import type { DayRule } from './days.ts';
import { expectedColumn } from './expected-series.ts';
import { expectedNights, visibleWorkouts } from './expected-sessions.ts';
import { makeScenario } from './make-scenario.ts';
import { metricOf } from './metric-table.ts';
import { applyProfile, applyUpload, type ModelUser, newModelUser } from './model-user.ts';
import { compare, round, sum } from './rational.ts';
import { mergedMetrics } from './rules.ts';
import type { Scenario, WireNight, WireSample, WireUpload, WireWorkout } from './scenario.ts';
import { createView } from './view.ts';
import { datesBetween } from './zone-clock.ts';

type Lists = Partial<Pick<WireUpload, 'samples' | 'daily' | 'sleep' | 'workouts'>>;
function upload(user: ModelUser, lists: Lists, zone = 'Asia/Tokyo', model = 'ring'): void {
  const type = model === 'phone' ? 'phone' : 'ring';
  const body = { time_zone: zone, device: { name: '', model, type }, ...lists } as const;
  applyUpload(user, 'apple_health', body).id = `dev_${model}`;
}
function createUserIn(timezone: string | null, lists: Lists, rule: DayRule = 'profile'): ModelUser {
  const user = newModelUser(timezone ?? 'UTC', rule);
  upload(user, lists);
  if (timezone === null) applyProfile(user, { timezone });
  return user;
}
const stepsSample = (
  start: string,
  end: string | undefined,
  value: number,
  more: Partial<WireSample> = {},
): WireSample => ({
  metric: 'steps',
  start,
  ...(end === undefined ? {} : { end }),
  value,
  unit: 'count',
  ...more,
});
/** A night of eight hours, six of them asleep. */
function nightUntil(end: string, more: Partial<WireNight> = {}): WireNight {
  const start = new Date(Date.parse(end) - 8 * 3_600_000).toISOString();
  return { start, end, asleep_minutes: 360, ...more };
}
const runWorkout = (start: string, end: string, more: Partial<WireWorkout> = {}): WireWorkout => ({
  type: 'running',
  start,
  end,
  ...more,
});
/** The days that have a value, with their values. */
function valuesOf(user: ModelUser, metric = 'steps', from = '2011-12-25', to = '2012-01-05'): Record<string, number> {
  const view = createView(user);
  const found = datesBetween(from, to).flatMap((date) => {
    const day = dayValue(view, metric, date);
    return day ? [[date, round(day.value, metricOf(metric).precision)]] : [];
  });
  return Object.fromEntries(found);
}
const valuesInJune = (user: ModelUser, metric = 'steps') => valuesOf(user, metric, '2025-06-10', '2025-06-20');
const nightsOf = (user: ModelUser): string[] =>
  expectedNights(createView(user), '2000-01-01', '2027-01-01').map(({ date, end_time }) => `${date} ${end_time}`);
const workoutDates = (user: ModelUser): string[] =>
  visibleWorkouts(createView(user), '2000-01-01', '2027-01-01').map(({ date }) => date);

describe('a night counts on the local day it ends', () => {
  test.each([
    ['America/New_York', '2026-11-10T18:30:00Z', '2026-11-10T13:30:00'],
    ['America/New_York', '2026-11-10T05:00:00Z', '2026-11-10T00:00:00'],
    ['America/New_York', '2026-11-10T04:59:59Z', '2026-11-09T23:59:59'],
    [null, '2026-11-10T23:59:59Z', '2026-11-10T23:59:59'],
    [null, '2026-11-11T00:00:00Z', '2026-11-11T00:00:00'],
    ['Pacific/Kiritimati', '2026-11-10T09:59:59Z', '2026-11-10T23:59:59'],
    ['Pacific/Kiritimati', '2026-11-10T10:00:00Z', '2026-11-11T00:00:00'],
    ['Pacific/Pago_Pago', '2026-11-10T10:59:59Z', '2026-11-09T23:59:59'],
    ['Pacific/Pago_Pago', '2026-11-10T11:00:00Z', '2026-11-10T00:00:00'],
    // The clocks go forward at 02:00 and back at 03:00.
    ['Europe/Berlin', '2025-03-30T01:00:00Z', '2025-03-30T03:00:00'],
    ['Europe/Berlin', '2025-10-26T00:30:00Z', '2025-10-26T02:30:00'],
    ['Europe/Berlin', '2025-10-26T01:30:00Z', '2025-10-26T02:30:00'],
    ['Europe/Berlin', '2025-10-26T22:59:59Z', '2025-10-26T23:59:59'],
    // This day begins at 01:00.
    ['Africa/Cairo', '2025-04-24T21:59:59Z', '2025-04-24T23:59:59'],
    ['Africa/Cairo', '2025-04-24T22:00:00Z', '2025-04-25T01:00:00'],
    // The last hour of this day occurs twice.
    ['America/Santiago', '2025-04-06T03:30:00Z', '2025-04-05T23:30:00'],
    ['America/Santiago', '2025-04-06T04:00:00Z', '2025-04-06T00:00:00'],
    // The 30th was skipped.
    ['Pacific/Apia', '2011-12-30T09:59:59Z', '2011-12-29T23:59:59'],
    ['Pacific/Apia', '2011-12-30T10:00:00Z', '2011-12-31T00:00:00'],
  ])('in %s, a night that ends at %s ends at %s local time', (zone, end, clock) => {
    const offsets = [{}, { utc_offset: '+13:00' }, { utc_offset: '-11:00' }, { end: end.replace('Z', '+00:00') }];
    for (const more of offsets) {
      const user = createUserIn(zone, { sleep: [nightUntil(end, more)] });
      expect(nightsOf(user)).toEqual([`${clock.slice(0, 10)} ${clock}`]);
    }
  });

  test('its minutes, and the samples its device took during it, count on the same day', () => {
    const stage = (start: string, end: string, value: number): WireSample => ({
      ...stepsSample(start, end, value, { metric: 'deep_sleep', unit: 'min' }),
    });
    // In New York from 21:00 to 05:00. It contains the first three stages. The others end at 06:00,
    // 23:30 and 00:30.
    const user = createUserIn('America/New_York', {
      sleep: [nightUntil('2025-06-15T09:00:00Z', { utc_offset: '+13:00' })],
      samples: [
        stage('2025-06-15T01:00:00Z', '2025-06-15T02:00:00Z', 1),
        stage('2025-06-15T08:00:00Z', '2025-06-15T08:30:00Z', 2),
        stage('2025-06-15T08:30:00Z', '2025-06-15T09:20:00Z', 4),
        stage('2025-06-15T08:30:00Z', '2025-06-15T10:00:00Z', 8),
        stage('2025-06-16T02:30:00Z', '2025-06-16T03:30:00Z', 16),
        stage('2025-06-16T03:30:00Z', '2025-06-16T04:30:00Z', 32),
      ],
    });
    expect([valuesInJune(user, 'asleep'), valuesInJune(user, 'deep_sleep')]).toEqual([
      { '2025-06-15': 360 },
      { '2025-06-15': 31, '2025-06-16': 32 },
    ]);
  });
});

describe('cumulative samples are split where the profile’s day ends', () => {
  test.each([
    ['Europe/Berlin', '2025-06-15T21:00:00Z', '2025-06-15T23:00:00Z', { '2025-06-15': 50, '2025-06-16': 50 }],
    [null, '2025-06-15T21:00:00Z', '2025-06-15T23:00:00Z', { '2025-06-15': 100 }],
    [null, '2025-06-15T23:00:00Z', '2025-06-16T03:00:00Z', { '2025-06-15': 25, '2025-06-16': 75 }],
    ['Pacific/Kiritimati', '2025-06-15T09:00:00Z', '2025-06-15T14:00:00Z', { '2025-06-15': 20, '2025-06-16': 80 }],
    ['Pacific/Pago_Pago', '2025-06-15T09:00:00Z', '2025-06-15T14:00:00Z', { '2025-06-14': 40, '2025-06-15': 60 }],
    // From noon on the 14th to 13:00 on the 15th, Berlin time.
    ['Europe/Berlin', '2025-06-14T10:00:00Z', '2025-06-15T11:00:00Z', { '2025-06-14': 48, '2025-06-15': 52 }],
  ])('in %s from %s to %s', (zone, start, end, expected) => {
    for (const more of [{}, { utc_offset: '+13:00' }, { utc_offset: '-11:00' }])
      expect(valuesInJune(createUserIn(zone, { samples: [stepsSample(start, end, 100, more)] }))).toEqual(expected);
  });

  test('a day of 23 hours ends an hour earlier', () => {
    const samples = [stepsSample('2025-03-09T05:30:00Z', '2025-03-10T05:00:00Z', 2350)];
    const values = valuesOf(createUserIn('America/New_York', { samples }), 'steps', '2025-03-08', '2025-03-11');
    expect(values).toEqual({ '2025-03-09': 2250, '2025-03-10': 100 });
  });

  test('nothing counts on a day that the zone skips, except totals reported for it', () => {
    const samples = [stepsSample('2011-12-30T09:00:00Z', '2011-12-30T11:00:00Z', 100)];
    const user = createUserIn('Pacific/Apia', { samples });
    expect(valuesOf(user)).toEqual({ '2011-12-29': 50, '2011-12-31': 50 });
    upload(user, { daily: [{ date: '2011-12-30', metric: 'steps', value: 7, unit: 'count' }] });
    expect(valuesOf(user)).toEqual({ '2011-12-29': 50, '2011-12-30': 7, '2011-12-31': 50 });
  });

  test('instant samples, and readings of other metrics, count on the day they start', () => {
    const weight = { metric: 'weight', unit: 'kg' };
    const user = createUserIn('Europe/Berlin', {
      samples: [
        stepsSample('2025-06-15T21:59:59Z', undefined, 3, { utc_offset: '+13:00' }),
        stepsSample('2025-06-15T22:00:00Z', undefined, 5, { utc_offset: '-11:00' }),
        stepsSample('2025-06-15T21:59:00Z', '2025-06-15T23:00:00Z', 80, weight),
        stepsSample('2025-06-16T08:00:00+13:00', undefined, 81, weight),
      ],
      workouts: [
        runWorkout('2025-06-15T21:59:00Z', '2025-06-15T23:00:00Z'),
        runWorkout('2025-06-17T12:00:00+14:00', '2025-06-17T13:00:00+14:00'),
      ],
    });
    expect([valuesInJune(user), valuesInJune(user, 'weight')]).toEqual([
      { '2025-06-15': 3, '2025-06-16': 5 },
      { '2025-06-15': 80 },
    ]);
    expect(workoutDates(user)).toEqual(['2025-06-17', '2025-06-15']);
  });
});

describe('the profile’s time zone', () => {
  /** 23:30 in Berlin, 06:30 the next morning in Tokyo. */
  const late: Lists = {
    samples: [stepsSample('2025-06-15T21:30:00Z', '2025-06-15T21:45:00Z', 100, { utc_offset: '+02:00' })],
    daily: [{ date: '2025-06-15', metric: 'steps', value: 5000, unit: 'count' }],
    sleep: [nightUntil('2025-06-15T21:30:00Z')],
    workouts: [runWorkout('2025-06-15T21:30:00Z', '2025-06-15T22:30:00Z')],
  };

  test('moves everything with a timestamp when it changes; daily totals stay', () => {
    const user = createUserIn('Europe/Berlin', late);
    const readAll = () => [valuesInJune(user), valuesInJune(user, 'asleep'), nightsOf(user), workoutDates(user)];
    const inBerlin = [
      { '2025-06-15': 5000 },
      { '2025-06-15': 360 },
      ['2025-06-15 2025-06-15T23:30:00'],
      ['2025-06-15'],
    ];
    expect(readAll()).toEqual(inBerlin);
    applyProfile(user, { timezone: 'Asia/Tokyo' });
    expect(readAll()).toEqual([
      { '2025-06-15': 5000, '2025-06-16': 100 },
      { '2025-06-16': 360 },
      ['2025-06-16 2025-06-16T06:30:00'],
      ['2025-06-16'],
    ]);
    applyProfile(user, { timezone: null });
    expect(readAll()).toEqual([
      { '2025-06-15': 5000 },
      { '2025-06-15': 360 },
      ['2025-06-15 2025-06-15T21:30:00'],
      ['2025-06-15'],
    ]);
    applyProfile(user, { timezone: 'Europe/Berlin' });
    expect(readAll()).toEqual(inBerlin);
  });

  test('is set by an upload if there is none, and never over one that a caller set', () => {
    const user = newModelUser(null);
    const named = () => [user.timezone, user.timezoneSource];
    expect(named()).toEqual([null, null]);
    upload(user, late, 'Asia/Tokyo');
    expect([named(), valuesInJune(user)]).toEqual([
      ['Asia/Tokyo', 'device'],
      { '2025-06-15': 5000, '2025-06-16': 100 },
    ]);
    upload(user, { samples: [stepsSample('2025-06-15T21:45:00Z', undefined, 1)] }, 'Europe/Berlin');
    expect([named(), valuesInJune(user)]).toEqual([
      ['Asia/Tokyo', 'device'],
      { '2025-06-15': 5000, '2025-06-16': 101 },
    ]);
    applyProfile(user, { timezone: 'UTC' });
    upload(user, {}, 'Asia/Tokyo');
    expect(named()).toEqual(['UTC', 'caller']);
    applyProfile(user, { timezone: null });
    expect(named()).toEqual([null, null]);
    upload(user, {}, 'Europe/Berlin');
    expect([named(), valuesInJune(user)]).toEqual([['Europe/Berlin', 'device'], { '2025-06-15': 5000 }]);
    applyProfile(user, { timezone: 'Europe/Berlin' });
    expect(named()).toEqual(['Europe/Berlin', 'caller']);
  });
});

describe('with the day rule `recorded`', () => {
  test('a night with an offset counts on the day where the user was; its times stay in the profile’s zone', () => {
    const sleep = [nightUntil('2026-11-10T18:30:00Z', { utc_offset: '+13:00' })];
    const user = createUserIn('America/New_York', { sleep }, 'recorded');
    expect(nightsOf(user)).toEqual(['2026-11-11 2026-11-10T13:30:00']);
    applyProfile(user, { day_rule: 'profile' });
    expect(nightsOf(user)).toEqual(['2026-11-10 2026-11-10T13:30:00']);
  });

  test.each<[string, Partial<WireNight>, string]>([
    ['no offset', {}, '2025-06-14'],
    ['a utc_offset', { utc_offset: '+09:00' }, '2025-06-15'],
    ['an offset in its end', { end: '2025-06-15T08:30:00+09:00' }, '2025-06-15'],
    ['a zero offset in its end', { end: '2025-06-14T23:30:00+00:00' }, '2025-06-14'],
    ['an offset only in its start', { start: '2025-06-15T00:30:00+09:00' }, '2025-06-14'],
    [
      'a utc_offset and another offset in its end',
      { end: '2025-06-15T08:30:00+09:00', utc_offset: '-05:00' },
      '2025-06-14',
    ],
  ])('a night with %s counts on the expected day', (_words, more, date) => {
    // At 18:30 in Chicago.
    const user = createUserIn('America/Chicago', { sleep: [nightUntil('2025-06-14T23:30:00Z', more)] }, 'recorded');
    expect(nightsOf(user)).toEqual([`${date} 2025-06-14T18:30:00`]);
  });

  test.each<[string, Partial<WireWorkout>, string]>([
    ['no offset', {}, '2025-06-14'],
    ['an offset in its start', { start: '2025-06-15T08:30:00+09:00' }, '2025-06-15'],
    ['an offset only in its end', { end: '2025-06-15T09:30:00+09:00' }, '2025-06-14'],
    [
      'a utc_offset and another offset in its start',
      { start: '2025-06-15T08:30:00+09:00', utc_offset: '+00:00' },
      '2025-06-14',
    ],
  ])('a workout and a reading with %s count on the expected day', (_words, more, date) => {
    const times = { start: '2025-06-14T23:30:00Z', end: '2025-06-15T00:30:00Z', ...more };
    const weight = { metric: 'weight', ...times, value: 80, unit: 'kg' };
    const user = createUserIn(
      'America/Chicago',
      { samples: [weight], workouts: [{ type: 'running', ...times }] },
      'recorded',
    );
    expect([workoutDates(user), valuesInJune(user, 'weight')]).toEqual([[date], { [date]: 80 }]);
  });

  test('a cumulative sample is split at midnight by its offset, or else in the profile’s zone', () => {
    const [start, end] = ['2025-06-15T21:00:00Z', '2025-06-15T23:00:00Z'];
    const user = createUserIn('Europe/Berlin', { samples: [stepsSample(start, end, 100)] }, 'recorded');
    expect(valuesInJune(user)).toEqual({ '2025-06-15': 50, '2025-06-16': 50 });
    upload(user, { samples: [stepsSample(start, end, 100, { utc_offset: '+00:00' })] });
    expect(valuesInJune(user)).toEqual({ '2025-06-15': 100 });
    upload(user, { samples: [stepsSample(start, end, 100, { utc_offset: '+02:30' })] });
    expect(valuesInJune(user)).toEqual({ '2025-06-15': 25, '2025-06-16': 75 });
  });

  test('a stage sample counts on its night’s day regardless of its own offset, or without a night on the day it ends by its offset', () => {
    const stage = (start: string, end: string, value: number, more: Partial<WireSample>) =>
      stepsSample(start, end, value, { metric: 'deep_sleep', unit: 'min', ...more });
    const user = createUserIn(
      'UTC',
      {
        sleep: [
          nightUntil('2025-06-15T09:00:00Z', { utc_offset: '+14:00' }),
          nightUntil('2025-06-17T20:00:00Z', { utc_offset: '+14:00' }),
        ],
        samples: [
          stage('2025-06-15T07:00:00Z', '2025-06-15T08:00:00Z', 1, { utc_offset: '-11:00' }),
          stage('2025-06-17T18:00:00Z', '2025-06-17T19:00:00Z', 2, { utc_offset: '-11:00' }),
          stage('2025-06-12T10:00:00Z', '2025-06-12T10:30:00Z', 4, { utc_offset: '-11:00' }),
          stage('2025-06-12T10:00:00Z', '2025-06-12T11:30:00Z', 8, { utc_offset: '-11:00' }),
        ],
      },
      'recorded',
    );
    expect(valuesInJune(user, 'deep_sleep')).toEqual({
      '2025-06-11': 4,
      '2025-06-12': 8,
      '2025-06-15': 1,
      '2025-06-18': 2,
    });
  });

  test('two devices compete for an hour, whichever day each counts it on', () => {
    const user = createUserIn('UTC', {}, 'recorded');
    const [start, end] = ['2025-06-15T10:00:00Z', '2025-06-15T12:00:00Z'];
    upload(user, { samples: [stepsSample(start, end, 60, { utc_offset: '+14:00' })] });
    upload(user, { samples: [stepsSample('2025-06-15T11:00:00Z', '2025-06-15T13:00:00Z', 80)] }, 'UTC', 'phone');
    expect(valuesInJune(user)).toEqual({ '2025-06-15': 40, '2025-06-16': 60 });
  });

  test('timeseries cover the profile’s day', () => {
    const samples = [stepsSample('2025-06-15T10:00:00Z', '2025-06-15T11:00:00Z', 60, { utc_offset: '+14:00' })];
    const user = createUserIn('Europe/Berlin', { samples }, 'recorded');
    const hours = () =>
      expectedColumn(createView(user), { metric: 'steps', date: '2025-06-15', resolution: '1h', imperial: false });
    const first = hours();
    expect([first.start, first.steps[12]?.value && round(first.steps[12].value, 0)]).toEqual([
      '2025-06-15T00:00:00',
      60,
    ]);
    expect(valuesInJune(user)).toEqual({ '2025-06-16': 60 });
    applyProfile(user, { day_rule: 'profile' });
    expect(hours()).toEqual(first);
  });
});

describe('for any scenario', () => {
  const scenarios = Array.from({ length: 15 }, (_none, at) => makeScenario(at));
  /** A user with everything that the scenario ever uploads, in the initial time zone. */
  function createModelUser({ profile, events }: Scenario, isNamed: boolean): ModelUser {
    const user = newModelUser(profile.timezone ?? 'Europe/Berlin');
    for (const event of events)
      if (event.kind === 'upload')
        applyUpload(user, event.provider, event.body).id = `dev_${event.provider} ${event.body.device.model}`;
    if (!isNamed) applyProfile(user, { timezone: null });
    return user;
  }

  test.each([
    ['with', true],
    ['without', false],
  ])('%s a time zone, hours add up to the day, and a night’s date is the date of its end', (_words, isNamed) => {
    let [days, nights] = [0, 0];
    for (const scenario of scenarios) {
      const view = createView(createModelUser(scenario, isNamed));
      for (const { date, end_time } of expectedNights(view, scenario.from, scenario.to)) {
        expect(end_time.slice(0, 10)).toBe(date);
        nights += 1;
      }
      for (const metric of mergedMetrics)
        for (const date of datesBetween(scenario.from, scenario.to)) {
          if (!isSumOfSteps(view, metric, date)) continue;
          const { steps } = expectedColumn(view, { metric, date, resolution: '1h', imperial: false });
          const values = steps.flatMap(({ value }) => value ?? []);
          const day = dayValue(view, metric, date);
          if (values.length === 0 && day === null) continue;
          days += 1;
          expect(day && compare(day.value, sum(values))).toBe(0);
        }
    }
    expect([days > 100, nights > 15]).toEqual([true, true]);
  });
});
