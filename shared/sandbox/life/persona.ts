// Who a sandbox user is: one person with the habits of a persona.

import type { SandboxPersona } from '../../catalog/sandbox.ts';
import { dayMs } from '../../platform/time/local-day.ts';
import { type Habits, habitsOf } from './habits.ts';
import { diceFor } from './random.ts';

export interface SandboxPerson {
  userId: string;
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
  bedBeforeMidnight: number;
  skinCelsius: number;
  breathsPerMinute: number;
  /** Where in its cycles of shifts, trips and gaps the person stands on day 0. */
  phase: number;
}

export function personFor(userId: string, persona: SandboxPersona, homeZone: string): SandboxPerson {
  const habits = habitsOf[persona];
  const dice = diceFor(userId, persona);
  const within = ([low, high]: Habits['steps']) => dice.between(low, high);
  return {
    userId,
    persona,
    habits,
    homeZone,
    restingBpm: within(habits.restingBpm),
    maxBpm: Math.round(within(habits.maxBpm)),
    rmssdMs: within(habits.rmssdMs),
    weightKg: within(habits.weightKg),
    bodyFatPct: within(habits.bodyFatPct),
    vo2Max: within(habits.vo2Max),
    steps: within(habits.steps),
    strideMetres: within(habits.strideMetres),
    asleepMinutes: within(habits.asleepMinutes),
    bedBeforeMidnight: within(habits.bedBeforeMidnight),
    skinCelsius: dice.between(34.2, 35.4),
    breathsPerMinute: within(habits.breathsPerMinute),
    phase: Math.floor(dice.between(0, 420)),
  };
}

export const dayNumber = (date: string): number => Date.parse(`${date}T00:00:00Z`) / dayMs;

/** Which day of a cycle that long the date is for this person, from 0. */
export const dayOfCycle = (person: SandboxPerson, date: string, length: number): number =>
  (((dayNumber(date) + person.phase) % length) + length) % length;

export const sleepsByDay = (person: SandboxPerson, date: string): boolean =>
  person.habits.nightShifts && dayOfCycle(person, date, 6) >= 3;

export const isMissing = (person: SandboxPerson, date: string): boolean =>
  person.habits.gaps && dayOfCycle(person, date, 7) === 1;

export const ringIsOff = (person: SandboxPerson, date: string): boolean =>
  person.habits.gaps && [3, 4].includes(dayOfCycle(person, date, 7));
