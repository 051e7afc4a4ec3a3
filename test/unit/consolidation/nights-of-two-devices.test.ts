// Nights of a ring and a watch, which report any of the metrics: the cases of the contract by hand,
// then every combination.
import { describe, expect, test } from 'vitest';
import { type ConsolidationMethod, ConsolidationSettings } from '../../../shared/catalog/consolidation-catalog.ts';
import { type MetricId, metricRow } from '../../../shared/catalog/metrics.ts';
import { metricsForKey } from '../../../shared/consolidation/catalog.ts';
import { explainValue } from '../../../shared/consolidation/explain-value.ts';
import { compileMerge } from '../../../shared/consolidation/merge-day.ts';
import type { MergeDevice } from '../../../shared/consolidation/merge-plan.ts';
import { emptyNormalizedRow, marks, type NormalizedRow } from '../../../shared/measurements/codec/normalized-day.ts';
import { explanationProblems } from './explanation-problems.ts';

const common = { connection: 'cloud', connectedMs: null } as const;
const ring: MergeDevice = { ...common, ordinal: 1, id: 'dev_1', provider: 'oura', deviceType: 'ring' };
const watch: MergeDevice = { ...common, ordinal: 2, id: 'dev_2', provider: 'garmin', deviceType: 'wrist' };
const devices = [ring, watch];
const nightMetrics = metricsForKey('sleep');

type Night = Partial<Record<MetricId, number>>;
function toRow({ ordinal }: MergeDevice, night: Night): NormalizedRow {
  const row = emptyNormalizedRow(ordinal);
  for (const metric of nightMetrics) {
    const value = night[metric];
    if (value === undefined) continue;
    row.values[metricRow(metric).index] = value;
    row.marks[metricRow(metric).index] = marks.night;
  }
  return row;
}

const settingsFor = (method: ConsolidationMethod): ConsolidationSettings =>
  ConsolidationSettings.parse({ methods: { sleep: method }, disabled: [], disabledFor: {} });

/** Each value with the ordinal of its device; checks the explanation of each metric on the way. */
function merge(method: ConsolidationMethod, ringNight: Night, watchNight: Night): Partial<Record<MetricId, unknown>> {
  const rows = [toRow(ring, ringNight), toRow(watch, watchNight)];
  const settings = settingsFor(method);
  const { values, sources } = compileMerge(devices, settings)(rows);
  const day: Partial<Record<MetricId, unknown>> = {};
  for (const metric of nightMetrics) {
    const { index } = metricRow(metric);
    const value = values[index] ?? Number.NaN;
    const explained = explainValue(metric, { devices, settings, rows, adjacentRows: [] });
    expect(explained.value).toBe(Number.isNaN(value) ? null : value);
    expect(explanationProblems(metric, explained)).toEqual([]);
    if (Number.isNaN(value)) continue;
    expect(explained.source).toBe(sources[index]);
    day[metric] = [value, sources[index]];
  }
  return day;
}

describe('by priority', () => {
  test('a metric that the device of the night did not report comes from the next device', () => {
    const day = merge(
      'priority',
      { asleep: 420 },
      { asleep: 415, deep_sleep: 60, rem_sleep: 90, restorative_sleep: 150 },
    );
    expect(day).toEqual({
      asleep: [420, 1],
      deep_sleep: [60, 2],
      rem_sleep: [90, 2],
      restorative_sleep: [150, 2],
    });
  });

  test('restorative sleep is the deep and the REM sleep of the day, whichever devices they come from', () => {
    const day = merge(
      'priority',
      { asleep: 420, deep_sleep: 70 },
      { asleep: 415, deep_sleep: 60, rem_sleep: 90, restorative_sleep: 150 },
    );
    expect(day).toMatchObject({ deep_sleep: [70, 1], rem_sleep: [90, 2], restorative_sleep: [160, 2] });
  });

  test('restorative sleep that a device states counts only without deep or REM sleep', () => {
    const stated = { asleep: 420, restorative_sleep: 111 };
    expect(merge('priority', stated, { deep_sleep: 60 })).toMatchObject({ restorative_sleep: [111, 1] });
    const day = merge('priority', stated, { deep_sleep: 60, rem_sleep: 90 });
    expect(day).toMatchObject({ restorative_sleep: [150, 2] });
  });

  test('a device that only knows the time in bed is not the device of the night, and gives what that one lacks', () => {
    const inBed = { time_in_bed: 500, sleep_latency: 9 };
    const day = merge('priority', inBed, { asleep: 420, time_in_bed: 480 });
    expect(day).toEqual({ asleep: [420, 2], time_in_bed: [480, 2], sleep_latency: [9, 1] });
    expect(merge('priority', inBed, {})).toEqual({ time_in_bed: [500, 1], sleep_latency: [9, 1] });
  });

  test('the longest sleep comes from the device of the time asleep, or is missing', () => {
    const other = { asleep: 430, longest_sleep: 400 };
    const day = merge('priority', { asleep: 420, longest_sleep: 380 }, other);
    expect(day).toMatchObject({ longest_sleep: [380, 1] });
    expect(merge('priority', { asleep: 420 }, other)).toEqual({ asleep: [420, 1] });
    expect(merge('priority', { deep_sleep: 60 }, other)).toMatchObject({ longest_sleep: [400, 2] });
  });

  test('an efficiency is never computed from the minutes of two devices', () => {
    expect(merge('priority', { asleep: 420 }, { time_in_bed: 480 })).toEqual({
      asleep: [420, 1],
      time_in_bed: [480, 2],
    });
    const whole = { asleep: 400, time_in_bed: 500, sleep_efficiency: 80 };
    expect(merge('priority', { asleep: 420 }, whole)).toMatchObject({ sleep_efficiency: [80, 2] });
  });
});

describe('by max', () => {
  test('each metric is the largest value of any provider', () => {
    const day = merge(
      'max',
      { asleep: 415, deep_sleep: 60, rem_sleep: 70 },
      { asleep: 400, deep_sleep: 70, rem_sleep: 80 },
    );
    expect(day).toMatchObject({
      asleep: [415, 1],
      deep_sleep: [70, 2],
      rem_sleep: [80, 2],
      restorative_sleep: [150, 2],
    });
  });

  test('the longest sleep comes from the device with the longest time asleep', () => {
    const day = merge('max', { asleep: 430, longest_sleep: 300 }, { asleep: 420, longest_sleep: 420 });
    expect(day).toEqual({ asleep: [430, 1], longest_sleep: [300, 1] });
  });

  test('the higher-ranked device wins a tie', () => {
    expect(merge('max', { deep_sleep: 60 }, { asleep: 400, deep_sleep: 60 })).toMatchObject({ deep_sleep: [60, 1] });
  });
});

test('by avg each metric is the mean over the providers that have it', () => {
  const day = merge('avg', { asleep: 420, deep_sleep: 60, rem_sleep: 70 }, { asleep: 400, deep_sleep: 80 });
  expect(day).toEqual({
    asleep: [410, 1],
    deep_sleep: [70, 1],
    rem_sleep: [70, 1],
    restorative_sleep: [140, 1],
  });
});

test('of two devices of one provider, the one that measured the time asleep comes first', () => {
  const old = { ...watch, ordinal: 3, id: 'dev_3', deviceType: 'app' } as const;
  const rows = [
    toRow(watch, { deep_sleep: 99 }),
    toRow(old, { asleep: 400, deep_sleep: 60 }),
    toRow(ring, { deep_sleep: 80 }),
  ];
  const mergeAll = (method: ConsolidationMethod) => {
    const { values, sources } = compileMerge([ring, watch, old], settingsFor(method))(rows);
    const { index } = metricRow('deep_sleep');
    return [values[index], sources[index]];
  };
  expect(mergeAll('priority')).toEqual([60, 3]);
  expect(mergeAll('max')).toEqual([80, 1]);
  expect(mergeAll('avg')).toEqual([70, 1]);
});

describe('every combination of what two devices report', () => {
  const reported: readonly MetricId[] = ['asleep', 'time_in_bed', 'deep_sleep', 'rem_sleep'];
  const subsets = Array.from({ length: 2 ** reported.length }, (_, bits) =>
    reported.filter((_metric, at) => (bits >> at) % 2 === 1),
  );
  const nightOf = (metrics: readonly MetricId[], extra: number): Night =>
    Object.fromEntries(metrics.map((metric) => [metric, 40 + extra + reported.indexOf(metric)]));
  const cases = subsets.flatMap((ofRing) => subsets.map((ofWatch) => ({ ofRing, ofWatch })));

  test('by priority no metric that was reported is missing, and the device of the night comes first', () => {
    for (const { ofRing, ofWatch } of cases) {
      const day = merge('priority', nightOf(ofRing, 0), nightOf(ofWatch, 7));
      const isWatchNight = !ofRing.includes('asleep') && ofWatch.includes('asleep');
      for (const metric of reported) {
        const owners = [ofRing.includes(metric) ? 1 : [], ofWatch.includes(metric) ? 2 : []].flat();
        const [owner] = isWatchNight ? owners.toReversed() : owners;
        const value = 40 + (owner === 2 ? 7 : 0) + reported.indexOf(metric);
        expect(day[metric], `${metric} of ${ofRing} and ${ofWatch}`).toEqual(
          owner === undefined ? undefined : [value, owner],
        );
      }
    }
  });

  test('by max and avg each metric is that of all who reported it', () => {
    for (const { ofRing, ofWatch } of cases) {
      const largest = merge('max', nightOf(ofRing, 0), nightOf(ofWatch, 7));
      const mean = merge('avg', nightOf(ofRing, 0), nightOf(ofWatch, 7));
      for (const metric of reported) {
        const [low, high] = [40 + reported.indexOf(metric), 47 + reported.indexOf(metric)];
        const [byRing, byWatch] = [ofRing.includes(metric), ofWatch.includes(metric)];
        expect(largest[metric]).toEqual(byWatch ? [high, 2] : byRing ? [low, 1] : undefined);
        expect(mean[metric]).toEqual(
          byRing && byWatch ? [(low + high) / 2, 1] : byWatch ? [high, 2] : byRing ? [low, 1] : undefined,
        );
      }
    }
  });
});
