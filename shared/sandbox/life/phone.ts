// What the phone says of a date: steps as they were walked, energy, meals, the scale in the morning.

import { nutrients } from '../../providers/kit/coverage.ts';
import { leanKg, type Quarter } from './activity.ts';
import type { DayPlan } from './day-plan.ts';
import { oneDecimal } from './heart.ts';
import { loggedMeals, nutrientUnits } from './nutrition.ts';
import { dayOfCycle, isMissing, type SandboxPerson } from './persona.ts';
import { diceFor } from './random.ts';
import { type DeviceRecords, nothing, sampleOf, type UploadedDaily, type UploadedSample } from './records.ts';

const minuteMs = 60_000;

/** Only what is over by `untilMs`. */
export function phoneRecords(
  person: SandboxPerson,
  plan: DayPlan,
  quarters: readonly Quarter[],
  untilMs: number,
): DeviceRecords {
  if (isMissing(person, plan.date)) return nothing;
  const over = quarters.filter(({ endMs }) => endMs <= untilMs);
  return {
    samples: [...walked(person, plan, over), ...morning(person, plan, untilMs)],
    daily: [...totals(person, plan, over, untilMs), ...eaten(person, plan, quarters, untilMs)],
    sleep: [],
    workouts: [],
  };
}

function walked(person: SandboxPerson, plan: DayPlan, over: readonly Quarter[]): UploadedSample[] {
  return over.flatMap(({ startMs, endMs, steps, metres, activeKcal, restingKcal }) => {
    const say = (metric: string, unit: string, value: number) =>
      sampleOf(person, plan.date, metric, unit, { startMs, endMs, value });
    return [
      ...(steps > 0 ? [say('steps', 'count', steps)] : []),
      ...(metres > 0 ? [say('distance', 'km', metres / 1000)] : []),
      ...(activeKcal > 0 ? [say('active_calories', 'kcal', activeKcal)] : []),
      say('resting_energy', 'kcal', restingKcal),
    ];
  });
}

/** The scale, and a minute with a finger on the camera, soon after getting up. */
function morning(person: SandboxPerson, plan: DayPlan, untilMs: number): UploadedSample[] {
  const atMs = Math.max(plan.startMs, plan.night.endMs) + 12 * minuteMs;
  if (atMs > untilMs || person.habits.gaps) return [];
  const say = (metric: string, unit: string, value: number) =>
    sampleOf(person, plan.date, metric, unit, { startMs: atMs, value });
  const sdnn = plan.condition.rmssdMs * diceFor(person.userId, 'camera', plan.date).around(1.15, 0.05);
  return [
    say('weight', 'kg', Math.round(plan.weightKg * 100) / 100),
    say('lean_body_mass', 'kg', Math.round(leanKg(person, plan) * 100) / 100),
    say('body_fat_percentage', '%', oneDecimal(person.bodyFatPct)),
    ...(person.habits.camera ? [say('heart_rate_variability', 'ms', oneDecimal(sdnn))] : []),
  ];
}

function totals(person: SandboxPerson, plan: DayPlan, over: readonly Quarter[], untilMs: number): UploadedDaily[] {
  if (over.length === 0) return [];
  const say = (metric: string, value: number, unit: string): UploadedDaily => ({
    date: plan.date,
    metric,
    value,
    unit,
  });
  const total = (of: 'steps' | 'metres' | 'activeKcal' | 'restingKcal') =>
    over.reduce((sum, each) => sum + each[of], 0);
  const workouts = plan.workouts.filter(({ endMs }) => endMs <= untilMs);
  const flights = Math.round((total('steps') / 1000) * diceFor(person.userId, 'stairs', plan.date).between(0.6, 1.8));
  return [
    say('total_calories', total('activeKcal') + total('restingKcal'), 'kcal'),
    ...(total('steps') > 0
      ? [
          say('flights_climbed', flights, 'count'),
          say(
            'exercise',
            workouts.reduce((sum, { minutes }) => sum + minutes, 0),
            'min',
          ),
        ]
      : []),
    ...workouts.map(({ sport, distanceKm }) =>
      sport === 'swimming' ? say(sport, Math.round(distanceKm * 1000), 'm') : say(sport, distanceKm, 'km'),
    ),
  ];
}

function eaten(person: SandboxPerson, plan: DayPlan, quarters: readonly Quarter[], untilMs: number): UploadedDaily[] {
  if (person.habits.gaps && dayOfCycle(person, plan.date, 2) === 0) return [];
  const spentKcal = quarters.reduce((sum, { activeKcal, restingKcal }) => sum + activeKcal + restingKcal, 0);
  const meals = loggedMeals(person, plan, spentKcal).filter(({ atMs }) => atMs <= untilMs);
  if (meals.length === 0) return [];
  return nutrients.map((metric) => ({
    date: plan.date,
    metric,
    value: oneDecimal(meals.reduce((sum, meal) => sum + meal[metric], 0)),
    unit: nutrientUnits[metric],
  }));
}
