// Merges one metric of one day across devices, according to when each device measured.

import { marks, type NormalizedRow } from '../measurements/codec/normalized-day.ts';
import type { Piece, Timeline } from '../measurements/timeline.ts';
import { removeSumNoise, sumOf } from '../platform/arithmetic.ts';
import { computeShares } from './coverage-shares.ts';

export interface Share {
  /** The ordinal of the device. */
  ordinal: number;
  value: number;
}

/** The shares of a value that combines several devices, highest-ranked device first. */
export interface ValueBreakdown {
  shares: Share[];
  /** Whether the value is the sum of the shares, or that sum divided by the number of providers. */
  combination: 'sum' | 'mean';
}

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

/**
 * Returns undefined when no device has the metric. `devices` are in rank order, highest first. If
 * the highest-ranked device states a total itself, that total is the day's value.
 */
export function mergeMetricByPeriod(index: number, devices: readonly DeviceMeasurements[]): PeriodValue | undefined {
  const highestRanked = devices.find(({ row }) => !Number.isNaN(row?.values[index] ?? Number.NaN));
  if (highestRanked?.row === undefined) return undefined;
  const ownShare: Share = { ordinal: highestRanked.ordinal, value: highestRanked.row.values[index] ?? 0 };
  const unmerged = {
    value: ownShare.value,
    highestRanked: highestRanked.ordinal,
    largestContributor: highestRanked.ordinal,
    shares: [ownShare],
  };
  if (highestRanked.row.marks[index] !== marks.derived || getTimeline(index, highestRanked.row) === undefined)
    return unmerged;
  const competitors = devices
    .map(({ ordinal, row, adjacentRows }) => ({
      ordinal,
      timeline: getTimeline(index, row),
      adjacentPieces: collectAdjacentPieces(index, adjacentRows),
    }))
    .filter(({ timeline, adjacentPieces }) => timeline !== undefined || adjacentPieces.length > 0);
  if (competitors.length === 1) return unmerged;
  const shareValues = computeShares(competitors);
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

/** Returns the first of equal shares, which belongs to the higher-ranked device. */
export function findLargestShare(shares: readonly Share[]): Share | undefined {
  let best: Share | undefined;
  for (const share of shares) if (best === undefined || share.value > best.value) best = share;
  return best;
}

const getTimeline = (index: number, row: NormalizedRow | undefined): Timeline | undefined => row?.timelines?.get(index);

const collectAdjacentPieces = (index: number, rows: readonly NormalizedRow[]): Piece[] =>
  rows.flatMap((row) => [...(getTimeline(index, row)?.pieces ?? [])]);
