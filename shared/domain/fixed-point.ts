// Sums and means in whole steps of a metric's scale, so that adding never shows binary noise.
import { type MetricId, metricRow, quantize } from '../model/metrics.ts';

/** How many steps of the metric's scale make one unit. */
export const stepsPerUnit = (metric: MetricId): number => 10 ** metricRow(metric).scale;

/** Half away from zero, exactly: no quotient is rounded before it is compared. */
export function divideRounded(sum: number, count: number): number {
  const whole = Math.trunc(sum / count);
  const rest = sum - whole * count;
  return Math.abs(rest) * 2 >= count ? whole + Math.sign(sum) : whole;
}

/** Of at least one value. */
export function sumOf(metric: MetricId, values: readonly number[]): number {
  return stepsIn(metric, values) / stepsPerUnit(metric);
}

/** Of at least one value. */
export function meanOf(metric: MetricId, values: readonly number[]): number {
  return divideRounded(stepsIn(metric, values), values.length) / stepsPerUnit(metric);
}

function stepsIn(metric: MetricId, values: readonly number[]): number {
  const perUnit = stepsPerUnit(metric);
  let steps = 0;
  for (const value of values) steps += Math.round(quantize(metric, value) * perUnit);
  return steps;
}
