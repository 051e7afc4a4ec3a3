// The stages of a night: periods in order, none of which overlaps another.
import { type SleepStage, totalOfStage } from '../catalog/sleep-stages.ts';
import { sumOf } from '../platform/arithmetic.ts';
import type { SleepRecord, StagePeriod } from './records.ts';
import type { Span } from './timeline.ts';

/**
 * Sorts the periods by start and separates those that overlap one that begins earlier; of two that
 * begin together, the first in the list stays.
 */
export function separateOverlapping<Period extends Span>(
  periods: readonly Period[],
): { accepted: Period[]; overlapping: Period[] } {
  const accepted: Period[] = [];
  const overlapping: Period[] = [];
  for (const period of periods.toSorted((a, b) => a.startMs - b.startMs)) {
    const isFree = period.startMs >= (accepted.at(-1)?.endMs ?? Number.NEGATIVE_INFINITY);
    (isFree ? accepted : overlapping).push(period);
  }
  return { accepted, overlapping };
}

/** A stage that does not occur stays null: the source may not report it. */
export function computeStageMinutes(
  stages: readonly StagePeriod[],
): Pick<SleepRecord, 'asleepMinutes' | 'deepMinutes' | 'lightMinutes' | 'remMinutes' | 'awakeMinutes'> {
  const minutesOf = (isCounted: (stage: SleepStage) => boolean): number | null => {
    const periods = stages.filter(({ stage }) => isCounted(stage));
    return periods.length === 0 ? null : sumOf(periods.map(({ startMs, endMs }) => (endMs - startMs) / 60_000));
  };
  return {
    asleepMinutes: minutesOf((stage) => totalOfStage[stage] === 'asleep'),
    deepMinutes: minutesOf((stage) => stage === 'deep'),
    lightMinutes: minutesOf((stage) => stage === 'light'),
    remMinutes: minutesOf((stage) => stage === 'rem'),
    awakeMinutes: minutesOf((stage) => totalOfStage[stage] === 'awake'),
  };
}
