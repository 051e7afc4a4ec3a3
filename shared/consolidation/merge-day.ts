// The core of consolidation: merges the values of several devices into one value per metric, with
// its source device.
//
// `merge` and `priority` run over all enabled devices. For `max`, `avg` and `sum`, a provider's devices
// are first reduced to one value.
// - merge: at each instant, the highest-ranked device that measured then (see
// merge-metric-by-period.ts).
// - priority: the value of the highest-ranked device.
// - max: the largest value; the highest-ranked device wins a tie.
// - avg, sum: computed in exact decimals. The source is the device with the largest share, or the
// highest-ranked device where values do not accrue.
//
// The members of a group follow one setting. Those of a night are merged one by one, beginning with
// the device that measured the time asleep (merge-night.ts); those of a blood pressure come from one
// device (merge-bound-group.ts).

import type { ConsolidationSettings } from '../catalog/consolidation-catalog.ts';
import { mergeRule } from '../catalog/merge-rule.ts';
import { metricTable } from '../catalog/metric-table.ts';
import type { MetricId } from '../catalog/metrics.ts';
import { type CanonicalRow, emptyCanonicalRow } from '../measurements/codec/canonical-day.ts';
import type { NormalizedRow } from '../measurements/codec/normalized-day.ts';
import { meanOf, sumOf } from '../platform/arithmetic.ts';
import { choosePerProvider, type LoadedDay, leaveOut, noPosition, recordOf } from './loaded-day.ts';
import { createBoundGroupMerge } from './merge-bound-group.ts';
import { findLargestShare, mergeMetricByPeriod, type PeriodValue } from './merge-metric-by-period.ts';
import { createNightMerge } from './merge-night.ts';
import { type CombinedPlan, type KeyPlan, type MergeDevice, planMerge } from './merge-plan.ts';
import type { MergeRecorder, MetricRecord, Share } from './merge-recorder.ts';

/**
 * Rows of devices that are not in the device list are ignored. `adjacentRows` are rows of other
 * days that overlap the same hours. `recorder`, if passed, receives where values came from; it
 * changes none of them. The returned row is reused: it is valid until the next day is merged.
 */
export type MergeDay = (
  rows: readonly NormalizedRow[],
  adjacentRows?: readonly NormalizedRow[],
  recorder?: MergeRecorder,
) => CanonicalRow;

const emptyValues = emptyCanonicalRow().values;
const accruingIndexes = new Set<number>(metricTable.filter(({ accrues }) => accrues).map(({ index }) => index));

/** `rule` is the version of the rules, such as the one that a stored day was built by. */
export function compileMerge(
  devices: readonly MergeDevice[],
  settings: ConsolidationSettings,
  rule: number = mergeRule,
): MergeDay {
  const { prioritized, mergedByPeriod, combined, boundGroups, nightGroups, providerOf } = planMerge(
    devices,
    settings,
    rule,
  );
  const positionByOrdinal = new Map(devices.map(({ ordinal }, position) => [ordinal, position]));
  const ordinals = Uint16Array.from(devices, ({ ordinal }) => ordinal);
  const merged = emptyCanonicalRow();
  const { values, sources } = merged;
  /** The day's values of each device, indexed by position in the device list. */
  const valuesByPosition: Float64Array[] = devices.map(() => emptyValues);
  const rowsByPosition: (NormalizedRow | undefined)[] = devices.map(() => undefined);
  const adjacentRowsByPosition: NormalizedRow[][] = devices.map(() => []);
  const missing = new Uint8Array(values.length);

  const valueAt = (position: number, index: number): number => valuesByPosition[position]?.[index] ?? Number.NaN;
  const has = (position: number, index: number): boolean => !Number.isNaN(valueAt(position, index));

  const day: LoadedDay = { ordinals, providerOf, merged, valueAt, has };
  const mergeBoundGroup = createBoundGroupMerge(day);
  const mergeNight = createNightMerge(day);

  /**
   * Iterates by device instead of by metric: metrics that one device lacks are left to the next.
   */
  function takeByPriority({ order, members }: KeyPlan): void {
    let remaining = members.length;
    missing.set(members);
    for (let at = 0; at < order.length && remaining > 0; at++) {
      const position = order[at] ?? 0;
      const deviceValues = valuesByPosition[position] ?? emptyValues;
      const ordinal = ordinals[position] ?? 0;
      let missingCount = 0;
      for (let candidate = 0; candidate < remaining; candidate++) {
        const index = missing[candidate] ?? 0;
        const value = deviceValues[index] ?? Number.NaN;
        if (Number.isNaN(value)) {
          missing[missingCount++] = index;
          continue;
        }
        values[index] = value;
        sources[index] = ordinal;
      }
      remaining = missingCount;
    }
    for (let at = 0; at < remaining; at++) values[missing[at] ?? 0] = Number.NaN;
  }

  const periodValue = (
    order: ArrayLike<number>,
    index: number,
    recorder: MergeRecorder | undefined,
  ): PeriodValue | undefined =>
    mergeMetricByPeriod(
      index,
      Array.from(order, (position) => ({
        ordinal: ordinals[position] ?? 0,
        row: rowsByPosition[position],
        adjacentRows: adjacentRowsByPosition[position] ?? [],
      })),
      recordOf(recorder, index),
    );

  /**
   * The value of the highest-ranked device is already in place. It stays when that device states a
   * total itself, or when no other device measured.
   */
  function mergeByPeriod({ order, members }: KeyPlan, recorder: MergeRecorder | undefined): void {
    const index = members[0] ?? 0;
    if (Number.isNaN(values[index] ?? Number.NaN)) return;
    const periodResult = periodValue(order, index, recorder);
    if (periodResult === undefined) return;
    values[index] = periodResult.value;
    sources[index] = periodResult.largestContributor;
    recorder?.breakdowns.set(index, { shares: periodResult.shares, combination: 'sum' });
  }

  /**
   * Returns one value per provider, highest-ranked provider first: merged by period where values
   * accrue, otherwise the value of the provider's highest-ranked device.
   */
  function reduceByProvider(order: Uint16Array, index: number, recorder: MergeRecorder | undefined): PeriodValue[] {
    const chosen = choosePerProvider(day, order, (position) => has(position, index));
    const record = recordOf(recorder, index);
    if (record && !accruingIndexes.has(index)) recordUnchosen(record, order, chosen);
    return chosen.map((position) => {
      const own = order.filter((other) => providerOf[other] === providerOf[position]);
      const single = { value: valueAt(position, index), ordinal: ordinals[position] ?? 0 };
      const mergedValue = accruingIndexes.has(index) ? periodValue(own, index, recorder) : undefined;
      return (
        mergedValue ?? {
          value: single.value,
          highestRanked: single.ordinal,
          largestContributor: single.ordinal,
          shares: [single],
        }
      );
    });
  }

  /** Only one device per provider enters. */
  function recordUnchosen(record: MetricRecord, order: Uint16Array, chosen: readonly number[]): void {
    for (const position of order)
      if (!chosen.includes(position) && has(position, record.index))
        leaveOut(day, record, position, 'another_device_of_the_provider');
  }

  /** Nothing from the devices of the other providers enters. */
  function recordSmallerProviders(
    record: MetricRecord,
    order: Uint16Array,
    providers: readonly PeriodValue[],
    largest: PeriodValue,
  ): void {
    for (const each of providers) {
      if (each === largest) continue;
      const provider = providerOf[positionByOrdinal.get(each.highestRanked) ?? 0];
      const positions = Array.from(order).filter((position) => providerOf[position] === provider);
      const own = new Set(positions.map((position) => ordinals[position]));
      record.leftOut = record.leftOut.filter(({ ordinal }) => !own.has(ordinal));
      for (const period of record.periods) if (own.has(period.ordinal)) period.counted = 0;
      const reason = each.value < largest.value ? 'smaller_value' : 'lower_rank';
      for (const position of positions) if (has(position, record.index)) leaveOut(day, record, position, reason);
    }
  }

  function combineMetric({ method, order, members }: CombinedPlan, recorder: MergeRecorder | undefined): void {
    const index = members[0] ?? 0;
    const providers = reduceByProvider(order, index, recorder);
    const [first] = providers;
    if (first === undefined) {
      values[index] = Number.NaN;
      return;
    }
    const amounts = providers.map(({ value }) => value);
    switch (method) {
      case 'avg': {
        const contributingShares = sortByRank(order, providers.flatMap(getContributingShares));
        const record = recordOf(recorder, index);
        if (record) record.shares = providers.flatMap((each) => each.shares);
        values[index] = meanOf(amounts);
        // For accruing metrics the largest share makes up most of the mean; for other metrics a
        // larger reading does not contribute more.
        sources[index] =
          (accruingIndexes.has(index) ? findLargestShare(contributingShares)?.ordinal : undefined) ??
          first.highestRanked;
        recorder?.breakdowns.set(index, { shares: contributingShares, combination: 'mean' });
        return;
      }
      case 'max': {
        const largestValue = providers.reduce((best, each) => (each.value > best.value ? each : best));
        const record = recordOf(recorder, index);
        if (record) recordSmallerProviders(record, order, providers, largestValue);
        values[index] = largestValue.value;
        sources[index] = largestValue.largestContributor;
        recorder?.breakdowns.set(index, { shares: largestValue.shares, combination: 'sum' });
        return;
      }
      case 'sum': {
        const contributingShares = sortByRank(
          order,
          providers.flatMap((each) => each.shares),
        );
        values[index] = sumOf(amounts);
        sources[index] = findLargestShare(contributingShares)?.ordinal ?? first.largestContributor;
        recorder?.breakdowns.set(index, { shares: contributingShares, combination: 'sum' });
        return;
      }
    }
  }

  const rankOf = (order: Uint16Array, { ordinal }: Share): number =>
    order.indexOf(positionByOrdinal.get(ordinal) ?? noPosition);
  const sortByRank = (order: Uint16Array, shares: readonly Share[]): Share[] =>
    shares.toSorted((a, b) => rankOf(order, a) - rankOf(order, b));

  function loadRows(rows: readonly NormalizedRow[], adjacentRows: readonly NormalizedRow[]): boolean {
    valuesByPosition.fill(emptyValues);
    rowsByPosition.fill(undefined);
    for (const list of adjacentRowsByPosition) list.length = 0;
    let hasTimelines = adjacentRows.length > 0;
    for (const row of rows) {
      const position = positionByOrdinal.get(row.device);
      if (position === undefined) continue;
      valuesByPosition[position] = row.values;
      rowsByPosition[position] = row;
      if ((row.timelines?.size ?? 0) > 0) hasTimelines = true;
    }
    for (const row of adjacentRows) adjacentRowsByPosition[positionByOrdinal.get(row.device) ?? noPosition]?.push(row);
    return hasTimelines;
  }

  return (rows, adjacentRows = [], recorder = undefined) => {
    const hasTimelines = loadRows(rows, adjacentRows);
    for (const key of prioritized) takeByPriority(key);
    // Without times this changes no value, but it says why a total counts.
    if (hasTimelines || recorder?.metric) for (const key of mergedByPeriod) mergeByPeriod(key, recorder);
    for (const key of combined) combineMetric(key, recorder);
    for (const key of boundGroups) mergeBoundGroup(key, recorder);
    for (const key of nightGroups) mergeNight(key, recorder);
    return merged;
  };
}

/**
 * Returns the shares that make up a provider's value. A value of zero is still a reading that
 * lowers the mean, so it is attributed to the highest-ranked device.
 */
function getContributingShares({ shares, highestRanked: top }: PeriodValue): Share[] {
  const contributingShares = shares.filter(({ value }) => value > 0);
  return contributingShares.length > 0 ? contributingShares : [{ ordinal: top, value: 0 }];
}

function differsAt(a: CanonicalRow, b: CanonicalRow, index: number): boolean {
  const value = a.values[index] ?? Number.NaN;
  const other = b.values[index] ?? Number.NaN;
  if (Number.isNaN(value)) return !Number.isNaN(other);
  return value !== other || a.sources[index] !== b.sources[index];
}

export function differs(merged: CanonicalRow, stored: CanonicalRow): boolean {
  for (let index = 0; index < emptyValues.length; index++) if (differsAt(merged, stored, index)) return true;
  return false;
}

export function changedMetrics(merged: CanonicalRow, stored: CanonicalRow): MetricId[] {
  return metricTable.filter(({ index }) => differsAt(merged, stored, index)).map(({ id }) => id);
}
