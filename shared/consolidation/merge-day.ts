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
import {
  findLargestShare,
  mergeMetricByPeriod,
  type PeriodValue,
  type Share,
  type ValueBreakdown,
} from './merge-metric-by-period.ts';
import { type CombinedPlan, type GroupPlan, type KeyPlan, type MergeDevice, planMerge } from './merge-plan.ts';

/**
 * Rows of devices that are not in the device list are ignored. `adjacentRows` are rows of other
 * days that overlap the same hours. `breakdowns`, if passed, receives the share of each device for
 * values that may combine several devices. The returned row is reused: it is valid until the next
 * day is merged.
 */
export type MergeDay = (
  rows: readonly NormalizedRow[],
  adjacentRows?: readonly NormalizedRow[],
  breakdowns?: Map<number, ValueBreakdown>,
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

  const periodValue = (order: ArrayLike<number>, index: number): PeriodValue | undefined =>
    mergeMetricByPeriod(
      index,
      Array.from(order, (position) => ({
        ordinal: ordinals[position] ?? 0,
        row: rowsByPosition[position],
        adjacentRows: adjacentRowsByPosition[position] ?? [],
      })),
    );

  /**
   * The value of the highest-ranked device is already in place. It stays when that device states a
   * total itself, or when no other device measured.
   */
  function mergeByPeriod({ order, members }: KeyPlan, breakdowns: Map<number, ValueBreakdown> | undefined): void {
    const index = members[0] ?? 0;
    if (Number.isNaN(values[index] ?? Number.NaN)) return;
    const periodResult = periodValue(order, index);
    if (periodResult === undefined) return;
    values[index] = periodResult.value;
    sources[index] = periodResult.largestContributor;
    breakdowns?.set(index, { shares: periodResult.shares, combination: 'sum' });
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
  function reduceByProvider(order: Uint16Array, index: number): PeriodValue[] {
    choosePerProvider(order, index);
    return Array.from(order)
      .filter((position) => chosen[position] === 1)
      .map((position) => {
        const own = order.filter((other) => providerOf[other] === providerOf[position]);
        const single = { value: valueAt(position, index), ordinal: ordinals[position] ?? 0 };
        const mergedValue = accruingIndexes.has(index) ? periodValue(own, index) : undefined;
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

  function combineMetric(
    { method, order, members }: CombinedPlan,
    breakdowns: Map<number, ValueBreakdown> | undefined,
  ): void {
    const index = members[0] ?? 0;
    const providers = reduceByProvider(order, index);
    const [first] = providers;
    if (first === undefined) {
      values[index] = Number.NaN;
      return;
    }
    const amounts = providers.map(({ value }) => value);
    switch (method) {
      case 'avg': {
        const contributingShares = sortByRank(order, providers.flatMap(getContributingShares));
        values[index] = meanOf(amounts);
        // For accruing metrics the largest share makes up most of the mean; for other metrics a
        // larger reading does not contribute more.
        sources[index] =
          (accruingIndexes.has(index) ? findLargestShare(contributingShares)?.ordinal : undefined) ??
          first.highestRanked;
        breakdowns?.set(index, { shares: contributingShares, combination: 'mean' });
        return;
      }
      case 'max': {
        const largestValue = providers.reduce((best, each) => (each.value > best.value ? each : best));
        values[index] = largestValue.value;
        sources[index] = largestValue.largestContributor;
        breakdowns?.set(index, { shares: largestValue.shares, combination: 'sum' });
        return;
      }
      case 'sum': {
        const contributingShares = sortByRank(
          order,
          providers.flatMap((each) => each.shares),
        );
        values[index] = sumOf(amounts);
        sources[index] = findLargestShare(contributingShares)?.ordinal ?? first.largestContributor;
        breakdowns?.set(index, { shares: contributingShares, combination: 'sum' });
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

  function mergeGroup(key: GroupPlan, breakdowns: Map<number, ValueBreakdown> | undefined): void {
    const { method, order, members } = key;
    switch (method) {
      case 'priority':
      case 'max': {
        const source = groupSource(key);
        for (let at = 0; at < members.length; at++) take(members[at] ?? 0, source);
        return;
      }
      case 'avg':
        chooseGroupPerProvider(key);
        for (const index of members) {
          const contributors = Array.from(order).filter((position) => chosen[position] === 1 && has(position, index));
          take(index, contributors[0] ?? noPosition);
          const shares = contributors.map((position) => ({
            ordinal: ordinals[position] ?? 0,
            value: valueAt(position, index),
          }));
          if (shares.length > 0) values[index] = meanOf(shares.map(({ value }) => value));
          breakdowns?.set(index, { shares, combination: 'mean' });
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

  return (rows, adjacentRows = [], breakdowns = undefined) => {
    const hasTimelines = loadRows(rows, adjacentRows);
    for (const key of prioritized) takeByPriority(key);
    if (hasTimelines) for (const key of mergedByPeriod) mergeByPeriod(key, breakdowns);
    for (const key of combined) combineMetric(key, breakdowns);
    for (const key of groups) mergeGroup(key, breakdowns);
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
