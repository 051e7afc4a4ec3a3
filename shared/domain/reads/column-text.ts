// A column of daily values as JSON text. Most values of a metric are a few thousand whole steps of its precision, so their texts are made once and kept.
import { type MetricId, metricRow } from '../../model/metrics.ts';
import type { UnitSystem } from '../../model/read-parameters.ts';
import { presentUnit, presentValue } from '../present-value.ts';

const mostKept = 16_384;
/** By precision, then by steps. */
const kept: string[][] = [];

function textsOf(precision: number): string[] {
  const known = kept[precision];
  if (known) return known;
  const texts = Array.from({ length: mostKept }, (_, steps) => String(steps / 10 ** precision));
  kept[precision] = texts;
  return texts;
}

/** `[1,2.5,null]`: NaN is null, and every value reads as `presentValue` has it. */
export function columnText(metric: MetricId, column: Float64Array, unitSystem: UnitSystem): string {
  const { precision, unit } = metricRow(metric);
  const converts = presentUnit(metric, unitSystem) !== unit;
  return converts ? convertedText(metric, column, unitSystem) : roundedText(metric, column, precision);
}

function roundedText(metric: MetricId, column: Float64Array, precision: number): string {
  const texts = textsOf(precision);
  // As roundTo rounds: half up, although a double may lie a hair below the half.
  const factor = 10 ** precision * (1 + 2 ** -50);
  let text = '';
  for (let at = 0; at < column.length; at++) {
    const value = column[at] ?? Number.NaN;
    const steps = Math.round(value * factor);
    const short = steps >= 0 && steps < mostKept && value >= 0 ? texts[steps] : undefined;
    text += short ?? (Number.isNaN(value) ? 'null' : JSON.stringify(presentValue(metric, value, 'metric')));
    text += ',';
  }
  return `[${text.slice(0, -1)}]`;
}

const convertedText = (metric: MetricId, column: Float64Array, unitSystem: UnitSystem): string =>
  JSON.stringify(Array.from(column, (value) => (Number.isNaN(value) ? null : presentValue(metric, value, unitSystem))));
