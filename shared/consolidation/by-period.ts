// One metric of one day, merged over several devices by when each of them measured.

import { marks, type NormalizedRow } from '../measurements/codec/normalized-day.ts';
import type { Piece, Timeline } from '../measurements/timeline-span.ts';
import { sumOf, withoutNoiseOfParts } from '../platform/arithmetic.ts';
import { sharesOf } from './shares.ts';

export interface Share {
  /** The device's. */
  ordinal: number;
  value: number;
}

/** What a value of several devices is made of, the most believed first. */
export interface Parts {
  shares: Share[];
  /** It is their sum, or their sum over the number of providers among them. */
  as: 'sum' | 'mean';
}

export interface PeriodValue {
  value: number;
  /** The most believed device that has the metric. */
  top: number;
  /** The device with the largest share. */
  leader: number;
  shares: Share[];
}

export interface Measuring {
  ordinal: number;
  /** What it said about the day; undefined when it said nothing. */
  row: NormalizedRow | undefined;
  /** What it said about other days that touch the same hours. */
  beside: readonly NormalizedRow[];
}

/** `devices` come with the most believed first. Undefined when none has the metric. A total the most believed states itself is the day's value. */
export function byPeriod(index: number, devices: readonly Measuring[]): PeriodValue | undefined {
  const top = devices.find(({ row }) => !Number.isNaN(row?.values[index] ?? Number.NaN));
  if (top?.row === undefined) return undefined;
  const alone: Share = { ordinal: top.ordinal, value: top.row.values[index] ?? 0 };
  const taken = { value: alone.value, top: top.ordinal, leader: top.ordinal, shares: [alone] };
  if (top.row.marks[index] !== marks.derived || timesOf(index, top.row) === undefined) return taken;
  const competing = devices
    .map(({ ordinal, row, beside }) => ({
      ordinal,
      timeline: timesOf(index, row),
      beside: piecesBeside(index, beside),
    }))
    .filter(({ timeline, beside }) => timeline !== undefined || beside.length > 0);
  if (competing.length === 1) return taken;
  const kept = sharesOf(competing);
  const shares = competing.flatMap(({ ordinal }, at): Share[] => {
    const value = kept[at];
    return value === undefined ? [] : [{ ordinal, value }];
  });
  const sum = sumOf(shares.map(({ value }) => value));
  const isWhole = competing.every(({ timeline }, at) => kept[at] === timeline?.total);
  // Parts with repeating decimals can add up to an exact value such as 12.5.
  const value = isWhole ? sum : withoutNoiseOfParts(sum);
  const leader = largestShare(shares)?.ordinal ?? top.ordinal;
  return { value, top: top.ordinal, leader, shares };
}

/** Of equal ones the first, which is the more believed. */
export function largestShare(shares: readonly Share[]): Share | undefined {
  let best: Share | undefined;
  for (const share of shares) if (best === undefined || share.value > best.value) best = share;
  return best;
}

const timesOf = (index: number, row: NormalizedRow | undefined): Timeline | undefined => row?.timelines?.get(index);

const piecesBeside = (index: number, rows: readonly NormalizedRow[]): Piece[] =>
  rows.flatMap((row) => [...(timesOf(index, row)?.pieces ?? [])]);
