// What a merge records while it runs, for reads that say where a value came from and why.

import type { MetricId } from '../catalog/metrics.ts';
import type { Piece } from '../measurements/timeline.ts';

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
  /** The metrics of the same day that the value adds up; absent if it was merged by itself. */
  sumOf?: readonly MetricId[];
}

export const leftOutReasons = [
  'disabled',
  'lower_rank',
  'measured_by_a_higher_rank',
  'total_of_a_higher_rank',
  'total_where_samples_exist',
  'group_of_another_device',
  'deep_and_rem_sleep_count',
  'another_device_of_the_provider',
  'smaller_value',
  'counted_on_another_day',
] as const;
export type LeftOutReason = (typeof leftOutReasons)[number];

/** A device's value, or a part of it, that did not enter the day's value. */
export interface LeftOut {
  /** The ordinal of the device. */
  ordinal: number;
  value: number;
  reason: LeftOutReason;
  /** The number of measured periods that it consists of; 0 where times play no role. */
  periods: number;
}

/** A period that a device measured, and how much of it entered the day's value. */
export interface MeasuredPeriod extends Piece {
  /** The ordinal of the device. */
  ordinal: number;
  counted: number;
}

/** The details of one metric. */
export interface MetricRecord {
  /** The index of the metric. */
  index: number;
  periods: MeasuredPeriod[];
  leftOut: LeftOut[];
  /** Replaces the shares of the breakdown, which may lack shares of zero. */
  shares?: Share[];
}

export interface MergeRecorder {
  /** Receives the share of each device for values that may combine several devices, by metric. */
  breakdowns: Map<number, ValueBreakdown>;
  /** The metric whose details are recorded. */
  metric?: MetricRecord;
}
