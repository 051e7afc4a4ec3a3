import { describe, expect, test } from 'vitest';
import { readUpload } from '../../../../shared/providers/phone/read-upload.ts';

const nowMs = Date.UTC(2026, 2, 20);
const night = { start: '2026-03-13T22:00:00Z', end: '2026-03-14T06:00:00Z' };
const stage = (name: unknown, start: string, end: string) => ({
  stage: name,
  start: `2026-03-13T${start}:00Z`,
  end: `2026-03-13T${end}:00Z`,
});

function read(sleep: object) {
  const { records, rejected } = readUpload(
    {
      time_zone: 'UTC',
      device: { name: 'Watch', model: 'Watch7,1', type: 'wrist' },
      sleep: [{ ...night, ...sleep }],
    },
    { scopes: ['sleep'], nowMs },
  );
  return { night: records.sleep[0], rejected: rejected.first.map(({ path, code }) => [path, code]) };
}

test('stages are sorted, and times with an offset are the same instants', () => {
  const { night: sorted, rejected } = read({
    stages: [
      stage('deep', '23:00', '23:30'),
      { stage: 'light', start: '2026-03-14T00:00:00+02:00', end: '2026-03-13T23:00:00Z' },
    ],
  });
  expect(rejected).toEqual([]);
  expect(sorted?.stages).toEqual([
    { stage: 'light', startMs: Date.parse('2026-03-13T22:00:00Z'), endMs: Date.parse('2026-03-13T23:00:00Z') },
    { stage: 'deep', startMs: Date.parse('2026-03-13T23:00:00Z'), endMs: Date.parse('2026-03-13T23:30:00Z') },
  ]);
});

test('minutes that the night states are kept, and those it leaves out come from its stages', () => {
  const { night: computed } = read({
    light_minutes: 61,
    stages: [stage('light', '22:00', '23:00'), stage('deep', '23:00', '23:30'), stage('awake', '23:30', '23:40')],
  });
  expect(computed).toMatchObject({
    asleepMinutes: 90,
    lightMinutes: 61,
    deepMinutes: 30,
    remMinutes: null,
    awakeMinutes: 10,
    inBedMinutes: null,
  });
});

test('every minute that the night states is kept, whatever its stages add up to', () => {
  const { night: stated } = read({
    ...{ asleep_minutes: 89, light_minutes: 61, deep_minutes: 29, rem_minutes: 3, awake_minutes: 11 },
    stages: [
      stage('light', '22:00', '23:00'),
      stage('deep', '23:00', '23:30'),
      stage('awake', '23:30', '23:40'),
      stage('rem', '23:40', '23:42'),
    ],
  });
  expect(stated).toMatchObject({
    asleepMinutes: 89,
    lightMinutes: 61,
    deepMinutes: 29,
    remMinutes: 3,
    awakeMinutes: 11,
  });
});

test('a night may have 3,000 stages, from its very start to its very end', () => {
  const startMs = Date.parse(night.start);
  const stepMs = (Date.parse(night.end) - startMs) / 3_000;
  const at = (step: number): string => new Date(startMs + step * stepMs).toISOString();
  const stages = Array.from({ length: 3_000 }, (_, step) => ({ stage: 'deep', start: at(step), end: at(step + 1) }));
  const { night: full, rejected } = read({ stages });
  expect(rejected).toEqual([]);
  expect(full?.stages).toHaveLength(3_000);
  expect(full?.deepMinutes).toBeCloseTo(480);
});

test('computed minutes that contradict the stated ones are left out', () => {
  const stages = [stage('light', '22:00', '23:00'), stage('rem', '23:00', '23:30')];
  const { night: contradictory, rejected } = read({ deep_minutes: 450, stages });
  expect(rejected).toEqual([]);
  expect(contradictory).toMatchObject({ deepMinutes: 450, lightMinutes: null, remMinutes: null, asleepMinutes: null });
  expect(contradictory?.stages).toHaveLength(2);
  expect(read({ deep_minutes: 395, stages }).night).toMatchObject({
    deepMinutes: 395,
    lightMinutes: 60,
    remMinutes: 30,
    asleepMinutes: 90,
  });
});

describe('a bad stage is rejected alone, with its path, and no minutes are computed without it', () => {
  const good = stage('rem', '22:10', '22:20');
  test.each([
    ['a word that is no stage', stage('rest', '22:30', '22:40'), 'sleep.0.stages.1.stage', 'invalid_record'],
    ['no stage', stage(undefined, '22:30', '22:40'), 'sleep.0.stages.1.stage', 'invalid_record'],
    ['no object', 7, 'sleep.0.stages.1', 'invalid_record'],
    ['an end before its start', stage('deep', '22:40', '22:30'), 'sleep.0.stages.1.end', 'invalid_time'],
    ['no length', stage('deep', '22:40', '22:40'), 'sleep.0.stages.1.end', 'invalid_time'],
    ['a start before the night', stage('deep', '21:59', '22:05'), 'sleep.0.stages.1.start', 'invalid_time'],
    [
      'an end after the night',
      { stage: 'deep', start: '2026-03-14T05:50:00Z', end: '2026-03-14T06:01:00Z' },
      'sleep.0.stages.1.end',
      'invalid_time',
    ],
    [
      'a time without an offset',
      { stage: 'deep', start: '2026-03-13T22:40:00', end: night.end },
      'sleep.0.stages.1.start',
      'invalid_time',
    ],
    ['an overlap with another', stage('deep', '22:19', '22:30'), 'sleep.0.stages.1', 'invalid_time'],
  ])('%s', (_name, bad, path, code) => {
    const { night: incomplete, rejected } = read({ deep_minutes: 20, stages: [good, bad] });
    expect(rejected).toEqual([[path, code]]);
    expect(incomplete?.stages).toHaveLength(1);
    expect(incomplete).toMatchObject({ deepMinutes: 20, remMinutes: null, asleepMinutes: null });
  });
});

test('stages that are no list, or too many, reject the night', () => {
  expect(read({ stages: {} }).rejected).toEqual([['sleep.0.stages', 'invalid_record']]);
  const many = Array.from({ length: 3_001 }, () => stage('deep', '22:10', '22:20'));
  expect(read({ stages: many }).rejected).toEqual([['sleep.0.stages', 'limit_exceeded']]);
});

test('a night without a valid stage has none', () => {
  for (const stages of [undefined, null, [], [stage('rest', '22:30', '22:40')]])
    expect(read({ stages }).night).not.toHaveProperty('stages');
});
