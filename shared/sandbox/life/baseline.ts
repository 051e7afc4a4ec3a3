// The weeks before a sandbox user's first day, with only the values that scores compare with,
// simulated like its other days. They are stored as a baseline and cannot be read as days.

import type { MetricId } from '../../catalog/metrics.ts';
import type { SandboxDevice } from '../../catalog/sandbox.ts';
import { addDays, datesInRange } from '../../platform/time/local-day.ts';
import { simulateActivity } from './activity.ts';
import { planDay } from './day-plan.ts';
import { roundToTenth } from './heart-rate.ts';
import { nightlyRmssd } from './ring-records.ts';
import { createSimulatedUser, type SandboxProfile } from './simulated-user.ts';

export type BaselineDay = Partial<Record<MetricId, { value: number; device: SandboxDevice }>>;

/**
 * The `days` days before the first one, oldest first. Empty for personas that demonstrate how
 * scores calibrate, or missing data.
 */
export function buildBaseline(profile: SandboxProfile, firstDate: string, days: number): Map<string, BaselineDay> {
  const user = createSimulatedUser(profile);
  if (!user.habits.hasBaseline) return new Map();
  const dates = datesInRange(addDays(firstDate, -days), addDays(firstDate, -1));
  return new Map(dates.map((date) => [date, buildBaselineDay(profile, date)]));
}

/** Each value comes from the device that ranks highest for it on every day. */
export function buildBaselineDay(profile: SandboxProfile, date: string): BaselineDay {
  const user = createSimulatedUser(profile);
  const plan = planDay(user, date);
  const quarters = simulateActivity(user, plan);
  const ring = (value: number) => ({ value, device: 'ring' as const });
  const phone = (value: number) => ({ value, device: 'phone' as const });
  return {
    resting_heart_rate: ring(roundToTenth(plan.condition.restingBpm)),
    sleep_heart_rate_variability: ring(nightlyRmssd(user, plan)),
    sleep_respiratory_rate: ring(roundToTenth(plan.condition.breathsPerMinute)),
    steps: phone(quarters.reduce((sum, { steps }) => sum + steps, 0)),
    active_calories: phone(quarters.reduce((sum, { activeKcal }) => sum + activeKcal, 0)),
    exercise: phone(plan.workouts.reduce((sum, { minutes }) => sum + minutes, 0)),
  };
}
