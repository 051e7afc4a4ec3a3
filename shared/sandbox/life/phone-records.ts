// What the phone reports for a date: steps as they were walked, energy, meals, and the scale in the
// morning.

import { nutrientMetrics } from '../../providers/kit/metric-sets.ts';
import { leanKg, type QuarterHour } from './activity.ts';
import type { DayPlan } from './day-plan.ts';
import {
  buildSample,
  type DeviceRecords,
  emptyRecords,
  type UploadedDaily,
  type UploadedSample,
} from './device-records.ts';
import { roundToTenth } from './heart-rate.ts';
import { listLoggedMeals, nutrientUnits } from './nutrition.ts';
import { createSeededRandom } from './seeded-random.ts';
import { dayOfCycle, isDateMissing, type SimulatedUser } from './simulated-user.ts';

const minuteMs = 60_000;

/** Includes only what is over by `untilMs`. */
export function buildPhoneRecords(
  user: SimulatedUser,
  plan: DayPlan,
  quarters: readonly QuarterHour[],
  untilMs: number,
): DeviceRecords {
  if (isDateMissing(user, plan.date)) return emptyRecords;
  const completed = quarters.filter(({ endMs }) => endMs <= untilMs);
  return {
    samples: [...buildStepSamples(user, plan, completed), ...buildMorningSamples(user, plan, untilMs)],
    daily: [...buildTotals(user, plan, completed, untilMs), ...buildNutritionTotals(user, plan, quarters, untilMs)],
    sleep: [],
    workouts: [],
  };
}

function buildStepSamples(user: SimulatedUser, plan: DayPlan, completed: readonly QuarterHour[]): UploadedSample[] {
  return completed.flatMap(({ startMs, endMs, steps, metres, activeKcal, restingKcal }) => {
    const toRecord = (metric: string, unit: string, value: number) =>
      buildSample(user, plan.date, metric, unit, { startMs, endMs, value });
    return [
      ...(steps > 0 ? [toRecord('steps', 'count', steps)] : []),
      ...(metres > 0 ? [toRecord('distance', 'km', metres / 1000)] : []),
      ...(activeKcal > 0 ? [toRecord('active_calories', 'kcal', activeKcal)] : []),
      toRecord('resting_energy', 'kcal', restingKcal),
    ];
  });
}

/** The scale, and a minute with a finger on the camera, soon after getting up. */
function buildMorningSamples(user: SimulatedUser, plan: DayPlan, untilMs: number): UploadedSample[] {
  const atMs = Math.max(plan.startMs, plan.night.endMs) + 12 * minuteMs;
  if (atMs > untilMs || user.habits.hasGaps) return [];
  const toRecord = (metric: string, unit: string, value: number) =>
    buildSample(user, plan.date, metric, unit, { startMs: atMs, value });
  const sdnn = plan.condition.rmssdMs * createSeededRandom(user.lifeSeed, 'camera', plan.date).normal(1.15, 0.05);
  return [
    toRecord('weight', 'kg', Math.round(plan.weightKg * 100) / 100),
    toRecord('lean_body_mass', 'kg', Math.round(leanKg(user, plan) * 100) / 100),
    toRecord('body_fat_percentage', '%', roundToTenth(user.bodyFatPct)),
    ...(user.habits.usesCamera ? [toRecord('heart_rate_variability', 'ms', roundToTenth(sdnn))] : []),
  ];
}

function buildTotals(
  user: SimulatedUser,
  plan: DayPlan,
  completed: readonly QuarterHour[],
  untilMs: number,
): UploadedDaily[] {
  if (completed.length === 0) return [];
  const toRecord = (metric: string, value: number, unit: string): UploadedDaily => ({
    date: plan.date,
    metric,
    value,
    unit,
  });
  const total = (field: 'steps' | 'metres' | 'activeKcal' | 'restingKcal') =>
    completed.reduce((sum, each) => sum + each[field], 0);
  const workouts = plan.workouts.filter(({ endMs }) => endMs <= untilMs);
  const flights = Math.round(
    (total('steps') / 1000) * createSeededRandom(user.lifeSeed, 'stairs', plan.date).uniform(0.6, 1.8),
  );
  return [
    toRecord('total_calories', total('activeKcal') + total('restingKcal'), 'kcal'),
    ...(total('steps') > 0
      ? [
          toRecord('flights_climbed', flights, 'count'),
          toRecord(
            'exercise',
            workouts.reduce((sum, { minutes }) => sum + minutes, 0),
            'min',
          ),
        ]
      : []),
    ...workouts.map(({ sport, distanceKm }) =>
      sport === 'swimming' ? toRecord(sport, Math.round(distanceKm * 1000), 'm') : toRecord(sport, distanceKm, 'km'),
    ),
  ];
}

function buildNutritionTotals(
  user: SimulatedUser,
  plan: DayPlan,
  quarters: readonly QuarterHour[],
  untilMs: number,
): UploadedDaily[] {
  if (user.habits.hasGaps && dayOfCycle(user, plan.date, 2) === 0) return [];
  const spentKcal = quarters.reduce((sum, { activeKcal, restingKcal }) => sum + activeKcal + restingKcal, 0);
  const meals = listLoggedMeals(user, plan, spentKcal).filter(({ atMs }) => atMs <= untilMs);
  if (meals.length === 0) return [];
  return nutrientMetrics.map((metric) => ({
    date: plan.date,
    metric,
    value: roundToTenth(meals.reduce((sum, meal) => sum + meal[metric], 0)),
    unit: nutrientUnits[metric],
  }));
}
