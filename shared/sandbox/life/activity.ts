// A date in quarters of an hour: how many steps, how far, and what it burned.
import type { DayPlan } from './day-plan.ts';
import type { SandboxPerson } from './persona.ts';
import { diceFor } from './random.ts';

export interface Quarter {
  startMs: number;
  endMs: number;
  steps: number;
  metres: number;
  activeKcal: number;
  restingKcal: number;
}

const minuteMs = 60_000;
export const quarterMs = 15 * minuteMs;
/** What walking costs above rest, for a kilogram and a step. */
const kcalPerKgStep = 0.00052;
/** What being up costs above rest, for a kilogram and a minute. */
const kcalPerKgMinuteUp = 0.0012;

export function quartersOf(person: SandboxPerson, plan: DayPlan): Quarter[] {
  const dice = diceFor(person.userId, 'quarters', plan.date);
  const starts = Array.from(
    { length: Math.round((plan.endMs - plan.startMs) / quarterMs) },
    (_none, at) => plan.startMs + at * quarterMs,
  );
  const free = starts.map((startMs) => {
    const taken = [...plan.sleeps, ...plan.workouts].reduce((sum, span) => sum + overlapMinutes(startMs, span), 0);
    return Math.max(0, 15 - taken);
  });
  const weights = starts.map((startMs, at) => {
    const hour = (startMs - plan.startMs) / 3_600_000;
    return (free[at] ?? 0) * rush(hour) * (dice.chance(0.45) ? dice.between(0.02, 0.15) : dice.between(0.3, 1.6));
  });
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const basalPerQuarter = basalKcal(person, plan) / 96;
  const steps = inWhole();
  const metres = inWhole();
  const active = inWhole();
  const resting = inWhole();
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
    const total = (of: 'steps' | 'metres' | 'kcal') => exercise.reduce((sum, each) => sum + each[of], 0);
    const walked = whole === 0 ? 0 : (plan.steps * (weights[at] ?? 0)) / whole;
    const up = kcalPerKgMinuteUp * plan.weightKg * (free[at] ?? 0);
    return {
      startMs,
      endMs: startMs + quarterMs,
      steps: steps(walked + total('steps')),
      metres: metres(walked * person.strideMetres + total('metres')),
      activeKcal: active(walked * kcalPerKgStep * plan.weightKg + up + total('kcal')),
      restingKcal: resting(basalPerQuarter),
    };
  });
}

/** Katch and McArdle: 370 kcal and 21.6 for every kilogram without fat; Schofield for children: 495 and 22.6 for every kilogram. */
const basalKcal = (person: SandboxPerson, plan: DayPlan): number =>
  person.habits.metabolism === 'child' ? 495 + 22.6 * plan.weightKg : 370 + 21.6 * leanKg(person, plan);

export const leanKg = (person: SandboxPerson, plan: DayPlan): number => plan.weightKg * (1 - person.bodyFatPct / 100);

/** On the way to work, at lunch and on the way home people walk most. */
const rush = (hour: number): number =>
  1 + [8, 12.5, 17.5].reduce((sum, peak) => sum + 1.6 * Math.exp(-((hour - peak) ** 2) / 0.8), 0);

function overlapMinutes(startMs: number, span: { startMs: number; endMs: number }): number {
  return Math.max(0, Math.min(startMs + quarterMs, span.endMs) - Math.max(startMs, span.startMs)) / minuteMs;
}

/** Rounds one after the other so that what is left over is never lost. */
function inWhole(): (amount: number) => number {
  let exact = 0;
  let given = 0;
  return (amount) => {
    exact += amount;
    const now = Math.round(exact) - given;
    given += now;
    return now;
  };
}
