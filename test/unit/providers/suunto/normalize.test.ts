import { expect, test } from 'vitest';
import { workoutDistanceMetrics } from '../../../../shared/catalog/workout-types.ts';
import { normalizeSuunto } from '../../../../shared/providers/suunto/normalize.ts';

const requestedDays = { from: '2026-05-12', to: '2026-05-13' };
const page = (resource: string, body: unknown, parameter?: string) => ({
  resource,
  text: JSON.stringify(body),
  ...(parameter ? { parameter } : {}),
});
function normalized(
  pages: object[],
  window: typeof requestedDays | null = requestedDays,
  received = '2026-05-20T00:00:00Z',
) {
  const raw = Buffer.from(JSON.stringify({ requested: window, pages }));
  return normalizeSuunto(raw, { receivedMs: Date.parse(received), scopes: [], timeZone: 'Europe/Madrid' });
}
const valuesOf = ({ records }: ReturnType<typeof normalized>) => ({
  daily: records.daily.map(({ metric, date, value }) => [metric, date, value]),
  samples: records.samples.map(({ metric, value }) => [metric, value]),
});

test('activity values are converted to our units, and missing values are skipped', () => {
  const at = '2026-05-13T10:20:00.000+02:00';
  const startMs = Date.parse(at);
  const { records } = normalized([
    page('activity', [
      {
        timestamp: at,
        entryData: {
          HR: 74,
          HRExt: { Min: 66, Max: 91 },
          StepCount: 240,
          EnergyConsumption: 52_000,
          SpO2: 0.96,
          Altitude: 80,
          HRV: 38,
        },
      },
    ]),
  ]);
  const moment = { startMs, endMs: startMs, offsetMinutes: 120 };
  expect(records.samples).toEqual([
    { metric: 'heart_rate', value: 74, ...moment },
    { metric: 'min_heart_rate', value: 66, ...moment },
    { metric: 'max_heart_rate', value: 91, ...moment },
    { metric: 'blood_oxygen', value: 96, original: { value: 0.96, unit: 'fraction' }, ...moment },
    { metric: 'heart_rate_variability_rmssd', value: 38, ...moment },
    { metric: 'steps', value: 240, startMs, endMs: startMs + 600_000, offsetMinutes: 120 },
  ]);
});

test('entries with the same time are merged, heart rates per second are converted, and zero counts as not measured', () => {
  const timestamp = '2026-05-13T10:20:00.000+02:00';
  const values = valuesOf(
    normalized([
      page('activity', [
        { timestamp, entryData: { HR: 1.2, StepCount: 10, HRV: 0 } },
        { timestamp, entryData: { HR: null, StepCount: 12, SpO2: 0 } },
        { timestamp: '2026-05-13T10:30:00.000+02:00', entryData: {} },
        { timestamp: '2026-05-13T10:40:00.000+02:00', entryData: { SpO2: 97 } },
      ]),
    ]),
  );
  expect(values.samples).toEqual([
    ['heart_rate', 72],
    ['steps', 12],
    ['blood_oxygen', 97],
  ]);
});

test('statistics are sums in steps and kcal on the day they mostly cover, without averages, strings and missing values', () => {
  const samples = (...values: [string, unknown][]) => [
    { Name: 'suunto-247-a', Samples: values.map(([TimeISO8601, Value]) => ({ TimeISO8601, Value })) },
  ];
  const values = valuesOf(
    normalized([
      page(
        'statistics',
        [
          {
            Name: 'stepcount',
            Aggregation: 'sum',
            Sources: samples(
              ['2026-05-11T22:00:00.000', null],
              ['2026-05-11T22:00:00.000', 7312],
              ['2026-05-12T22:00:00.000', '4617'],
              ['2026-05-12T22:00:00.000', null],
              ['2026-05-13T22:00:00.000', 99],
            ),
          },
          { Name: 'stepcount', Aggregation: 'avg', Sources: samples(['2026-05-11T22:00:00.000', 5]) },
          { Name: 'energyconsumption', Aggregation: 'sum', Sources: samples(['2026-05-12T22:00:00.000', 640_580]) },
          { Name: 'somethingnew', Aggregation: 'sum', Sources: null },
        ],
        'Europe/Madrid',
      ),
    ]),
  );
  // 640,580 J / 4,184. The 14th was not requested.
  expect(values.daily.map(([metric, date, value]) => [metric, date, Number(value).toFixed(3)])).toEqual([
    ['steps', '2026-05-12', '7312.000'],
    ['steps', '2026-05-13', '4617.000'],
    ['active_calories', '2026-05-13', '153.102'],
  ]);
});

test('two watches on one day do not count twice', () => {
  const day = (Value: number) => ({ Samples: [{ TimeISO8601: '2026-05-11T22:00:00.000', Value }] });
  const Sources = [day(5000), day(7000), day(6000)];
  const { daily } = valuesOf(
    normalized([page('statistics', [{ Name: 'stepcount', Aggregation: 'sum', Sources }], 'Europe/Madrid')]),
  );
  expect(daily).toEqual([['steps', '2026-05-12', 7000]]);
});

test.each([
  // In UTC, midnight in Madrid is an hour earlier after the change on 29 March, and an hour later
  // after the change on 25 October. The response continues with the UTC hour of the requested
  // start.
  ['2026-03-28', ['2026-03-27T23', '2026-03-28T23', '2026-03-29T23'], ['2026-03-28', '2026-03-29', '2026-03-30']],
  ['2026-10-24', ['2026-10-23T22', '2026-10-24T22', '2026-10-25T22'], ['2026-10-24', '2026-10-25', '2026-10-26']],
])('a clock change in the days from %s moves no day', (from, hours, dates) => {
  const Samples = hours.map((hour, at) => ({ TimeISO8601: `${hour}:00:00.000`, Value: 1000 + at }));
  const body = [{ Name: 'stepcount', Aggregation: 'sum', Sources: [{ Samples }] }];
  const window = { from, to: dates.at(-1) ?? from };
  const normalizedDays = normalized([page('statistics', body, 'Europe/Madrid')], window, '2026-11-01T00:00:00Z');
  expect(valuesOf(normalizedDays).daily).toEqual(dates.map((date, at) => ['steps', date, 1000 + at]));
});

test('while a day is in progress, its steps are those of its samples', () => {
  const statistics = page(
    'statistics',
    [
      {
        Name: 'stepcount',
        Aggregation: 'sum',
        Sources: [
          {
            Samples: [
              { TimeISO8601: '2026-05-11T22:00:00.000', Value: 7312 },
              { TimeISO8601: '2026-05-12T22:00:00.000', Value: 300 },
            ],
          },
        ],
      },
    ],
    'Europe/Madrid',
  );
  const activity = page('activity', [{ timestamp: '2026-05-13T10:20:00.000+02:00', entryData: { StepCount: 240 } }]);
  const noon = '2026-05-13T12:00:00Z';
  expect(valuesOf(normalized([activity, statistics], requestedDays, noon)).daily).toEqual([
    ['steps', '2026-05-12', 7312],
  ]);
  expect(valuesOf(normalized([statistics], requestedDays, noon)).daily).toEqual([
    ['steps', '2026-05-12', 7312],
    ['steps', '2026-05-13', 300],
  ]);
});

test('a window covers what was answered, and nothing else', () => {
  const covered = (...pages: object[]) => normalized(pages).records.covered;
  const workouts = page('workouts', { error: null, payload: [] });
  expect(covered(page('sleep', []), page('activity', []), page('statistics', [], 'UTC'), workouts)).toEqual([
    {
      ...requestedDays,
      sleep: true,
      workouts: true,
      daily: ['steps', 'active_calories'],
      samples: [
        'heart_rate',
        'max_heart_rate',
        'blood_oxygen',
        'heart_rate_variability_rmssd',
        'steps',
        'min_heart_rate',
        'exercise',
        ...workoutDistanceMetrics,
      ],
    },
  ]);
  expect(covered(page('sleep', []))).toEqual([{ ...requestedDays, sleep: true, daily: [], samples: [] }]);
  // The lowest heart rate may be part of a night, which was not answered.
  expect(covered(page('activity', []))).toEqual([
    {
      ...requestedDays,
      daily: [],
      samples: ['heart_rate', 'max_heart_rate', 'blood_oxygen', 'heart_rate_variability_rmssd', 'steps'],
    },
  ]);
  expect(covered()).toBeUndefined();
  expect(normalized([page('sleep', [])], null).records.covered).toBeUndefined();
});

test('data outside the requested days is left out of a window and stored from a push', () => {
  const item = { timestamp: '2026-05-14T10:20:00.000+02:00', entryData: { HR: 70 } };
  expect(normalized([page('activity', [item])]).records.samples).toEqual([]);
  expect(normalized([page('activity', [item])], null).records.samples).toHaveLength(1);
});

test('an invalid item does not affect the others', () => {
  const good = { timestamp: '2026-05-13T10:20:00.000+02:00', entryData: { HR: 70 } };
  const { records, rejected } = normalized([
    page('activity', [
      { timestamp: 5 },
      good,
      { timestamp: 'yesterday', entryData: { HR: 71 } },
      { ...good, timestamp: '2026-05-13T10:30:00.000+02:00', entryData: { HR: 999 } },
    ]),
  ]);
  expect(records.samples).toHaveLength(1);
  expect(rejected.first.map(({ path, code }) => [path, code])).toEqual([
    ['pages.0.0.timestamp', 'invalid_record'],
    ['pages.0.2.timestamp', 'invalid_time'],
    ['pages.0.3.heart_rate', 'implausible_value'],
  ]);
});
