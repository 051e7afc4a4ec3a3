// The stages of Garmin's nights, from a list of intervals for each level.
import { expect, test } from 'vitest';
import type { StagePeriod } from '../../../../shared/measurements/records.ts';
import { normalizePages } from '../../../harness/request-flow.ts';

const startSeconds = 1_773_180_000;
const at = (minutes: number): number => startSeconds + minutes * 60;
const level = (from: number, to: number) => ({ startTimeInSeconds: at(from), endTimeInSeconds: at(to) });

/** An hour, of which 10 minutes awake. */
const night = {
  userId: 'ada',
  summaryId: 'n1',
  calendarDate: '2026-03-11',
  startTimeInSeconds: startSeconds,
  startTimeOffsetInSeconds: 3600,
  durationInSeconds: 3000,
  deepSleepDurationInSeconds: 1200,
  lightSleepDurationInSeconds: 1200,
  remSleepInSeconds: 600,
  awakeDurationInSeconds: 600,
  validation: 'ENHANCED_FINAL',
};

function read(...sleeps: object[]) {
  const pages = [{ resource: 'push', text: JSON.stringify({ sleeps }) }];
  return normalizePages('garmin', pages, { receivedMs: Date.parse('2026-04-01T00:00:00Z') });
}

const readLevels = (sleepLevelsMap: unknown) => {
  const { records, rejected } = read({ ...night, sleepLevelsMap });
  return { sleep: records.sleep[0], rejected };
};
const toMinutes = (stages: readonly StagePeriod[] = []) =>
  stages.map(({ stage, startMs, endMs }) => [
    stage,
    (startMs / 1000 - startSeconds) / 60,
    (endMs / 1000 - startSeconds) / 60,
  ]);

test('the intervals of all levels are read as stages in order of time', () => {
  const { sleep, rejected } = readLevels({
    awake: [level(50, 60)],
    deep: [level(10, 20), level(30, 40)],
    light: [level(0, 10), level(20, 30)],
    rem: [level(40, 50)],
  });
  expect(rejected.count).toBe(0);
  expect(toMinutes(sleep?.stages)).toEqual([
    ['light', 0, 10],
    ['deep', 10, 20],
    ['light', 20, 30],
    ['deep', 30, 40],
    ['rem', 40, 50],
    ['awake', 50, 60],
  ]);
});

test.each(['unmeasurable', 'constructor', 'REM'])('the level %s is an unknown stage', (name) => {
  const { sleep, rejected } = readLevels({ light: [level(0, 50)], [name]: [level(50, 60)] });
  expect(rejected.count).toBe(0);
  expect(toMinutes(sleep?.stages)).toEqual([
    ['light', 0, 50],
    ['unknown', 50, 60],
  ]);
});

test.each([[null], [undefined], [{}], [{ deep: [], light: null }]])('the levels %j are no stages', (levels) => {
  const { sleep, rejected } = readLevels(levels);
  expect(rejected.count).toBe(0);
  expect(sleep).not.toHaveProperty('stages');
  expect(sleep).toMatchObject({ deepMinutes: 20, awakeMinutes: 10, inBedMinutes: 60 });
});

test('an interval that overlaps an earlier one is rejected, and the others stay', () => {
  const { sleep, rejected } = readLevels({ light: [level(0, 30)], deep: [level(20, 40)], rem: [level(30, 60)] });
  expect(toMinutes(sleep?.stages)).toEqual([
    ['light', 0, 30],
    ['rem', 30, 60],
  ]);
  expect(rejected.first.map(({ path, code }) => [path, code])).toEqual([
    ['pages.0.sleeps.0.sleepLevelsMap.deep.0', 'implausible_value'],
  ]);
});

test('an interval is cut at the start of the night, and one before it, without a time or without a length is rejected', () => {
  const { sleep, rejected } = readLevels({
    awake: [level(-20, -10), level(-5, 5)],
    light: [level(5, 60), level(30, 30), { startTimeInSeconds: at(10) }, { endTimeInSeconds: at(10) }, {}],
  });
  expect(toMinutes(sleep?.stages)).toEqual([
    ['awake', 0, 5],
    ['light', 5, 60],
  ]);
  expect(rejected.first.map(({ path }) => path.replace('pages.0.sleeps.0.sleepLevelsMap.', '')).sort()).toEqual([
    'awake.0',
    'light.1',
    'light.2',
    'light.3',
    'light.4',
  ]);
  expect(rejected.first.every(({ code }) => code === 'implausible_value')).toBe(true);
});

test('fractional seconds are kept as milliseconds', () => {
  const deep = [{ startTimeInSeconds: at(0) + 0.25, endTimeInSeconds: at(60) + 0.5 }];
  expect(readLevels({ deep }).sleep?.stages).toEqual([
    { stage: 'deep', startMs: at(0) * 1000 + 250, endMs: at(60) * 1000 + 500 },
  ]);
});

test('the final version of a night in one push has its own stages', () => {
  const tentative = { ...night, validation: 'ENHANCED_TENTATIVE', sleepLevelsMap: { light: [level(0, 60)] } };
  const final = { ...night, sleepLevelsMap: { deep: [level(0, 60)] } };
  for (const versions of [
    [tentative, final],
    [final, tentative],
  ])
    expect(read(...versions).records.sleep.map(({ stages }) => toMinutes(stages))).toEqual([[['deep', 0, 60]]]);
});

test('a nap has no stages', () => {
  const naps = [{ napStartTimeInSeconds: at(600), napDurationInSeconds: 1800, napOffsetInSeconds: 3600 }];
  const { records } = read({ ...night, sleepLevelsMap: { deep: [level(0, 60)] }, naps });
  expect(records.sleep.map(({ stages }) => stages?.length).sort()).toEqual([1, undefined]);
});

test('a night in which clocks change has its stages at their instants', () => {
  const seconds = (text: string): number => Date.parse(text) / 1000;
  const light = {
    startTimeInSeconds: seconds('2026-03-29T00:30:00+01:00'),
    endTimeInSeconds: seconds('2026-03-29T03:30:00+02:00'),
  };
  const { records } = read({
    ...night,
    calendarDate: '2026-03-29',
    startTimeInSeconds: light.startTimeInSeconds,
    sleepLevelsMap: { light: [light] },
  });
  expect(records.sleep[0]?.stages).toEqual([
    { stage: 'light', startMs: Date.parse('2026-03-28T23:30:00Z'), endMs: Date.parse('2026-03-29T01:30:00Z') },
  ]);
});
