// The stages of Oura's sleeps, from texts with one digit for every step.
import { describe, expect, test } from 'vitest';
import type { StagePeriod } from '../../../../shared/measurements/records.ts';
import { normalizePages } from '../../../harness/request-flow.ts';
import { listOf, longSleep } from './documents.ts';

/** Ten minutes, from 22:00 to 22:10. */
const shortNight = {
  ...longSleep,
  bedtime_start: '2026-03-04T23:00:00+01:00',
  bedtime_end: '2026-03-04T23:10:00+01:00',
  hrv: null,
  ...{ time_in_bed: 600, total_sleep_duration: 300, awake_time: 300, latency: 60 },
  ...{ deep_sleep_duration: 60, light_sleep_duration: 240, rem_sleep_duration: 0 },
  sleep_phase_30_sec: null,
  sleep_phase_5_min: null,
};

function read(changes: object) {
  const page = { resource: 'sleep', text: listOf([{ ...shortNight, ...changes }]) };
  const requested = { from: '2026-03-01', to: '2026-04-01' };
  const receivedMs = Date.parse('2026-04-02T12:00:00Z');
  const { records, rejected } = normalizePages('oura', [page], { requested, timeZone: 'Europe/Berlin', receivedMs });
  expect(records.sleep).toHaveLength(1);
  expect(records.covered).toMatchObject([{ sleep: true }]);
  return { sleep: records.sleep[0], rejected };
}

const startMs = Date.parse(shortNight.bedtime_start);
/** The stages with their seconds after the start of the night. */
const toSeconds = (stages: readonly StagePeriod[] = [], fromMs = startMs) =>
  stages.map((each) => [each.stage, (each.startMs - fromMs) / 1000, (each.endMs - fromMs) / 1000]);

test('half minutes are read as stages, and equal ones in a row are one stage', () => {
  const { sleep, rejected } = read({ sleep_phase_30_sec: '44221133334422222222' });
  expect(rejected.count).toBe(0);
  expect(toSeconds(sleep?.stages)).toEqual([
    ['awake', 0, 60],
    ['light', 60, 120],
    ['deep', 120, 180],
    ['rem', 180, 300],
    ['awake', 300, 360],
    ['light', 360, 600],
  ]);
});

test('half minutes count where a sleep has both texts, and five minutes where it has only those', () => {
  const half = '4'.repeat(10) + '2'.repeat(10);
  expect(toSeconds(read({ sleep_phase_30_sec: half, sleep_phase_5_min: '11' }).sleep?.stages)).toEqual([
    ['awake', 0, 300],
    ['light', 300, 600],
  ]);
  for (const missing of [null, undefined, ''])
    expect(toSeconds(read({ sleep_phase_30_sec: missing, sleep_phase_5_min: '12' }).sleep?.stages)).toEqual([
      ['deep', 0, 300],
      ['light', 300, 600],
    ]);
});

test('the last step is cut where the sleep ends', () => {
  const { sleep, rejected } = read({ bedtime_end: '2026-03-04T23:08:20+01:00', sleep_phase_5_min: '23' });
  expect(toSeconds(sleep?.stages)).toEqual([
    ['light', 0, 300],
    ['rem', 300, 500],
  ]);
  expect(rejected.count).toBe(0);
});

test('stages after the end of the sleep are rejected, and the others stay', () => {
  const { sleep, rejected } = read({ sleep_phase_5_min: '2134' });
  expect(toSeconds(sleep?.stages)).toEqual([
    ['light', 0, 300],
    ['deep', 300, 600],
  ]);
  expect(rejected.first.map(({ path, code }) => [path, code])).toEqual([
    ['sleep.0.sleep_phase_5_min.2', 'implausible_value'],
    ['sleep.0.sleep_phase_5_min.3', 'implausible_value'],
  ]);
});

test('a text that ends before the sleep leaves its end without a stage', () => {
  expect(toSeconds(read({ sleep_phase_5_min: '2' }).sleep?.stages)).toEqual([['light', 0, 300]]);
});

test('a digit that Oura does not describe is unknown', () => {
  expect(toSeconds(read({ sleep_phase_5_min: '05' }).sleep?.stages)).toEqual([
    ['unknown', 0, 300],
    ['unknown', 300, 600],
  ]);
});

describe('a malformed text', () => {
  test.each(['22x1', '2 2', '-1', 'constructor', 12, ['2'], { '0': '2' }, true])(
    '%j is rejected, and the sleep keeps its minutes',
    (phases) => {
      const { sleep, rejected } = read({ sleep_phase_30_sec: phases });
      expect(sleep).not.toHaveProperty('stages');
      expect(sleep).toMatchObject({ deepMinutes: 1, lightMinutes: 4, inBedMinutes: 10 });
      expect(rejected.first.map(({ path, code }) => [path, code])).toEqual([
        ['sleep.0.sleep_phase_30_sec', 'implausible_value'],
      ]);
    },
  );

  test('of half minutes is replaced by the five minutes', () => {
    expect(toSeconds(read({ sleep_phase_30_sec: 'x', sleep_phase_5_min: '22' }).sleep?.stages)).toEqual([
      ['light', 0, 600],
    ]);
  });
});

test('a sleep without texts has no stages, and nothing is rejected', () => {
  const { sleep, rejected } = read({});
  expect(sleep).not.toHaveProperty('stages');
  expect(rejected.count).toBe(0);
});

test('an empty text is as good as none: nothing is rejected', () => {
  const { sleep, rejected } = read({ sleep_phase_30_sec: '', sleep_phase_5_min: '' });
  expect(sleep).not.toHaveProperty('stages');
  expect(rejected.count).toBe(0);
});

test('steps are counted in elapsed time on a night when clocks change', () => {
  // From 00:00 +01:00 to 05:00 +02:00 are four hours.
  const { sleep, rejected } = read({
    bedtime_start: '2026-03-29T00:00:00+01:00',
    bedtime_end: '2026-03-29T05:00:00+02:00',
    sleep_phase_5_min: '2'.repeat(30) + '3'.repeat(18),
  });
  expect(rejected.count).toBe(0);
  expect(sleep?.stages).toEqual([
    { stage: 'light', startMs: Date.parse('2026-03-28T23:00:00Z'), endMs: Date.parse('2026-03-29T01:30:00Z') },
    { stage: 'rem', startMs: Date.parse('2026-03-29T01:30:00Z'), endMs: Date.parse('2026-03-29T03:00:00Z') },
  ]);
});
