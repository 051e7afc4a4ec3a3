// One metric of one day, merged over several devices by when each of them measured.

import { marks, type NormalizedRow } from '../measurements/codec/normalized-day.ts';
import type { Piece, Timeline } from '../measurements/timeline.ts';
import { removeSumNoise, sumOf } from '../platform/arithmetic.ts';
import { computeShares } from './coverage-shares.ts';

export interface Share {
  /** The device's. */
  ordinal: number;
  value: number;
}

/** What a value of several devices is made of, the most believed first. */
export interface ValueBreakdown {
  shares: Share[];
  /** It is their sum, or their sum over the number of providers among them. */
  combination: 'sum' | 'mean';
}

export interface PeriodValue {
  value: number;
  /** The most believed device that has the metric. */
  highestRanked: number;
  /** The device with the largest share. */
  largestContributor: number;
  shares: Share[];
}

export interface DeviceMeasurements {
  ordinal: number;
  /** What it said about the day; undefined when it said nothing. */
  row: NormalizedRow | undefined;
  /** What it said about other days that touch the same hours. */
  adjacentRows: readonly NormalizedRow[];
}

/** `devices` come with the most believed first. Undefined when none has the metric. A total the most believed states itself is the day's value. */
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
  const keptValues = computeShares(competitors);
  const shares = competitors.flatMap(({ ordinal }, at): Share[] => {
    const value = keptValues[at];
    return value === undefined ? [] : [{ ordinal, value }];
  });
  const sum = sumOf(shares.map(({ value }) => value));
  const isComplete = competitors.every(({ timeline }, at) => keptValues[at] === timeline?.total);
  // Parts with repeating decimals can add up to an exact value such as 12.5.
  const value = isComplete ? sum : removeSumNoise(sum);
  const largestContributor = findLargestShare(shares)?.ordinal ?? highestRanked.ordinal;
  return { value, highestRanked: highestRanked.ordinal, largestContributor, shares };
}

/** Of equal ones the first, which is the more believed. */
export function findLargestShare(shares: readonly Share[]): Share | undefined {
  let best: Share | undefined;
  for (const share of shares) if (best === undefined || share.value > best.value) best = share;
  return best;
}

const getTimeline = (index: number, row: NormalizedRow | undefined): Timeline | undefined => row?.timelines?.get(index);

const collectAdjacentPieces = (index: number, rows: readonly NormalizedRow[]): Piece[] =>
  rows.flatMap((row) => [...(getTimeline(index, row)?.pieces ?? [])]);
