// Lays out the stages of a simulated sleep, for tests that need only its minutes to be right.
import type { SleepStage } from '../../shared/catalog/sleep-stages.ts';
import type { StagePeriod } from '../../shared/measurements/records.ts';
import type { SimulatedSleep } from '../../shared/sandbox/simulated-providers/simulated-day.ts';

const minuteMs = 60_000;

/** Stages one after the other; those without minutes are left out. */
export function layOutStages(startMs: number, stages: readonly (readonly [SleepStage, number])[]): StagePeriod[] {
  let atMs = startMs;
  return stages.flatMap(([stage, minutes]) => {
    const period = { stage, startMs: atMs, endMs: atMs + minutes * minuteMs };
    atMs = period.endMs;
    return minutes === 0 ? [] : [period];
  });
}

/** Adds the stages of one cycle, with the rest of the time awake after it. */
export const withStages = (sleep: Omit<SimulatedSleep, 'stages'>): SimulatedSleep => ({
  ...sleep,
  stages: layOutStages(sleep.startMs, [
    ['awake', sleep.latencyMinutes],
    ['light', Math.floor(sleep.lightMinutes / 2)],
    ['deep', sleep.deepMinutes],
    ['light', Math.ceil(sleep.lightMinutes / 2)],
    ['rem', sleep.remMinutes],
    ['awake', sleep.awakeMinutes - sleep.latencyMinutes],
  ]),
});
