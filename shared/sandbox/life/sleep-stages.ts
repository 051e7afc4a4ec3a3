// Simulates when each stage of a sleep begins. A cycle lasts about 90 minutes: light, deep and light
// sleep, then REM. Deep sleep is mostly early, REM mostly late, and the user wakes up a few times.
import type { SleepStage } from '../../catalog/sleep-stages.ts';
import type { StagePeriod } from '../../measurements/records.ts';
import type { PlannedSleep } from './plan-sleep.ts';
import { createSeededRandom } from './seeded-random.ts';
import type { SimulatedUser } from './simulated-user.ts';

const minuteMs = 60_000;
const cycleMs = 90 * minuteMs;

/**
 * The periods follow one another from the start of the sleep to its end, in whole minutes that add
 * up to the planned minutes of each stage.
 */
export function simulateSleepStages(user: SimulatedUser, sleep: PlannedSleep): StagePeriod[] {
  const { startMs, endMs, deepMinutes, remMinutes, lightMinutes, awakeMinutes, latencyMinutes } = sleep;
  const random = createSeededRandom(user.lifeSeed, 'stages', startMs);
  const cycles = Array.from({ length: Math.max(1, Math.round((endMs - startMs) / cycleMs)) }, (_none, at) => at);
  const distribute = (minutes: number, shareOf: (cycle: number) => number): number[] =>
    splitByShares(
      minutes,
      cycles.map((cycle) => shareOf(cycle) * random.uniform(0.75, 1.25)),
    );
  const deep = distribute(deepMinutes, (cycle) => 0.55 ** cycle);
  const rem = distribute(remMinutes, (cycle) => 0.3 + cycle);
  const falling = distribute(Math.round(0.45 * lightMinutes), () => 1);
  const rising = distribute(lightMinutes - Math.round(0.45 * lightMinutes), () => 1);
  const wakesAfter = (cycle: number): boolean => cycle === cycles.length - 1 || random.chance(0.6);
  const awake = distribute(awakeMinutes - latencyMinutes, (cycle) => (wakesAfter(cycle) ? 1 : 0));
  return toPeriods(startMs, [
    ['awake', latencyMinutes],
    ...cycles.flatMap((cycle): [SleepStage, number | undefined][] => [
      ['light', falling[cycle]],
      ['deep', deep[cycle]],
      ['light', rising[cycle]],
      ['rem', rem[cycle]],
      ['awake', awake[cycle]],
    ]),
  ]);
}

/** Whole numbers that add up to the total. At least one share is positive. */
function splitByShares(total: number, shares: readonly number[]): number[] {
  const sum = shares.reduce((partial, share) => partial + share, 0);
  let reached = 0;
  let assigned = 0;
  return shares.map((share) => {
    reached += share;
    const part = Math.round((total * reached) / sum) - assigned;
    assigned += part;
    return part;
  });
}

/** Leaves out stages without minutes and joins equal neighbours. */
function toPeriods(
  nightStartMs: number,
  stages: readonly (readonly [SleepStage, number | undefined])[],
): StagePeriod[] {
  const periods: StagePeriod[] = [];
  let startMs = nightStartMs;
  for (const [stage, minutes = 0] of stages) {
    if (minutes === 0) continue;
    const endMs = startMs + minutes * minuteMs;
    const last = periods.at(-1);
    if (last?.stage === stage) last.endMs = endMs;
    else periods.push({ stage, startMs, endMs });
    startMs = endMs;
  }
  return periods;
}
