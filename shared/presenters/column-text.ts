// A column of daily values as JSON text. A metric takes few different values, so the text of each is made once and kept.
import { type MetricId, metricRow } from '../model/metrics.ts';
import type { UnitSystem } from '../model/read-parameters.ts';
import { presentUnit, presentValue } from './present-value.ts';

const mostKept = 16_384;
const almostHalf = 0.499_999;
/** By precision, then by how many steps of it the value is; each with the comma that follows. */
const kept: (string | undefined)[][] = [];

function textsOf(precision: number): (string | undefined)[] {
  const texts = kept[precision] ?? new Array<string | undefined>(mostKept);
  kept[precision] = texts;
  return texts;
}

/** `[1,2.5,null]`: NaN is null, and every value reads as `presentValue` has it. */
export function columnText(metric: MetricId, column: Float64Array, unitSystem: UnitSystem): string {
  const converts = presentUnit(metric, unitSystem) !== metricRow(metric).unit;
  return converts ? convertedText(metric, column, unitSystem) : roundedText(metric, column);
}

function roundedText(metric: MetricId, column: Float64Array): string {
  const { precision } = metricRow(metric);
  const texts = textsOf(precision);
  const power = 10 ** precision;
  let text = '';
  for (let at = 0; at < column.length; at++) {
    const value = column[at] ?? Number.NaN;
    const scaled = value * power;
    const steps = Math.round(scaled);
    // Close to a half the decimal digits decide, not the double's.
    if (steps >= 0 && steps < mostKept && Math.abs(scaled - steps) < almostHalf) {
      const known = texts[steps] ?? `${steps / power},`;
      texts[steps] = known;
      text += known;
    } else {
      text += Number.isNaN(value) ? 'null,' : `${presentValue(metric, value, 'metric')},`;
    }
  }
  return `[${text.slice(0, -1)}]`;
}

const convertedText = (metric: MetricId, column: Float64Array, unitSystem: UnitSystem): string =>
  JSON.stringify(Array.from(column, (value) => (Number.isNaN(value) ? null : presentValue(metric, value, unitSystem))));
