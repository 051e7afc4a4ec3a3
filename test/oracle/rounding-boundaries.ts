// Values on a rounding boundary of the displayed number: directly, after a conversion, or as a sum
// or mean of several.

import { type Metric, metricOf } from './metric-table.ts';
import type { Random } from './random.ts';
import {
  compare,
  decimalText,
  fromNumber,
  multiply,
  type Rational,
  ratio,
  subtract,
  sum,
  toNumber,
} from './rational.ts';
import type { UnitValue } from './scenario-values.ts';
import { unitsOf } from './scenario-values.ts';
import { convert, convertSpan } from './units.ts';

const maxTries = 30;

/** Half of the last displayed place, in any unit that can express it exactly. */
export function halfValue(random: Random, metricId: string): UnitValue {
  const metric = metricOf(metricId);
  for (let at = 0; at < maxTries; at++) {
    const unit = random.pick([metric.unit, random.pick(unitsOf(metric))]);
    const value = exactNumber(convert(halfNear(random, metric, unit), metric.unit, unit));
    if (
      value !== null &&
      isInRange(metric, convert(fromNumber(value), unit, metric.unit)) &&
      (at > maxTries / 2 || losesHalf(metric, value, unit))
    )
      return imperialHalf(metric, value, unit) ?? { value, unit };
  }
  return { value: toNumber(halfNear(random, metric, metric.unit)), unit: metric.unit };
}

/**
 * A value in the imperial unit on a rounding boundary of that unit, chosen so that converting back
 * and forth would lose it.
 */
function imperialHalf(
  { unit, imperialUnit, imperialPrecision: precision }: Metric,
  value: number,
  usedUnit: string,
): UnitValue | null {
  if (usedUnit !== imperialUnit || usedUnit === unit) return null;
  const toFifteenDigits = (from: number, to: [string, string]): number =>
    Number(toNumber(convert(fromNumber(from), ...to)).toPrecision(15));
  const first = Math.floor(value * 10 ** precision);
  const found = Array.from({ length: maxTries }, (_none, at) => Number(`${first + at}5e-${precision + 1}`)).find(
    (half) => toFifteenDigits(toFifteenDigits(half, [usedUnit, unit]), [unit, usedUnit]) < half,
  );
  return found === undefined ? null : { value: found, unit: usedUnit };
}

/** A multiple of half a place with a finite decimal in that unit, if one is small enough. */
function halfNear(random: Random, metric: Metric, unit: string): Rational {
  const half = ratio(1, 2n * 10n ** BigInt(metric.precision));
  const rest = withoutTwosAndFives(convertSpan(half, metric.unit, unit).denominator);
  const step = multiply(half, ratio(rest));
  const [low, high] = usefulRange(metric);
  const toStepCount = (value: number): number => Math.floor(value / toNumber(step) / 2);
  return multiply(step, ratio(2 * random.int(toStepCount(low), Math.max(toStepCount(low), toStepCount(high))) + 1));
}

/** Whether the value as a double, scaled by the displayed decimals, misses the half. */
const losesHalf = ({ precision, unit }: Metric, value: number, used: string): boolean =>
  precision === 0 || used !== unit || (value * 10 ** precision) % 1 !== 0.5;

/** Equal parts that add up to half a place, although their sum in doubles is below it. */
export function driftingParts(random: Random, metricId: string): UnitValue[] {
  const { precision, unit } = metricOf(metricId);
  const lastDigit = 10 ** -precision;
  for (;;) {
    const step = Number((random.pick([0.1, 0.3, 0.7, 1.1, 0.9, 1.3, 2.3]) * lastDigit).toPrecision(3));
    const count = 5 * random.int(1, 9);
    const exact = multiply(fromNumber(step), ratio(count));
    const added = Array.from({ length: count }, () => step).reduce((sum, each) => sum + each, 0);
    if (isHalf(exact, precision) && compare(fromNumber(added), exact) < 0)
      return Array.from({ length: count }, () => ({ value: step, unit }));
  }
}

/** Parts of any size that add up to exactly the whole. */
export function splitExactly(random: Random, { value, unit }: UnitValue): UnitValue[] {
  const parts = Array.from({ length: random.int(5, 12) }, () => Number(((value * random.next()) / 13).toPrecision(6)));
  const rest = subtract(fromNumber(value), sum(parts.map(fromNumber)));
  return [...parts, Number(decimalText(rest, 20))].map((part) => ({ value: part, unit }));
}

const isHalf = (value: Rational, precision: number): boolean =>
  multiply(value, ratio(2n * 10n ** BigInt(precision))).denominator === 1n &&
  multiply(value, ratio(10n ** BigInt(precision))).denominator === 2n;

/** Two adjacent values whose mean is between two places. */
export function neighbours(random: Random, metricId: string): UnitValue[] {
  const metric = metricOf(metricId);
  const [low, high] = usefulRange(metric);
  const { precision, unit } = metric;
  const lower = Math.floor(random.between(low, high) * 10 ** precision);
  const value = (at: number): number => Number(`${at}e-${precision}`);
  return [lower, lower + random.pick([1, 3, 5])].map((at) => ({ value: value(at), unit }));
}

/** Well within the plausible range, so that slightly larger values are plausible too. */
function usefulRange({ range: [min, max], aggregation }: Metric): [number, number] {
  return aggregation === 'sum' ? [0, max / 10] : [min + (max - min) * 0.1, min + (max - min) * 0.8];
}

const isInRange = ({ range: [min, max] }: Metric, value: Rational): boolean =>
  compare(value, fromNumber(min)) >= 0 && compare(value, fromNumber(max)) <= 0;

/** Null if no number of fifteen digits equals the value exactly. */
function exactNumber(value: Rational): number | null {
  if (withoutTwosAndFives(value.denominator) !== 1n) return null;
  const text = decimalText(value, value.denominator.toString(2).length);
  const digits = text
    .replace(/^[-0.]+/, '')
    .replace('.', '')
    .replace(/0+$/, '');
  const number = Number(text);
  return digits.length <= 15 && compare(fromNumber(number), value) === 0 ? number : null;
}

function withoutTwosAndFives(value: bigint): bigint {
  let rest = value;
  for (const prime of [2n, 5n]) while (rest % prime === 0n) rest /= prime;
  return rest;
}
