// Simulates a date in quarter hours: steps, distance and energy.
import type { DayPlan } from './day-plan.ts';
import { createSeededRandom } from './seeded-random.ts';
import type { SimulatedUser } from './simulated-user.ts';

export interface QuarterHour {
  startMs: number;
  endMs: number;
  steps: number;
  metres: number;
  activeKcal: number;
  restingKcal: number;
}

const minuteMs = 60_000;
export const quarterHourMs = 15 * minuteMs;
/** The energy of walking above rest, per kilogram and step. */
const kcalPerKgStep = 0.00052;
/** The energy of being upright above rest, per kilogram and minute. */
const kcalPerKgMinuteUpright = 0.0012;

export function simulateActivity(user: SimulatedUser, plan: DayPlan): QuarterHour[] {
  const random = createSeededRandom(user.lifeSeed, 'quarters', plan.date);
  const starts = Array.from(
    { length: Math.round((plan.endMs - plan.startMs) / quarterHourMs) },
    (_none, at) => plan.startMs + at * quarterHourMs,
  );
  const freeMinutes = starts.map((startMs) => {
    const busyMinutes = [...plan.sleeps, ...plan.workouts].reduce(
      (sum, span) => sum + overlapMinutes(startMs, span),
      0,
    );
    return Math.max(0, 15 - busyMinutes);
  });
  const weights = starts.map((startMs, at) => {
    const hour = (startMs - plan.startMs) / 3_600_000;
    return (
      (freeMinutes[at] ?? 0) *
      walkingWeight(hour) *
      (random.chance(0.45) ? random.uniform(0.02, 0.15) : random.uniform(0.3, 1.6))
    );
  });
  const totalWeight = weights.reduce((sum, weight) => sum + weight, 0);
  const basalPerQuarter = basalKcal(user, plan) / 96;
  const steps = createCarryRounder();
  const metres = createCarryRounder();
  const active = createCarryRounder();
  const resting = createCarryRounder();
  return starts.map((startMs, at) => {
    const exercise = plan.workouts.map((workout) => {
      const share = overlapMinutes(startMs, workout) / workout.minutes;
      const onFoot = workout.sport === 'walking' || workout.sport === 'running';
      return {
        steps: workout.steps * share,
        metres: onFoot ? 1000 * workout.distanceKm * share : 0,
        kcal: workout.kcal * share,
      };
    });
    const total = (field: 'steps' | 'metres' | 'kcal') => exercise.reduce((sum, each) => sum + each[field], 0);
    const walkedSteps = totalWeight === 0 ? 0 : (plan.steps * (weights[at] ?? 0)) / totalWeight;
    const uprightKcal = kcalPerKgMinuteUpright * plan.weightKg * (freeMinutes[at] ?? 0);
    return {
      startMs,
      endMs: startMs + quarterHourMs,
      steps: steps(walkedSteps + total('steps')),
      metres: metres(walkedSteps * user.strideMetres + total('metres')),
      activeKcal: active(walkedSteps * kcalPerKgStep * plan.weightKg + uprightKcal + total('kcal')),
      restingKcal: resting(basalPerQuarter),
    };
  });
}

/**
 * Katch-McArdle: 370 kcal plus 21.6 per kilogram of lean mass. Schofield for children: 495 kcal
 * plus 22.6 per kilogram.
 */
const basalKcal = (user: SimulatedUser, plan: DayPlan): number =>
  user.habits.metabolism === 'child' ? 495 + 22.6 * plan.weightKg : 370 + 21.6 * leanKg(user, plan);

export const leanKg = (user: SimulatedUser, plan: DayPlan): number => plan.weightKg * (1 - user.bodyFatPct / 100);

/** People walk most on the way to work, at lunch and on the way home. */
const walkingWeight = (hour: number): number =>
  1 + [8, 12.5, 17.5].reduce((sum, peak) => sum + 1.6 * Math.exp(-((hour - peak) ** 2) / 0.8), 0);

function overlapMinutes(startMs: number, span: { startMs: number; endMs: number }): number {
  return Math.max(0, Math.min(startMs + quarterHourMs, span.endMs) - Math.max(startMs, span.startMs)) / minuteMs;
}

/** Rounds consecutive amounts and carries the remainder over, so that nothing is lost. */
function createCarryRounder(): (amount: number) => number {
  let exact = 0;
  let emitted = 0;
  return (amount) => {
    exact += amount;
    const increment = Math.round(exact) - emitted;
    emitted += increment;
    return increment;
  };
}
