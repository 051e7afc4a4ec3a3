// The arithmetic of charts: which days have no value, and where the ticks of an axis are.

/** From the first day up to, but not including, the last one. */
export interface DayRun {
  from: number;
  to: number;
}

/** The runs of consecutive true flags, each as [from, to). */
export function findDayRuns(flags: readonly boolean[]): DayRun[] {
  const runs: DayRun[] = [];
  for (const [index, flag] of flags.entries()) {
    if (!flag) continue;
    const last = runs.at(-1);
    if (last?.to === index) last.to = index + 1;
    else runs.push({ from: index, to: index + 1 });
  }
  return runs;
}

/**
 * Four to six round ticks that span every value. They start at zero unless `startsAtZero` is false.
 */
export function chooseTicks(
  values: readonly (number | null)[],
  { startsAtZero = true, minStep = 1 }: { startsAtZero?: boolean; minStep?: number } = {},
): number[] {
  const presentValues = values.filter((value) => value !== null);
  const min = startsAtZero || presentValues.length === 0 ? 0 : Math.min(...presentValues);
  const max = Math.max(min + minStep, ...presentValues);
  const idealStep = (max - min) / 5;
  const power = 10 ** Math.floor(Math.log10(idealStep));
  const roundStep = [1, 2, 5].map((digit) => digit * power).find((step) => step >= idealStep) ?? 10 * power;
  const step = Math.max(minStep, roundStep);
  const first = Math.floor(min / step);
  const count = Math.ceil(max / step) - first;
  return Array.from({ length: Math.max(1, count) + 1 }, (_, index) => (first + index) * step);
}
