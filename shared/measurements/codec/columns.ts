// Converts many canonical days into one column per metric, the shape of the daily responses.
import { emptyCanonicalRow, unpackCanonicalRow } from './canonical-day.ts';
import { metricSlots } from './value-block.ts';

type Days = readonly (Uint8Array | undefined)[];

function assertMetricIndexes(metricIndexes: readonly number[]): void {
  for (const index of metricIndexes) {
    if (!(index >= 0 && index < metricSlots)) throw new RangeError(`no metric has index ${index}`);
  }
}

/**
 * Column i holds metric `metricIndexes[i]` with one entry per day; NaN where the day or the metric
 * is missing.
 */
export function decodeColumns(days: Days, metricIndexes: readonly number[]): Float64Array[] {
  assertMetricIndexes(metricIndexes);
  const height = days.length;
  const cells = new Float64Array(height * metricIndexes.length).fill(Number.NaN);
  const row = emptyCanonicalRow();
  for (let day = 0; day < height; day++) {
    const bytes = days[day];
    if (bytes === undefined) continue;
    const { values } = unpackCanonicalRow(bytes, row);
    for (let column = 0; column < metricIndexes.length; column++) {
      cells[column * height + day] = values[metricIndexes[column] ?? 0] ?? Number.NaN;
    }
  }
  return metricIndexes.map((_, column) => cells.subarray(column * height, (column + 1) * height));
}

/** The sources that belong to the values of `decodeColumns`; -1 where there is no value. */
export function decodeSourceColumns(days: Days, metricIndexes: readonly number[]): Int32Array[] {
  assertMetricIndexes(metricIndexes);
  const height = days.length;
  const cells = new Int32Array(height * metricIndexes.length).fill(-1);
  const row = emptyCanonicalRow();
  for (let day = 0; day < height; day++) {
    const bytes = days[day];
    if (bytes === undefined) continue;
    const { values, sources } = unpackCanonicalRow(bytes, row);
    for (let column = 0; column < metricIndexes.length; column++) {
      const index = metricIndexes[column] ?? 0;
      if (!Number.isNaN(values[index] ?? Number.NaN)) cells[column * height + day] = sources[index] ?? -1;
    }
  }
  return metricIndexes.map((_, column) => cells.subarray(column * height, (column + 1) * height));
}
