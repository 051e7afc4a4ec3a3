// What happens to a user around the day on which it is created: an illness, a new device, or an
// incomplete food log.

import { todayIn } from '../../platform/time/local-day.ts';
import { parseIdTime } from '../../system/ids.ts';
import { dayNumber, type SimulatedUser } from './simulated-user.ts';

/**
 * From 0 for healthy to 1 for in bed. The illness starts two days before the user is created and is
 * over three days after.
 */
export function illnessOn(user: SimulatedUser, date: string): number {
  return user.habits.scenario === 'illness' ? (illnessByDay.get(dayOfScenario(user, date)) ?? 0) : 0;
}
const illnessByDay: ReadonlyMap<number, number> = new Map([
  [-2, 0.9],
  [-1, 1],
  [0, 1],
  [1, 0.5],
  [2, 0.2],
]);

/** Three days before the user is created, the watch replaces the ring for good. */
export const wearsWatch = (user: SimulatedUser, date: string): boolean =>
  user.habits.scenario === 'device_swap' && dayOfScenario(user, date) >= -3;

/** The user as the watch measures them, whose sensor and algorithm differ from the ring's. */
export const asMeasuredByWatch = (user: SimulatedUser): SimulatedUser => ({
  ...user,
  rmssdMs: user.rmssdMs * 1.36,
  restingBpm: user.restingBpm - 4,
});

/**
 * One of every four days is logged in full, but not the day on which the user is created nor the
 * day before.
 */
export function mealLogOn(user: SimulatedUser, date: string): 'everything' | 'breakfast' | 'snack' {
  if (user.habits.mealLogging === 'meals') return 'everything';
  const day = dayOfScenario(user, date);
  if (((day % 4) + 4) % 4 === 2) return 'everything';
  return day % 2 === 0 ? 'snack' : 'breakfast';
}

/** 0 on the day on which the user is created, in the home zone. The user id contains the time. */
const dayOfScenario = (user: SimulatedUser, date: string): number =>
  dayNumber(date) - dayNumber(todayIn(user.homeZone, parseIdTime(user.userId)));
