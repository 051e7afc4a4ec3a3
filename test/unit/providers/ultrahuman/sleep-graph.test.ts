// The stages of Ultrahuman's nights.
import { expect, test } from 'vitest';
import type { ProviderPage } from '../../../../shared/providers/kit/provider-pages.ts';
import { normalizePages } from '../../../harness/request-flow.ts';
import { live, midnight, sleepObject } from './days.ts';

/** The night lasts from 22:30 to 05:50 UTC. */
const { bedtime_start: start, bedtime_end: end } = sleepObject;
const page = (parameter: string, list: readonly unknown[]): ProviderPage => ({
  resource: 'metrics',
  text: live(list),
  parameter,
});
const readSleep = (changes: object) =>
  normalizePages(
    'ultrahuman',
    [
      page('2026-03-04', []),
      page('2026-03-05', [{ type: 'Sleep', object: { day_start_timestamp: midnight, ...sleepObject, ...changes } }]),
      page('2026-03-06', []),
    ],
    { requested: { from: '2026-03-05', to: '2026-03-05' }, timeZone: 'Europe/Berlin' },
  );
const read = (data: readonly unknown[]) => readSleep({ sleep_graph: { data } });
const segment = (from: number, to: number, type: string) => ({ start: start + 60 * from, end: start + 60 * to, type });
/** In minutes from the start of the night. */
const stagesOf = ({ records }: ReturnType<typeof read>) =>
  records.sleep[0]?.stages?.map(({ stage, startMs, endMs }) => [
    stage,
    (startMs / 1000 - start) / 60,
    (endMs / 1000 - start) / 60,
  ]);

test('the segments of the graph are the stages of the night', () => {
  const result = read([
    segment(0, 12, 'awake'),
    segment(12, 100, 'light_sleep'),
    segment(100, 178, 'Deep_Sleep'),
    segment(178, 440, 'rem_sleep'),
  ]);
  expect(stagesOf(result)).toEqual([
    ['awake', 0, 12],
    ['light', 12, 100],
    ['deep', 100, 178],
    ['rem', 178, 440],
  ]);
  expect(result.rejected.count).toBe(0);
});

test('the time awake at the end of the graph is not part of the night', () => {
  const result = read([segment(0, 420, 'light_sleep'), segment(420, 440, 'awake')]);
  expect(stagesOf(result)).toEqual([['light', 0, 420]]);
  expect(result.records.sleep[0]?.endMs).toBe((end - 20 * 60) * 1000);
  expect(result.rejected.count).toBe(0);
});

test('a gap in the graph stays a gap', () => {
  expect(stagesOf(read([segment(0, 60, 'light_sleep'), segment(90, 440, 'rem_sleep')]))).toEqual([
    ['light', 0, 60],
    ['rem', 90, 440],
  ]);
});

test('a type that is not documented is an unknown stage', () => {
  expect(stagesOf(read([segment(0, 60, 'nrem_3'), segment(60, 440, 'light_sleep')]))).toEqual([
    ['unknown', 0, 60],
    ['light', 60, 440],
  ]);
});

test.each([
  ['an empty list', []],
  ['missing', undefined],
  ['null', null],
  ['a text', 'none'],
  ['without data', {}],
  ['with a segment without an end', { data: [{ start, type: 'awake' }, segment(1, 440, 'light_sleep')] }],
])('a graph that is %s leaves the night without stages and everything else as it is', (_name, sleep_graph) => {
  const result = readSleep({ sleep_graph });
  expect(result.records.sleep).toMatchObject([{ endMs: end * 1000, asleepMinutes: 408, deepMinutes: 78 }]);
  expect(result.records.sleep[0]).not.toHaveProperty('stages');
  expect(result.rejected.count).toBe(0);
});

test('segments are cut at the ends of the night, and those outside of it or on top of others are rejected', () => {
  const result = read([
    segment(-30, 60, 'light_sleep'),
    segment(-60, -40, 'light_sleep'),
    segment(50, 70, 'deep_sleep'),
    segment(60, 60, 'rem_sleep'),
    segment(100, 90, 'rem_sleep'),
    segment(430, 500, 'rem_sleep'),
  ]);
  expect(stagesOf(result)).toEqual([
    ['light', 0, 60],
    ['rem', 430, 440],
  ]);
  expect(result.rejected.first.map(({ path, code }) => `${path} ${code}`)).toEqual(
    [1, 3, 4, 2].map((at) => `metrics.2026-03-05.sleep.sleep_graph.data.${at} implausible_value`),
  );
  expect(result.records.covered).toHaveLength(1);
});

test('time asleep after the end of the night is rejected, unlike time awake', () => {
  const result = read([segment(0, 440, 'light_sleep'), segment(440, 460, 'awake'), segment(460, 470, 'rem_sleep')]);
  expect(stagesOf(result)).toEqual([['light', 0, 440]]);
  expect(result.rejected.first.map(({ path, code }) => `${path} ${code}`)).toEqual([
    'metrics.2026-03-05.sleep.sleep_graph.data.2 implausible_value',
  ]);
});

test('stages are instants, so a night on which clocks change needs no conversion', () => {
  const at = (text: string): number => Date.parse(text) / 1000;
  // Clocks go forward at 01:00 UTC on 29 March 2026.
  const [first, change, last] = [at('2026-03-28T22:00:00Z'), at('2026-03-29T01:00:00Z'), at('2026-03-29T05:00:00Z')];
  const data = [
    { start: first, end: change, type: 'deep_sleep' },
    { start: change, end: last, type: 'rem_sleep' },
  ];
  const sleep = { bedtime_start: first, bedtime_end: last, sleep_graph: { data } };
  const { records } = normalizePages('ultrahuman', [page('2026-03-29', [{ type: 'sleep', object: sleep }])], {
    requested: { from: '2026-03-29', to: '2026-03-29' },
    timeZone: 'Europe/Berlin',
    receivedMs: Date.parse('2026-03-30T00:00:00Z'),
  });
  expect(records.sleep[0]?.stages).toEqual([
    { stage: 'deep', startMs: first * 1000, endMs: change * 1000 },
    { stage: 'rem', startMs: change * 1000, endMs: last * 1000 },
  ]);
});
