// Formats daily values as JSON text, one by one or by column. A metric has few distinct values, so
// the text of each is cached.
import { type MetricId, metricRow } from '../../catalog/metrics.ts';
import { presentUnit, presentValue } from '../kit/present-value.ts';
import type { UnitSystem } from '../kit/read-parameters.ts';

const maxCachedTexts = 16_384;
const almostHalf = 0.499_999;
/**
 * Indexed by precision, then by the value in steps of that precision. Each text includes the comma
 * that follows.
 */
const cachedTexts: (string | undefined)[][] = [];

function getCachedTexts(precision: number): (string | undefined)[] {
  const texts = cachedTexts[precision] ?? new Array<string | undefined>(maxCachedTexts);
  cachedTexts[precision] = texts;
  return texts;
}

/**
 * Formats a value as `presentValue` does, and NaN as null, each with the comma that follows: `1,`
 * or `2.5,` or `null,`.
 */
export function createValueWriter(metric: MetricId, unitSystem: UnitSystem): (value: number) => string {
  const { precision, unit } = metricRow(metric);
  const formatValue = (value: number): string => `${JSON.stringify(presentValue(metric, value, unitSystem))},`;
  if (presentUnit(metric, unitSystem) !== unit) return formatValue;
  const texts = getCachedTexts(precision);
  const power = 10 ** precision;
  return (value) => {
    const scaled = value * power;
    const steps = Math.round(scaled);
    // Close to a half, the exact decimal digits decide, not the double's.
    if (!(steps >= 0 && steps < maxCachedTexts && Math.abs(scaled - steps) < almostHalf)) return formatValue(value);
    const cached = texts[steps] ?? `${steps / power},`;
    texts[steps] = cached;
    return cached;
  };
}

/** Returns text such as `[1,2.5,null]`. */
export function formatColumn(metric: MetricId, column: Float64Array, unitSystem: UnitSystem): string {
  const write = createValueWriter(metric, unitSystem);
  let text = '';
  for (let at = 0; at < column.length; at++) text += write(column[at] ?? Number.NaN);
  return `[${text.slice(0, -1)}]`;
}
