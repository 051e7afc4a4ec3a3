// A sandbox user: an individual with the habits of a persona.

import type { SandboxPersona } from '../../catalog/sandbox.ts';
import { dayMs } from '../../platform/time/local-day.ts';
import { type Habits, habitsByPersona } from './habits.ts';
import { createSeededRandom } from './seeded-random.ts';

export interface SandboxProfile {
  userId: string;
  persona: SandboxPersona;
  /** The home zone; null means UTC. */
  timezone: string | null;
  /** The requested number of whole days of data; the default number if undefined. */
  days?: number | undefined;
  /** Users with the same one live the same life; the user id if undefined or null. */
  lifeSeed?: string | null | undefined;
}

export interface SimulatedUser {
  userId: string;
  /** What every random number of the user depends on. Ids of records depend on the user id. */
  lifeSeed: string;
  persona: SandboxPersona;
  habits: Habits;
  homeZone: string;
  restingBpm: number;
  maxBpm: number;
  rmssdMs: number;
  weightKg: number;
  bodyFatPct: number;
  vo2Max: number;
  steps: number;
  strideMetres: number;
  asleepMinutes: number;
  minutesInBedBeforeMidnight: number;
  skinCelsius: number;
  breathsPerMinute: number;
  /** The user's position in the cycles of shifts, trips and gaps on day 0. */
  phase: number;
}

export function createSimulatedUser({ userId, persona, timezone, lifeSeed: seed }: SandboxProfile): SimulatedUser {
  const habits = habitsByPersona[persona];
  const lifeSeed = seed ?? userId;
  const random = createSeededRandom(lifeSeed, persona);
  const pickFrom = ([low, high]: Habits['steps']) => random.uniform(low, high);
  return {
    userId,
    lifeSeed,
    persona,
    habits,
    homeZone: timezone ?? 'UTC',
    restingBpm: pickFrom(habits.restingBpm),
    maxBpm: Math.round(pickFrom(habits.maxBpm)),
    rmssdMs: pickFrom(habits.rmssdMs),
    weightKg: pickFrom(habits.weightKg),
    bodyFatPct: pickFrom(habits.bodyFatPct),
    vo2Max: pickFrom(habits.vo2Max),
    steps: pickFrom(habits.steps),
    strideMetres: pickFrom(habits.strideMetres),
    asleepMinutes: pickFrom(habits.asleepMinutes),
    minutesInBedBeforeMidnight: pickFrom(habits.minutesInBedBeforeMidnight),
    skinCelsius: random.uniform(34.2, 35.4),
    breathsPerMinute: pickFrom(habits.breathsPerMinute),
    phase: Math.floor(random.uniform(0, 420)),
  };
}

export const dayNumber = (date: string): number => Date.parse(`${date}T00:00:00Z`) / dayMs;

/** The day of a cycle of that length, starting at 0. */
export const dayOfCycle = (user: SimulatedUser, date: string, length: number): number =>
  (((dayNumber(date) + user.phase) % length) + length) % length;

export const sleepsDuringDay = (user: SimulatedUser, date: string): boolean =>
  user.habits.worksNightShifts && dayOfCycle(user, date, 6) >= 3;

export const isDateMissing = (user: SimulatedUser, date: string): boolean =>
  user.habits.isUnmeasured || (user.habits.hasGaps && dayOfCycle(user, date, 7) === 1);

export const isRingOff = (user: SimulatedUser, date: string): boolean =>
  user.habits.hasGaps && [3, 4].includes(dayOfCycle(user, date, 7));
