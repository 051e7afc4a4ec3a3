// The core of consolidation: merges the values of several devices into one value per metric, with
// its source device.
//
// A provider's devices are first reduced to one value. The method then runs over the enabled
// providers:
// - merge: at each instant, the highest-ranked device that measured then, over all devices (see
// merge-metric-by-period.ts).
// - priority: the value of the highest-ranked device.
// - max: the largest value; the highest-ranked device wins a tie.
// - avg, sum: computed in exact decimals. The source is the device with the largest share, or the
// highest-ranked device where values do not accrue.
//
// The members of a group describe one night or one blood pressure reading together, so they come
// from one device:
// - priority: the highest-ranked device with the lead member (time asleep, systolic pressure)
// supplies all members, because a device that reports only the time in bed has not measured the
// night. If no device has the lead, the highest-ranked device with any member supplies them.
// - max: the device with the largest lead supplies all members, because members of different nights
// do not belong together.
// - avg: each member is averaged separately, because a mean describes no actual night anyway. One
// device per provider contributes, chosen as above.
//
// A member that the chosen device lacks stays absent: it is never filled from another device.

import type { ConsolidationSettings } from '../catalog/consolidation-catalog.ts';
import { metricTable } from '../catalog/metric-table.ts';
import type { MetricId } from '../catalog/metrics.ts';
import { type CanonicalRow, emptyCanonicalRow } from '../measurements/codec/canonical-day.ts';
import type { NormalizedRow } from '../measurements/codec/normalized-day.ts';
import { meanOf, sumOf } from '../platform/arithmetic.ts';
import { findLargestShare, mergeMetricByPeriod, type PeriodValue } from './merge-metric-by-period.ts';
import { type CombinedPlan, type GroupPlan, type KeyPlan, type MergeDevice, planMerge } from './merge-plan.ts';
import type { LeftOutReason, MergeRecorder, MetricRecord, Share } from './merge-recorder.ts';

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

const noPosition = -1;
const emptyValues = emptyCanonicalRow().values;
const accruingIndexes = new Set<number>(metricTable.filter(({ accrues }) => accrues).map(({ index }) => index));

export function compileMerge(devices: readonly MergeDevice[], settings: ConsolidationSettings): MergeDay {
  const { prioritized, mergedByPeriod, combined, groups, providerOf } = planMerge(devices, settings);
  const positionByOrdinal = new Map(devices.map(({ ordinal }, position) => [ordinal, position]));
  const ordinals = Uint16Array.from(devices, ({ ordinal }) => ordinal);
  const merged = emptyCanonicalRow();
  const { values, sources } = merged;
  /** The day's values of each device, indexed by position in the device list. */
  const valuesByPosition: Float64Array[] = devices.map(() => emptyValues);
  const rowsByPosition: (NormalizedRow | undefined)[] = devices.map(() => undefined);
  const adjacentRowsByPosition: NormalizedRow[][] = devices.map(() => []);
  const missing = new Uint8Array(values.length);
  const seen = new Uint8Array(devices.length);
  const chosen = new Uint8Array(devices.length);

  const valueAt = (position: number, index: number): number => valuesByPosition[position]?.[index] ?? Number.NaN;
  const has = (position: number, index: number): boolean => !Number.isNaN(valueAt(position, index));

  function take(index: number, position: number): void {
    values[index] = position === noPosition ? Number.NaN : valueAt(position, index);
    sources[index] = ordinals[position] ?? 0;
  }

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

  function findHighestRanked(order: ArrayLike<number>, index: number): number {
    for (let at = 0; at < order.length; at++) {
      const position = order[at] ?? 0;
      if (has(position, index)) return position;
    }
    return noPosition;
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

  /** Records the value that a device has, but that the day does not take from it. */
  function leaveOut(record: MetricRecord, position: number, reason: LeftOutReason): void {
    const value = valueAt(position, record.index);
    record.leftOut.push({ ordinal: ordinals[position] ?? 0, value, reason, periods: 0 });
  }

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

  /** Chooses one device per provider: the highest-ranked one that has the metric. */
  function choosePerProvider(order: Uint16Array, index: number): void {
    seen.fill(0);
    chosen.fill(0);
    for (let at = 0; at < order.length; at++) {
      const position = order[at] ?? 0;
      const provider = providerOf[position] ?? 0;
      if (seen[provider] === 1 || !has(position, index)) continue;
      seen[provider] = 1;
      chosen[position] = 1;
    }
  }

  function findLargest(order: Uint16Array, index: number): number {
    let best = noPosition;
    for (let at = 0; at < order.length; at++) {
      const position = order[at] ?? 0;
      if (chosen[position] !== 1 || !has(position, index)) continue;
      if (best === noPosition || valueAt(position, index) > valueAt(best, index)) best = position;
    }
    return best;
  }

  /**
   * Returns one value per provider, highest-ranked provider first: merged by period where values
   * accrue, otherwise the value of the provider's highest-ranked device.
   */
  function reduceByProvider(order: Uint16Array, index: number, recorder: MergeRecorder | undefined): PeriodValue[] {
    choosePerProvider(order, index);
    const record = recordOf(recorder, index);
    if (record && !accruingIndexes.has(index)) recordUnchosen(record, order);
    return Array.from(order)
      .filter((position) => chosen[position] === 1)
      .map((position) => {
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
  function recordUnchosen(record: MetricRecord, order: Uint16Array): void {
    for (const position of order)
      if (chosen[position] !== 1 && has(position, record.index))
        leaveOut(record, position, 'another_device_of_the_provider');
  }

  /** Whatever the devices of the other providers counted among themselves, none of it enters. */
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
      for (const position of positions) if (has(position, record.index)) leaveOut(record, position, reason);
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

  function hasAny(position: number, members: Uint8Array): boolean {
    for (let at = 0; at < members.length; at++) if (has(position, members[at] ?? 0)) return true;
    return false;
  }

  /**
   * Chooses one device per provider: the highest-ranked one with the lead, otherwise the
   * highest-ranked one with any member.
   */
  function chooseGroupPerProvider({ order, members }: GroupPlan): void {
    choosePerProvider(order, members[0] ?? 0);
    for (let at = 0; at < order.length; at++) {
      const position = order[at] ?? 0;
      const provider = providerOf[position] ?? 0;
      if (seen[provider] === 1 || !hasAny(position, members)) continue;
      seen[provider] = 1;
      chosen[position] = 1;
    }
  }

  function groupSource(key: GroupPlan): number {
    const { method, order, members } = key;
    const lead = members[0] ?? 0;
    if (method === 'max') chooseGroupPerProvider(key);
    const withLead = method === 'max' ? findLargest(order, lead) : findHighestRanked(order, lead);
    return withLead === noPosition ? (order.find((position) => hasAny(position, members)) ?? noPosition) : withLead;
  }

  /** Why the day does not take a member of a group from this device. */
  function findGroupReason({ method, order, members }: GroupPlan, index: number, position: number, source: number) {
    const lead = members[0] ?? 0;
    if (method === 'max' && chosen[position] !== 1) return 'another_device_of_the_provider';
    if (!has(source, index)) return 'group_of_another_device';
    if (method === 'max' && has(source, lead)) {
      if (index !== lead) return 'group_of_another_device';
      return valueAt(position, lead) < valueAt(source, lead) ? 'smaller_value' : 'lower_rank';
    }
    return order.indexOf(position) > order.indexOf(source) ? 'lower_rank' : 'group_of_another_device';
  }

  function recordGroup(record: MetricRecord, key: GroupPlan, source: number): void {
    if (!key.members.includes(record.index)) return;
    for (const position of key.order)
      if (position !== source && has(position, record.index))
        leaveOut(record, position, findGroupReason(key, record.index, position, source));
  }

  function mergeGroup(key: GroupPlan, recorder: MergeRecorder | undefined): void {
    const { method, order, members } = key;
    switch (method) {
      case 'priority':
      case 'max': {
        const source = groupSource(key);
        for (let at = 0; at < members.length; at++) take(members[at] ?? 0, source);
        if (recorder?.metric) recordGroup(recorder.metric, key, source);
        return;
      }
      case 'avg':
        chooseGroupPerProvider(key);
        if (recorder?.metric && members.includes(recorder.metric.index)) recordUnchosen(recorder.metric, order);
        for (const index of members) {
          const contributors = Array.from(order).filter((position) => chosen[position] === 1 && has(position, index));
          take(index, contributors[0] ?? noPosition);
          const shares = contributors.map((position) => ({
            ordinal: ordinals[position] ?? 0,
            value: valueAt(position, index),
          }));
          if (shares.length > 0) values[index] = meanOf(shares.map(({ value }) => value));
          recorder?.breakdowns.set(index, { shares, combination: 'mean' });
        }
    }
  }

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
    for (const key of groups) mergeGroup(key, recorder);
    return merged;
  };
}

/** Only the metric that the recorder names is recorded in detail. */
const recordOf = (recorder: MergeRecorder | undefined, index: number): MetricRecord | undefined =>
  recorder?.metric?.index === index ? recorder.metric : undefined;

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
