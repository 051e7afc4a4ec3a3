import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ConsolidationSettings } from '../../../shared/catalog/consolidation-catalog.ts';
import { type MetricId, metricIds, metricRow } from '../../../shared/catalog/metrics.ts';
import type { DeviceType } from '../../../shared/catalog/provider.ts';
import { createDayComparer } from '../../../shared/consolidation/day-difference.ts';
import { compileMerge } from '../../../shared/consolidation/merge-day.ts';
import type { MergeDevice } from '../../../shared/consolidation/merge-plan.ts';
import { defaultSettings } from '../../../shared/consolidation/settings.ts';
import {
  type CanonicalRow,
  type CanonicalValue,
  decodeCanonicalDay,
  encodeCanonicalDay,
  packCanonicalRow,
} from '../../../shared/measurements/codec/canonical-day.ts';
import {
  encodeNormalizedDay,
  type NormalizedDay,
  type NormalizedValue,
  packNormalizedRows,
  unpackNormalizedRows,
} from '../../../shared/measurements/codec/normalized-day.ts';
import type { Piece } from '../../../shared/measurements/timeline.ts';
import { adjacentRowsOf, anyCase, anySettings, rowsOf, type TimedDay } from './any-day.ts';
import { cellMs, mergeNaively } from './naive-merge.ts';

const expectedMerge = (devices: readonly MergeDevice[], settings: ConsolidationSettings, day: TimedDay) =>
  mergeNaively(devices, settings, day.said, day.times, day.beside);

/** Packs and decodes the row, which gives Maps in the order of the metric table. */
const decodeRow = (row: CanonicalRow) => decodeCanonicalDay(packCanonicalRow(row));
const sortByTable = (day: Map<MetricId, CanonicalValue>) =>
  new Map([...day].sort(([a], [b]) => metricRow(a).index - metricRow(b).index));

const device = (
  ordinal: number,
  provider: string,
  deviceType: DeviceType,
  more: Partial<MergeDevice> = {},
): MergeDevice => ({
  ordinal,
  provider,
  deviceType,
  connection: 'cloud',
  id: `dev_${ordinal}`,
  connectedMs: null,
  ...more,
});
const phone = device(0, 'apple_health', 'phone', { connection: 'sdk' });
const ring = device(1, 'oura', 'ring');
const watch = device(2, 'garmin', 'wrist');
const makeValues = (values: Partial<Record<MetricId, number>>): Map<MetricId, NormalizedValue> =>
  new Map(metricIds.flatMap((id) => (values[id] === undefined ? [] : [[id, { value: values[id], stated: true }]])));
function mergeDay(devices: MergeDevice[], methods: ConsolidationSettings['methods'], day: NormalizedDay) {
  const merge = compileMerge(devices, { ...defaultSettings, methods });
  return Object.fromEntries(
    [...decodeRow(merge(unpackNormalizedRows(encodeNormalizedDay(day))))].map(([id, { value, source }]) => [
      id,
      [value, source],
    ]),
  );
}

describe('merging a day', () => {
  test('follows the rules for any devices, methods, switches and days', () => {
    fc.assert(
      fc.property(anyCase, ({ devices, settings, days }) => {
        const merge = compileMerge(devices, settings);
        for (const day of days) {
          expect(decodeRow(merge(rowsOf(day), adjacentRowsOf(day)))).toEqual(
            sortByTable(expectedMerge(devices, settings, day)),
          );
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('does not depend on the order of the devices or of their rows', () => {
    fc.assert(
      fc.property(anyCase, ({ devices, settings, days: [day] }) => {
        if (day === undefined) return;
        const [rows, beside] = [rowsOf(day), adjacentRowsOf(day)];
        const backwards = compileMerge(devices.toReversed(), settings)(rows.toReversed(), beside.toReversed());
        expect(decodeRow(backwards)).toEqual(decodeRow(compileMerge(devices, settings)(rows, beside)));
      }),
    );
  });

  test('ignores the values of a device that is no longer in the list', () => {
    const day: NormalizedDay = new Map([
      [1, makeValues({ steps: 5 })],
      [9, makeValues({ steps: 7 })],
    ]);
    expect(mergeDay([ring], {}, day)).toEqual({ steps: [5, 1] });
    expect(mergeDay([ring], { steps: 'sum' }, day)).toEqual({ steps: [5, 1] });
  });

  test('under sum names the higher-ranked of two devices with equal shares, regardless of their providers', () => {
    const contributions: [MergeDevice, number][] = [
      [watch, 10],
      [ring, 50],
      [device(3, 'garmin', 'phone'), 50],
    ];
    const piece = (at: number, value: number): Piece => ({ startMs: at * cellMs, endMs: (at + 1) * cellMs, value });
    const rows = rowsOf({
      said: new Map(
        contributions.map(([{ ordinal }, value]) => [ordinal, new Map([['steps', { value, stated: false }]])]),
      ),
      times: new Map(
        contributions.map(([{ ordinal }, value], at) => [ordinal, new Map([['steps', [piece(at, value)]]])]),
      ),
      beside: new Map(),
    });
    const devices = contributions.map(([each]) => each);
    const merge = compileMerge(devices, { ...defaultSettings, methods: { steps: 'sum' } });
    expect(decodeRow(merge(rows)).get('steps')).toEqual({ value: 110, source: ring.ordinal });
  });

  test('under avg names the device with the largest share, or the highest-ranked one where values do not add up', () => {
    const contributions: [MergeDevice, number][] = [
      [watch, 10],
      [device(3, 'garmin', 'phone'), 70],
      [ring, 50],
    ];
    const piece = (at: number, value: number): Piece => ({ startMs: at * cellMs, endMs: (at + 1) * cellMs, value });
    const rows = rowsOf({
      said: new Map(
        contributions.map(([{ ordinal }, value]): [number, Map<MetricId, NormalizedValue>] => [
          ordinal,
          new Map([
            ['steps', { value, stated: false }],
            ['heart_rate', { value, stated: false }],
          ]),
        ]),
      ),
      times: new Map(
        contributions.map(([{ ordinal }, value], at) => [ordinal, new Map([['steps', [piece(at, value)]]])]),
      ),
      beside: new Map(),
    });
    const methods = { steps: 'avg', heart_rate: 'avg' } as const;
    const merge = compileMerge(
      contributions.map(([each]) => each),
      { ...defaultSettings, methods },
    );
    const day = decodeRow(merge(rows));
    expect(day.get('steps')).toEqual({ value: 65, source: 3 });
    expect(day.get('heart_rate')).toEqual({ value: 30, source: watch.ordinal });
  });

  test('takes a blood pressure from one device: a number that it lacks is not filled in from another', () => {
    const day: NormalizedDay = new Map([
      [1, makeValues({ blood_pressure_systolic: 118, blood_pressure_diastolic: 76 })],
      [2, makeValues({ blood_pressure_systolic: 124 })],
    ]);
    const systolicOfTheWatch = { blood_pressure_systolic: [124, 2] };
    expect(mergeDay([ring, watch], {}, day)).toEqual(systolicOfTheWatch);
    expect(mergeDay([ring, watch], { blood_pressure: 'max' }, day)).toEqual(systolicOfTheWatch);
    expect(mergeDay([ring, watch], { blood_pressure: 'avg' }, day)).toEqual({
      blood_pressure_systolic: [121, 2],
      blood_pressure_diastolic: [76, 1],
    });
  });

  test('does not let a phone that only knows the time in bed hide the ring that measured the night', () => {
    const day: NormalizedDay = new Map([
      [0, makeValues({ time_in_bed: 500 })],
      [1, makeValues({ asleep: 420, time_in_bed: 480 })],
    ]);
    expect(mergeDay([phone, ring], {}, day)).toEqual({ asleep: [420, 1], time_in_bed: [480, 1] });
    expect(mergeDay([phone], {}, day)).toEqual({ time_in_bed: [500, 0] });
  });

  test('counts two devices of one provider once, as the higher-ranked of them', () => {
    const second = device(3, 'garmin', 'app');
    const day: NormalizedDay = new Map([
      [1, makeValues({ steps: 1_000 })],
      [2, makeValues({ steps: 2_000 })],
      [3, makeValues({ steps: 9_000 })],
    ]);
    expect(mergeDay([ring, watch, second], { steps: 'sum' }, day)).toEqual({ steps: [3_000, 2] });
    expect(mergeDay([ring, watch, second], { steps: 'max' }, day)).toEqual({ steps: [2_000, 2] });
    expect(mergeDay([ring, watch, second], { steps: 'avg' }, day)).toEqual({ steps: [1_500, 2] });
  });

  test('computes sums and means as exact decimals', () => {
    const day: NormalizedDay = new Map([
      [1, makeValues({ distance: 0.1, heart_rate: 60 })],
      [2, makeValues({ distance: 0.2, heart_rate: 60.1 })],
    ]);
    expect(mergeDay([ring, watch], { distance: 'sum', heart_rate: 'avg' }, day)).toEqual({
      distance: [0.3, 2],
      heart_rate: [60.05, 2],
    });
  });
});

describe('comparing days', () => {
  test('finds no difference exactly when packing the day again would give the stored bytes', () => {
    fc.assert(
      fc.property(anyCase, anySettings, ({ devices, settings, days }, before) => {
        const difference = createDayComparer(compileMerge(devices, settings));
        for (const day of days) {
          const stored = encodeCanonicalDay(expectedMerge(devices, before, day));
          const now = encodeCanonicalDay(expectedMerge(devices, settings, day));
          const beside = adjacentRowsOf(day).map((row) => packNormalizedRows([row]));
          const found = difference(packNormalizedRows(rowsOf(day)), stored, beside);
          expect(found === undefined).toBe(Buffer.compare(stored, now) === 0);
          if (found) expect(packCanonicalRow(found.merged)).toEqual(now);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('finds a difference in a day that was never stored, unless it is empty', () => {
    const difference = createDayComparer(compileMerge([ring], defaultSettings));
    expect(difference(encodeNormalizedDay(new Map()), undefined)).toBeUndefined();
    expect(difference(encodeNormalizedDay(new Map([[1, makeValues({ steps: 1 })]])), undefined)).toBeDefined();
    expect(difference(undefined, encodeCanonicalDay(new Map([['steps', { value: 1, source: 1 }]])))).toBeDefined();
  });
});
