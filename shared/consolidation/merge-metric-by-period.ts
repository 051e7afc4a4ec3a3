// Merges one metric of one day across devices, according to when each device measured.

import { marks, type NormalizedRow } from '../measurements/codec/normalized-day.ts';
import type { Piece, Timeline } from '../measurements/timeline.ts';
import { removeSumNoise, sumOf } from '../platform/arithmetic.ts';
import { type Competitor, computeShares } from './coverage-shares.ts';
import type { LeftOutReason, MetricRecord, Share } from './merge-recorder.ts';

export interface PeriodValue {
  value: number;
  /** The ordinal of the highest-ranked device that has the metric. */
  highestRanked: number;
  /** The ordinal of the device with the largest share. */
  largestContributor: number;
  shares: Share[];
}

export interface DeviceMeasurements {
  ordinal: number;
  /** The device's row of the day; undefined when it has none. */
  row: NormalizedRow | undefined;
  /** The device's rows of other days that overlap the same hours. */
  adjacentRows: readonly NormalizedRow[];
}

interface RankedCompetitor extends Competitor {
  ordinal: number;
}

/**
 * Returns undefined when no device has the metric. `devices` are in rank order, highest first. If
 * the highest-ranked device states a total itself, that total is the day's value.
 */
export function mergeMetricByPeriod(
  index: number,
  devices: readonly DeviceMeasurements[],
  record?: MetricRecord,
): PeriodValue | undefined {
  const highestRanked = devices.find(({ row }) => hasValue(index, row));
  if (highestRanked?.row === undefined) return undefined;
  const ownShare: Share = { ordinal: highestRanked.ordinal, value: highestRanked.row.values[index] ?? 0 };
  const unmerged = {
    value: ownShare.value,
    highestRanked: highestRanked.ordinal,
    largestContributor: highestRanked.ordinal,
    shares: [ownShare],
  };
  if (highestRanked.row.marks[index] !== marks.derived || getTimeline(index, highestRanked.row) === undefined) {
    const others = devices.filter(({ ordinal }) => ordinal !== highestRanked.ordinal);
    if (record) recordLeftOut(record, others, 'total_of_a_higher_rank');
    return unmerged;
  }
  const competitors = devices
    .map(
      ({ ordinal, row, adjacentRows }): RankedCompetitor => ({
        ordinal,
        timeline: getTimeline(index, row),
        adjacentPieces: collectAdjacentPieces(index, adjacentRows),
      }),
    )
    .filter(({ timeline, adjacentPieces }) => timeline !== undefined || adjacentPieces.length > 0);
  if (competitors.length === 1 && !record) return unmerged;
  const shareValues = record ? recordCompetition(record, devices, competitors) : computeShares(competitors);
  if (competitors.length === 1) return unmerged;
  const shares = competitors.flatMap(({ ordinal }, at): Share[] => {
    const value = shareValues[at];
    return value === undefined ? [] : [{ ordinal, value }];
  });
  const sum = sumOf(shares.map(({ value }) => value));
  const isComplete = competitors.every(({ timeline }, at) => shareValues[at] === timeline?.total);
  // Shares with repeating decimals can add up to an exact value such as 12.5.
  const value = isComplete ? sum : removeSumNoise(sum);
  const largestContributor = findLargestShare(shares)?.ordinal ?? highestRanked.ordinal;
  return { value, highestRanked: highestRanked.ordinal, largestContributor, shares };
}

/** Computes the shares, and records what each device measured when and what of it was left out. */
function recordCompetition(
  record: MetricRecord,
  devices: readonly DeviceMeasurements[],
  competitors: readonly RankedCompetitor[],
): (number | undefined)[] {
  const { index } = record;
  const partlyCovered = new Map<number, number>();
  const shares = computeShares(competitors, (at, { startMs, endMs, value }, fraction) => {
    const ordinal = competitors[at]?.ordinal ?? 0;
    record.periods.push({ ordinal, startMs, endMs, value, counted: fraction === 1 ? value : value * fraction });
    if (fraction < 1) partlyCovered.set(ordinal, (partlyCovered.get(ordinal) ?? 0) + 1);
  });
  for (const [at, { ordinal, timeline }] of competitors.entries()) {
    const covered = (timeline?.total ?? 0) - (shares[at] ?? 0);
    const periods = partlyCovered.get(ordinal);
    if (periods !== undefined && covered !== 0)
      record.leftOut.push({ ordinal, value: covered, reason: 'measured_by_a_higher_rank', periods });
  }
  for (const { ordinal, row } of devices) {
    const timeline = getTimeline(index, row);
    if (!hasValue(index, row) || (timeline && row?.marks[index] === marks.derived)) continue;
    // A device's samples compete even where it also states a total, which may differ from them.
    const value = (row?.values[index] ?? 0) - (timeline?.total ?? 0);
    if (value !== 0 || !timeline)
      record.leftOut.push({ ordinal, value, reason: 'total_where_samples_exist', periods: 0 });
  }
  return shares;
}

function recordLeftOut(record: MetricRecord, devices: readonly DeviceMeasurements[], reason: LeftOutReason): void {
  for (const { ordinal, row } of devices)
    if (hasValue(record.index, row))
      record.leftOut.push({ ordinal, value: row?.values[record.index] ?? 0, reason, periods: 0 });
}

/** Returns the first of equal shares, which belongs to the higher-ranked device. */
export function findLargestShare(shares: readonly Share[]): Share | undefined {
  let best: Share | undefined;
  for (const share of shares) if (best === undefined || share.value > best.value) best = share;
  return best;
}

const hasValue = (index: number, row: NormalizedRow | undefined): boolean =>
  !Number.isNaN(row?.values[index] ?? Number.NaN);

const getTimeline = (index: number, row: NormalizedRow | undefined): Timeline | undefined => row?.timelines?.get(index);

const collectAdjacentPieces = (index: number, rows: readonly NormalizedRow[]): Piece[] =>
  rows.flatMap((row) => [...(getTimeline(index, row)?.pieces ?? [])]);
