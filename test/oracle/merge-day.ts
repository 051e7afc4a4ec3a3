// The merge of a day: at each moment the highest-ranked device that measured then counts, and the
// day is the sum of all counted parts.

import { type Amount, amountIn, type CountedSample, countedSamples } from './counted-samples.ts';
import type { Part } from './days.ts';
import { commonUnit, hasMixedSpellings, reportedTotal, timeShare } from './device-value.ts';
import { metricOf } from './metric-table.ts';
import type { Device } from './model-user.ts';
import { add, multiply, type Rational, sum, zero } from './rational.ts';
import { isMoment, type Sample } from './records.ts';
import { convert } from './units.ts';
import type { View } from './view.ts';

/** What one device contributes to a value. */
export interface Share {
  device: Device;
  value: Rational;
  tolerance: Rational;
  original: Rational;
  originalTolerance: Rational;
  unit: string;
  mayMixUnits: boolean;
  /** The device's total for the day, in that unit. Without it, the share is the total. */
  deviceTotal?: Rational;
}
/** The shares of one value, ordered from the highest-ranked device. */
export interface Sum {
  value: Rational;
  tolerance: Rational;
  shares: Share[];
}

/** Null if no device has the metric on that day. */
export function mergeDay(view: View, devices: readonly Device[], metric: string, date: string): Sum | null {
  const first = devices.find(
    (device) => reportedTotal(device, metric, date) || view.partsOn(device, metric, date).length > 0,
  );
  if (!first) return null;
  const total = reportedTotal(first, metric, date);
  if (total) return sumOf([{ device: first, ...total, tolerance: zero, originalTolerance: zero }]);
  const countedSamplesByKey = countedSamples(view, metric, devices);
  return sumOf(devices.flatMap((device) => computeShare(view, device, metric, date, countedSamplesByKey) ?? []));
}

export const sumOf = (shares: Share[]): Sum => ({
  value: sum(shares.map(({ value }) => value)),
  tolerance: sum(shares.map(({ tolerance }) => tolerance)),
  shares,
});

function computeShare(
  view: View,
  device: Device,
  metric: string,
  date: string,
  countedSamplesByKey: ReadonlyMap<Sample, CountedSample>,
): Share | null {
  const parts = view.partsOn(device, metric, date);
  if (parts.length === 0) return null;
  let all: Omit<Amount, 'touches'> = { value: zero, tolerance: zero, original: zero, originalTolerance: zero };
  const counted: Part[] = [];
  for (const part of parts) {
    const { sample, from, to } = part;
    const each = countedSamplesByKey.get(sample);
    if (!each) continue;
    const amount = amountIn(each, { from, to: isMoment(sample) ? to + 1 : to });
    all = addAmounts(all, amount);
    if (amount.touches) counted.push(part);
  }
  const reported = reportedTotal(device, metric, date);
  const fullValue = sum(parts.map((part) => multiply(part.sample.value, timeShare(part))));
  const totalIn = (unit: string): Rational => convert(fullValue, metricOf(metric).unit, unit);
  if (reported)
    return {
      device,
      ...all,
      ...convertShare(reported.unit, all, metric),
      mayMixUnits: false,
      deviceTotal: totalIn(reported.unit),
    };
  // Parts covered by a higher-ranked device do not count, so their unit is ignored.
  const countedParts = counted.length > 0 ? counted : parts;
  const unit = commonUnit(countedParts);
  if (unit !== null) {
    const mayBeMixed = commonUnit(parts) === null || hasMixedSpellings(parts);
    return { device, ...all, unit, mayMixUnits: mayBeMixed, deviceTotal: totalIn(unit) };
  }
  return {
    device,
    ...all,
    ...convertShare(metricOf(metric).unit, all, metric),
    mayMixUnits: false,
    deviceTotal: fullValue,
  };
}

/**
 * A share in another unit than its samples: if the device also reports a total, the unit of that
 * total.
 */
function convertShare(unit: string, { value, tolerance }: Pick<Amount, 'value' | 'tolerance'>, metric: string) {
  const own = metricOf(metric).unit;
  return { original: convert(value, own, unit), originalTolerance: convert(tolerance, own, unit), unit };
}

const addAmounts = (a: Omit<Amount, 'touches'>, b: Amount): Omit<Amount, 'touches'> => ({
  value: add(a.value, b.value),
  tolerance: add(a.tolerance, b.tolerance),
  original: add(a.original, b.original),
  originalTolerance: add(a.originalTolerance, b.originalTolerance),
});
