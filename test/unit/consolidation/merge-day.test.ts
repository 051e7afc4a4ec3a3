import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ConsolidationSettings } from '../../../shared/catalog/consolidation-catalog.ts';
import { type MetricId, metricIds, metricRow } from '../../../shared/catalog/metrics.ts';
import { ConnectionKind, DeviceType } from '../../../shared/catalog/provider.ts';
import { consolidationCatalog, consolidationEntry } from '../../../shared/consolidation/catalog.ts';
import { createDayComparer } from '../../../shared/consolidation/day-difference.ts';
import { compileMerge } from '../../../shared/consolidation/merge-day.ts';
import type { MergeDevice } from '../../../shared/consolidation/merge-plan.ts';
import { defaultSettings } from '../../../shared/consolidation/settings.ts';
import { buildTimeline } from '../../../shared/measurements/build-timeline.ts';
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
  type NormalizedRow,
  type NormalizedValue,
  packNormalizedRows,
  unpackNormalizedRows,
} from '../../../shared/measurements/codec/normalized-day.ts';
import { type Piece, TimelineMap } from '../../../shared/measurements/timeline.ts';
import { cellMs, mergeNaively, type Times } from './naive-merge.ts';

const providers = ['oura', 'garmin', 'apple_health'];
const anyDevices: fc.Arbitrary<MergeDevice[]> = fc
  .array(
    fc.record({
      provider: fc.constantFrom(...providers),
      connection: fc.constantFrom(...ConnectionKind.options),
      deviceType: fc.constantFrom(...DeviceType.options),
      connectedMs: fc.constantFrom(null, 1_000, 2_000),
    }),
    { maxLength: 5 },
  )
  .chain((devices) =>
    fc
      .shuffledSubarray([0, 1, 2, 3, 7, 300, 65_535], { minLength: devices.length, maxLength: devices.length })
      .map((ordinals) =>
        devices.map((device, at) => ({ ...device, ordinal: ordinals[at] ?? 0, id: `dev_${(at * 7) % 5}` })),
      ),
  );

/** Few metrics and few values, so that devices overlap and tie. */
const metrics: MetricId[] = [
  'steps',
  'distance',
  'heart_rate',
  'blood_glucose',
  'weight',
  'protein',
  'asleep',
  'time_in_bed',
  'deep_sleep',
  'blood_pressure_systolic',
  'blood_pressure_diastolic',
  'sleep_efficiency',
];
const anyValues: fc.Arbitrary<Map<MetricId, NormalizedValue>> = fc
  .uniqueArray(
    fc.tuple(
      fc.constantFrom(...metrics, ...metrics, ...metricIds),
      fc.oneof(
        fc.constantFrom(0, 60.1, 60.2, 70),
        fc.nat({ max: 2_000_000 }).map((steps) => steps / 1_000),
      ),
      fc.option(fc.constantFrom({ value: 1, unit: 's' }, { value: 2.5, unit: 'lb' }), { freq: 3 }),
      fc.boolean(),
    ),
    { selector: ([id]) => id, maxLength: 14 },
  )
  .map(
    (entries) =>
      new Map(
        entries.map(([id, value, original, stated]): [MetricId, NormalizedValue] => [
          id,
          { value, stated, ...(original === null ? {} : { original }) },
        ]),
      ),
  );
const dayOf = (devices: readonly MergeDevice[]): fc.Arbitrary<NormalizedDay> =>
  fc.array(fc.option(anyValues, { freq: 4 }), { minLength: devices.length, maxLength: devices.length }).map(
    (said) =>
      new Map(
        devices.flatMap(({ ordinal }, at): [number, Map<MetricId, NormalizedValue>][] => {
          const values = said[at];
          return values ? [[ordinal, values]] : [];
        }),
      ),
  );

/**
 * Within half a day, so that devices overlap; whole numbers per five minutes, so that every share
 * is exact.
 */
const anyPiece: fc.Arbitrary<Piece> = fc
  .tuple(fc.nat({ max: 144 }), fc.oneof(fc.nat({ max: 2 }), fc.nat({ max: 60 })), fc.nat({ max: 4 }))
  .map(([from, cells, each]) => ({
    startMs: from * cellMs,
    endMs: (from + cells) * cellMs,
    value: each * Math.max(cells, 1),
  }));
const timedMetrics = ['steps', 'distance', 'flights_climbed'] as const;
const anyTimes = (devices: readonly MergeDevice[]): fc.Arbitrary<Times> =>
  fc
    .array(
      fc.uniqueArray(
        fc.tuple(fc.constantFrom<MetricId>(...timedMetrics), fc.array(anyPiece, { minLength: 1, maxLength: 6 })),
        { selector: ([id]) => id, maxLength: 2 },
      ),
      { minLength: devices.length, maxLength: devices.length },
    )
    .map((all) => new Map(devices.map(({ ordinal }, at) => [ordinal, new Map(all[at])])));

interface TimedDay {
  said: NormalizedDay;
  times: Times;
  beside: Times;
}

/**
 * The measured pieces add up to the value of the day; where a total is stated as well, it is one or
 * the other.
 */
const anyDay = (devices: readonly MergeDevice[]): fc.Arbitrary<TimedDay> =>
  fc
    .record({ said: dayOf(devices), times: anyTimes(devices), beside: anyTimes(devices), isTimed: fc.boolean() })
    .map(({ said, times, beside, isTimed }) => {
      if (!isTimed) return { said, times: new Map(), beside: new Map() };
      const together = new Map(devices.map(({ ordinal }) => [ordinal, new Map(said.get(ordinal))]));
      for (const [ordinal, metricTimes] of times)
        for (const [metric, pieces] of metricTimes) {
          const own = together.get(ordinal);
          const value = pieces.reduce((sum, piece) => sum + piece.value, 0);
          if (!own?.get(metric)?.stated || pieces.length % 2 === 0) own?.set(metric, { value, stated: false });
        }
      return { said: together, times, beside };
    });

const withTimelines = (rows: NormalizedRow[], times: Times): NormalizedRow[] =>
  rows.map((row) => {
    const lines = Array.from(
      times.get(row.device) ?? [],
      ([id, pieces]) => [metricRow(id).index, buildTimeline(pieces)] as const,
    );
    return lines.length === 0 ? row : { ...row, timelines: new TimelineMap(lines) };
  });
const rowsOf = ({ said, times }: TimedDay): NormalizedRow[] =>
  withTimelines(unpackNormalizedRows(encodeNormalizedDay(said)), times);
const adjacentRowsOf = ({ beside }: TimedDay): NormalizedRow[] => {
  const measured = Array.from(beside, ([ordinal, metricTimes]) => {
    const values = Array.from(metricTimes.keys(), (id): [MetricId, NormalizedValue] => [
      id,
      { value: 1, stated: false },
    ]);
    return [ordinal, new Map(values)] as const;
  });
  return withTimelines(unpackNormalizedRows(encodeNormalizedDay(new Map(measured))), beside);
};
const expectedMerge = (devices: readonly MergeDevice[], settings: ConsolidationSettings, day: TimedDay) =>
  mergeNaively(devices, settings, day.said, day.times, day.beside);

const keys = consolidationCatalog.metrics.map(({ key }) => key);
const favourites = ['steps', 'distance', 'heart_rate', 'blood_glucose', 'sleep', 'blood_pressure'];
const anyKey = fc.constantFrom(...favourites, ...favourites, ...keys);
const methodOf = (key: string) => fc.constantFrom(...(consolidationEntry(key)?.allowed_methods ?? []));
const anyMethods: fc.Arbitrary<ConsolidationSettings['methods']> = fc
  .tuple(
    fc.uniqueArray(
      anyKey.chain((key) => fc.tuple(fc.constant(key), methodOf(key))),
      { selector: ([key]) => key, maxLength: 8 },
    ),
    ...timedMetrics.map((key) => fc.array(fc.tuple(fc.constant(key), methodOf(key)), { maxLength: 1 })),
  )
  .map((entries) => Object.fromEntries(entries.flat()));
const anySettings: fc.Arbitrary<ConsolidationSettings> = fc.record({
  methods: anyMethods,
  disabled: fc.subarray(providers, { maxLength: 1 }),
  disabledFor: fc.dictionary(anyKey, fc.subarray(providers), { noNullPrototype: true, maxKeys: 3 }),
});
const anyCase = anyDevices.chain((devices) =>
  fc.record({
    devices: fc.constant(devices),
    settings: anySettings,
    days: fc.array(anyDay(devices), { minLength: 1, maxLength: 3 }),
  }),
);

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

  test('takes a night from one device: what it lacks is not filled in from another', () => {
    const day: NormalizedDay = new Map([
      [1, makeValues({ asleep: 420, deep_sleep: 80 })],
      [2, makeValues({ asleep: 450, rem_sleep: 90, sleep_heart_rate: 55 })],
    ]);
    expect(mergeDay([ring, watch], {}, day)).toEqual({
      asleep: [420, 1],
      deep_sleep: [80, 1],
      sleep_heart_rate: [55, 2],
    });
    expect(mergeDay([ring, watch], { sleep: 'max' }, day)).toEqual({
      asleep: [450, 2],
      rem_sleep: [90, 2],
      sleep_heart_rate: [55, 2],
    });
    expect(mergeDay([ring, watch], { sleep: 'avg' }, day)).toEqual({
      asleep: [435, 1],
      deep_sleep: [80, 1],
      rem_sleep: [90, 2],
      sleep_heart_rate: [55, 2],
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
