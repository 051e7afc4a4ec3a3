// The stages of Google Health's nights, each with its own times.
import { expect, test } from 'vitest';
import type { StagePeriod } from '../../../../shared/measurements/records.ts';
import { normalizePages } from '../../../harness/request-flow.ts';
import { nap, night, page } from './payloads.ts';

function read(...points: object[]) {
  const requested = { from: '2026-03-01', to: '2026-03-31' };
  const receivedMs = Date.parse('2026-04-02T12:00:00Z');
  return normalizePages('google_health', [page('sleep', points)], { requested, timeZone: 'Asia/Tokyo', receivedMs });
}

const readStages = (stages: unknown) => {
  const { records, rejected } = read({ ...night, sleep: { ...night.sleep, stages } });
  expect(records.covered).toMatchObject([{ sleep: true }]);
  return { sleep: records.sleep[0], rejected };
};

const startMs = Date.UTC(2026, 2, 4, 15, 10);
const stage = (type: unknown, from: number, to: number) => ({
  startTime: new Date(startMs + from * 60_000).toISOString(),
  endTime: new Date(startMs + to * 60_000).toISOString(),
  type,
});
const toMinutes = (stages: readonly StagePeriod[] = [], fromMs = startMs) =>
  stages.map((each) => [each.stage, (each.startMs - fromMs) / 60_000, (each.endMs - fromMs) / 60_000]);

test('the stages of a night are in order of time, whatever their order in the response', () => {
  const { sleep, rejected } = readStages(night.sleep.stages.toReversed());
  expect(rejected.count).toBe(0);
  expect(toMinutes(sleep?.stages)).toEqual([
    ['awake', 0, 10],
    ['light', 10, 160],
    ['deep', 160, 220],
    ['rem', 220, 310],
    ['light', 310, 440],
    ['awake', 440, 450],
  ]);
});

test('a classic night is asleep or awake, and restless counts as awake', () => {
  const { records } = read(nap);
  expect(toMinutes(records.sleep[0]?.stages, Date.UTC(2026, 2, 5, 5))).toEqual([
    ['awake', 0, 4],
    ['asleep', 4, 28],
    ['awake', 28, 30],
  ]);
});

test.each(['SLEEP_STAGE_TYPE_UNSPECIFIED', 'constructor', 'deep', ''])('the type %j is an unknown stage', (type) => {
  const { sleep, rejected } = readStages([stage('LIGHT', 0, 440), stage(type, 440, 450)]);
  expect(rejected.count).toBe(0);
  expect(toMinutes(sleep?.stages)).toEqual([
    ['light', 0, 440],
    ['unknown', 440, 450],
  ]);
});

test.each([[null], [undefined], [[]], ['LIGHT'], [{}]])('the list %j is no stages', (stages) => {
  const { sleep, rejected } = readStages(stages);
  expect(rejected.count).toBe(0);
  expect(sleep).not.toHaveProperty('stages');
  expect(sleep).toMatchObject({ asleepMinutes: 430, inBedMinutes: 450 });
});

test('a stage without a type or a time is rejected, and the others stay', () => {
  const { sleep, rejected } = readStages([
    stage('LIGHT', 0, 100),
    stage(null, 100, 200),
    { type: 'DEEP', startTime: '2026-03-04T17:50:00Z' },
    { type: 'DEEP', startTime: 'soon', endTime: 'later' },
    'REM',
    stage('REM', 200, 300),
  ]);
  expect(toMinutes(sleep?.stages)).toEqual([
    ['light', 0, 100],
    ['rem', 200, 300],
  ]);
  expect(rejected.first.map(({ path, code }) => [path, code])).toEqual(
    [1, 2, 3, 4].map((at) => [`sleep.0.0.sleep.stages.${at}`, 'implausible_value']),
  );
});

test('a stage is cut at the ends of the night, and one outside or over another one is rejected', () => {
  const { sleep, rejected } = readStages([
    stage('AWAKE', -30, -10),
    stage('AWAKE', -10, 10),
    stage('LIGHT', 10, 200),
    stage('DEEP', 150, 250),
    stage('REM', 400, 460),
    stage('AWAKE', 460, 470),
    stage('AWAKE', 300, 290),
  ]);
  expect(toMinutes(sleep?.stages)).toEqual([
    ['awake', 0, 10],
    ['light', 10, 200],
    ['rem', 400, 450],
  ]);
  expect(rejected.first.map(({ path }) => path.replace('sleep.0.0.sleep.stages.', '')).sort()).toEqual([
    '0',
    '3',
    '5',
    '6',
  ]);
});

test('the version that was updated last has its own stages', () => {
  const { stages: _, ...unprocessed } = night.sleep;
  const early = { ...night, sleep: { ...unprocessed, updateTime: '2026-03-04T22:50:00Z' } };
  const late = {
    ...night,
    sleep: { ...night.sleep, updateTime: '2026-03-05T22:50:00Z', stages: [stage('REM', 0, 60)] },
  };
  expect(read(late, night, early).records.sleep.map(({ stages }) => toMinutes(stages))).toEqual([[['rem', 0, 60]]]);
});

test('a night in which clocks change has its stages at their instants', () => {
  const { records } = read({
    ...night,
    sleep: {
      ...night.sleep,
      interval: {
        startTime: '2026-03-28T23:30:00Z',
        startUtcOffset: '3600s',
        endTime: '2026-03-29T03:00:00Z',
        endUtcOffset: '7200s',
      },
      stages: [{ startTime: '2026-03-29T00:30:00+01:00', endTime: '2026-03-29T03:30:00+02:00', type: 'DEEP' }],
    },
  });
  expect(records.sleep[0]?.stages).toEqual([
    { stage: 'deep', startMs: Date.parse('2026-03-28T23:30:00Z'), endMs: Date.parse('2026-03-29T01:30:00Z') },
  ]);
});
