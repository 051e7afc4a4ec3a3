// What befalls a person around the day on which its user is made: an illness, another device, a log that is left half empty.

import { todayIn } from '../../platform/time/local-day.ts';
import { parseIdTime } from '../../system/ids.ts';
import { dayNumber, type SimulatedUser } from './simulated-user.ts';

/** From 0 for well to 1 for in bed; it comes two days before the user is made, and is over three days after. */
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

/** Three days before the user is made the ring is laid aside for good. */
export const wearsWatch = (user: SimulatedUser, date: string): boolean =>
  user.habits.scenario === 'device_swap' && dayOfScenario(user, date) >= -3;

/** How the body looks to the watch, whose sensor and arithmetic are not the ring's. */
export const asMeasuredByWatch = (user: SimulatedUser): SimulatedUser => ({
  ...user,
  rmssdMs: user.rmssdMs * 1.36,
  restingBpm: user.restingBpm - 4,
});

/** Of four days, one is logged in full: not the one on which the user is made, nor the one before. */
export function mealLogOn(user: SimulatedUser, date: string): 'everything' | 'breakfast' | 'snack' {
  if (user.habits.mealLogging === 'meals') return 'everything';
  const day = dayOfScenario(user, date);
  if (((day % 4) + 4) % 4 === 2) return 'everything';
  return day % 2 === 0 ? 'snack' : 'breakfast';
}

/** 0 on the day on which the user is made, by the clocks at home: its id knows when that was. */
const dayOfScenario = (user: SimulatedUser, date: string): number =>
  dayNumber(date) - dayNumber(todayIn(user.homeZone, parseIdTime(user.userId)));
