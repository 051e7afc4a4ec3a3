import { expect, test } from 'vitest';
import { normalizePages } from '../../../harness/request-flow.ts';

const requestedDays = { from: '2026-03-10', to: '2026-03-12' };
function normalized(text: string, timeZone: string | null = null) {
  return normalizePages('coros', [{ resource: 'sport', text, parameter: '2026-03-09' }], {
    requested: requestedDays,
    timeZone,
    receivedMs: Date.parse('2026-03-20T00:00:00Z'),
  });
}
const reply = (...workouts: unknown[]) => JSON.stringify({ result: '0000', message: 'OK', data: workouts });

/** The run takes 3,100 s from start to end, 3,000 s of them active. */
const run = {
  labelId: '437265198870126594',
  mode: 8,
  subMode: 1,
  deviceName: 'COROS PACE 3',
  distance: 10_012.0,
  duration: 3000,
  startTime: 1_773_216_000,
  endTime: 1_773_219_100,
  startTimezone: 8,
  endTimezone: 8,
  calorie: 604_000,
  avgSpeed: 300,
  avgFrequency: 172,
  step: 8500,
  fitUrl: 'https://oss.coros.com/x?sig',
};
const span = { startMs: 1_773_216_000_000, endMs: 1_773_219_100_000, offsetMinutes: 120 };

test('a workout with a pause lasts from start to end, and its exercise minutes are the active ones', () => {
  const { records, rejected } = normalized(reply(run));
  expect(rejected.count).toBe(0);
  expect(records.workouts).toEqual([
    {
      ...span,
      sourceId: '437265198870126594',
      type: 'running',
      sourceType: '8/1',
      name: null,
      calories: 604,
      distanceKm: 10.012,
      avgHeartRate: null,
      maxHeartRate: null,
      elevationMeters: null,
      steps: 8500,
      heartRate: null,
    },
  ]);
  expect(records.samples).toEqual([
    { metric: 'running', value: 10.012, original: { value: 10_012, unit: 'm' }, ...span },
    { metric: 'exercise', value: 50, ...span },
  ]);
});

test('a numeric id keeps every digit, and an id inside a string is left alone', () => {
  const text = reply(run)
    .replace('"437265198870126594"', ' 437265198870126594')
    .replace('COROS PACE 3', 'say \\"labelId\\":12');
  expect(normalized(text).records.workouts.map(({ sourceId }) => sourceId)).toEqual(['437265198870126594']);
});

test('two ids that are equal as doubles are two workouts', () => {
  const text = reply(run, {
    ...run,
    startTime: run.startTime + 7200,
    endTime: run.endTime + 7200,
    labelId: '437265198870126595',
  }).replaceAll(/"(\d{18})"/g, '$1');
  expect(text).toContain('"labelId":437265198870126595');
  expect(normalized(text).records.workouts).toHaveLength(2);
});

test.each([
  [604_000, 604],
  // 0.012 and 201 kcal a minute indicate another unit.
  [600, null],
  [10_050_000, null],
  [0, null],
  [null, null],
])('an energy of %s is %s kcal', (calorie, kcal) => {
  expect(normalized(reply({ ...run, calorie })).records.workouts[0]?.calories).toBe(kcal);
});

test.each([
  [8, 2, 'indoor_running', 'indoor_running'],
  [9, 1, 'cycling', 'cycling'],
  [9, 2, 'indoor_cycling', 'indoor_cycling'],
  [10, 1, 'swimming', 'swimming'],
  [15, 1, 'trail_running', 'running'],
  [16, 1, 'hiking', 'walking'],
  [31, null, 'walking', 'walking'],
  [42, 1, 'yoga', 'exercise'],
  [777, 1, 'other', 'exercise'],
  [null, null, 'other', 'exercise'],
])('mode %s, %s is %s, and the first metric it adds to is %s', (mode, subMode, type, metric) => {
  const { records } = normalized(reply({ ...run, mode, subMode }));
  expect([records.workouts[0]?.type, records.samples[0]?.metric]).toEqual([type, metric]);
});

test("the day of a workout is that of its start in the user's zone, regardless of the watch's offset", () => {
  // 2026-03-13T02:00Z is the evening of the 12th in New York.
  const late = { ...run, startTime: 1_773_367_200, endTime: 1_773_370_800 };
  for (const startTimezone of [-20, 8, null]) {
    const text = reply({ ...late, startTimezone });
    expect(normalized(text, 'America/New_York').records.workouts).toMatchObject([
      { offsetMinutes: startTimezone === null ? null : startTimezone * 15 },
    ]);
    expect(normalized(text).records.workouts).toEqual([]);
  }
});

test('a multisport workout is one workout, and its parts add to the days of their sports', () => {
  const triathlon = {
    ...run,
    mode: 13,
    triathlonItemList: [
      { mode: 10, subMode: 1, distance: 1500, startTime: run.startTime, endTime: run.startTime + 1000 },
      { mode: 9, subMode: 1, fitUrl: 'x' },
      { mode: 8, subMode: 1, distance: 5000, startTime: run.startTime + 2000, duration: 900 },
      'nothing',
    ],
  };
  const { records, rejected } = normalized(reply(triathlon));
  expect(records.workouts).toMatchObject([{ type: 'multisport', distanceKm: 10.012 }]);
  expect(records.samples.map(({ metric, value }) => [metric, value])).toEqual([
    ['exercise', 50],
    ['swimming', 1500],
    ['running', 5],
  ]);
  expect(rejected.first).toMatchObject([{ path: 'pages.0.0.triathlonItemList.3' }]);
});

test('an edited workout keeps its id, one without an id is rejected, and one without an end lasts its active duration', () => {
  const { endTime: _, ...open } = run;
  const { records, rejected } = normalized(reply(run, { ...run, labelId: null }, { ...open, distance: 0, step: 0 }));
  expect(records.workouts).toMatchObject([{ endMs: span.startMs + 3_000_000, distanceKm: null, steps: null }]);
  expect(rejected.first).toMatchObject([{ path: 'pages.0.1.labelId', code: 'invalid_record' }]);
});
