// One day while it is merged: what each device reported, by position in the device list, and the row
// that receives the result.

import type { CanonicalRow } from '../measurements/codec/canonical-day.ts';
import type { LeftOutReason, MergeRecorder, MetricRecord } from './merge-recorder.ts';

export interface LoadedDay {
  /** The ordinal of the device at each position. */
  ordinals: Uint16Array;
  /** A provider number for each position. */
  providerOf: Uint16Array;
  merged: CanonicalRow;
  /** NaN if the device has no value. */
  valueAt(position: number, index: number): number;
  has(position: number, index: number): boolean;
}

/** The position of no device. */
export const noPosition = -1;

/** Makes a device the source of the metric. */
export function takeValue({ merged, ordinals, valueAt }: LoadedDay, index: number, position: number): void {
  merged.values[index] = position === noPosition ? Number.NaN : valueAt(position, index);
  merged.sources[index] = ordinals[position] ?? 0;
}

export function findHighestRanked({ has }: LoadedDay, order: ArrayLike<number>, index: number): number {
  for (let at = 0; at < order.length; at++) {
    const position = order[at] ?? 0;
    if (has(position, index)) return position;
  }
  return noPosition;
}

/** Of equal values, the one of the highest-ranked device. */
export function findLargest({ valueAt }: LoadedDay, positions: readonly number[], index: number): number {
  const [first = noPosition] = positions;
  return positions.reduce((best, each) => (valueAt(each, index) > valueAt(best, index) ? each : best), first);
}

/**
 * Chooses one device per provider: the highest-ranked one that `isPreferred`, otherwise the
 * highest-ranked one that `isAcceptable`. The result is in rank order.
 */
export function choosePerProvider(
  { providerOf }: LoadedDay,
  order: Uint16Array,
  isPreferred: (position: number) => boolean,
  isAcceptable: (position: number) => boolean = () => false,
): number[] {
  const positions = Array.from(order);
  const chosen = [...Map.groupBy(positions, (position) => providerOf[position]).values()].map(
    (own) => own.find(isPreferred) ?? own.find(isAcceptable),
  );
  return positions.filter((position) => chosen.includes(position));
}

/** Only the metric that the recorder names is recorded in detail. */
export const recordOf = (recorder: MergeRecorder | undefined, index: number): MetricRecord | undefined =>
  recorder?.metric?.index === index ? recorder.metric : undefined;

/** Records the value that a device has, but that the day does not take from it. */
export function leaveOut(
  { ordinals, valueAt }: LoadedDay,
  record: MetricRecord,
  position: number,
  reason: LeftOutReason,
): void {
  const value = valueAt(position, record.index);
  record.leftOut.push({ ordinal: ordinals[position] ?? 0, value, reason, periods: 0 });
}
