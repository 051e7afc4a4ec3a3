// The days and hours that an axis names.

/** The width of the value axis; the strip of devices below begins at the same place. */
export const axisPixels = 52;
const pixelsPerTick = 90;
/** Half of the widest name of a day or an hour. */
const halfTickPixels = 26;

/** How many units lie between two names on the axis, so that the names do not touch. */
export const chooseStep = (count: number, width: number): number =>
  Math.max(1, Math.ceil(count / Math.max(2, Math.floor(width / pixelsPerTick))));

/** Few enough days that their names do not touch, counted from the last whose name fits. */
export function chooseDays(dates: readonly string[], width: number): string[] {
  const dayPixels = Math.max(1, width - axisPixels) / Math.max(1, dates.length);
  const last = dates.length - 1 - Math.max(0, Math.ceil(halfTickPixels / dayPixels - 0.5));
  const step = chooseStep(dates.length, width);
  return dates.filter((_, at) => at <= last && (last - at) % step === 0);
}

/**
 * The hours to name, of those whose names say most: few enough that they do not touch, and none that
 * the right edge would cut off. Hours are counted from the left edge.
 */
export function chooseHours(candidates: readonly number[], hours: number, width: number): number[] {
  const hourPixels = Math.max(1, width - axisPixels) / Math.max(1, hours);
  const fitting = candidates.filter((hour) => (hours - hour) * hourPixels >= halfTickPixels);
  const step = chooseStep(candidates.length, width);
  return fitting.filter((_, at) => (fitting.length - 1 - at) % step === 0);
}
