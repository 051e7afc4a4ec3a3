// Random devices, settings and days for the tests of consolidation.
import * as fc from 'fast-check';
import type { ConsolidationSettings } from '../../../shared/catalog/consolidation-catalog.ts';
import { type MetricId, metricIds, metricRow } from '../../../shared/catalog/metrics.ts';
import { ConnectionKind, DeviceType } from '../../../shared/catalog/provider.ts';
import { consolidationCatalog, consolidationEntry } from '../../../shared/consolidation/catalog.ts';
import type { MergeDevice } from '../../../shared/consolidation/merge-plan.ts';
import { buildTimeline } from '../../../shared/measurements/build-timeline.ts';
import {
  encodeNormalizedDay,
  type NormalizedDay,
  type NormalizedRow,
  type NormalizedValue,
  unpackNormalizedRows,
} from '../../../shared/measurements/codec/normalized-day.ts';
import { type Piece, TimelineMap } from '../../../shared/measurements/timeline.ts';
import { cellMs, type Times } from './naive-merge.ts';

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
  'rem_sleep',
  'restorative_sleep',
  'longest_sleep',
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

export interface TimedDay {
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
export const rowsOf = ({ said, times }: TimedDay): NormalizedRow[] =>
  withTimelines(unpackNormalizedRows(encodeNormalizedDay(said)), times);
export const adjacentRowsOf = ({ beside }: TimedDay): NormalizedRow[] => {
  const measured = Array.from(beside, ([ordinal, metricTimes]) => {
    const values = Array.from(metricTimes.keys(), (id): [MetricId, NormalizedValue] => [
      id,
      { value: 1, stated: false },
    ]);
    return [ordinal, new Map(values)] as const;
  });
  return withTimelines(unpackNormalizedRows(encodeNormalizedDay(new Map(measured))), beside);
};
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
export const anySettings: fc.Arbitrary<ConsolidationSettings> = fc.record({
  methods: anyMethods,
  disabled: fc.subarray(providers, { maxLength: 1 }),
  disabledFor: fc.dictionary(anyKey, fc.subarray(providers), { noNullPrototype: true, maxKeys: 3 }),
});
export const anyCase = anyDevices.chain((devices) =>
  fc.record({
    devices: fc.constant(devices),
    settings: anySettings,
    days: fc.array(anyDay(devices), { minLength: 1, maxLength: 3 }),
  }),
);
