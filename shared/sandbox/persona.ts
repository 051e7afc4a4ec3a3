// Who a sandbox user is: the habits of a persona as data, and one person with them.
import { dayMs } from '../domain/time/local-day.ts';
import type { SandboxPersona } from '../model/sandbox.ts';
import { diceFor } from './random.ts';

type Range = readonly [low: number, high: number];
export type Sport = 'walking' | 'running' | 'cycling' | 'swimming';

export interface Habits {
  restingBpm: Range;
  rmssdMs: Range;
  weightKg: Range;
  bodyFatPct: Range;
  vo2Max: Range;
  /** Outside of workouts. */
  steps: Range;
  workoutChance: number;
  workoutMinutes: Range;
  sports: readonly [Sport, ...Sport[]];
  asleepMinutes: Range;
  /** Minutes before midnight; negative is after. */
  bedBeforeMidnight: Range;
  napChance: number;
  /** Of six days, the last three are worked at night and slept through by day. */
  nightShifts: boolean;
  /** Of six days, the last three are spent in another time zone. */
  trips: boolean;
  /** Of seven days, one is missing altogether and two are without the ring; some things are never measured. */
  gaps: boolean;
}

const average: Habits = {
  restingBpm: [57, 66],
  rmssdMs: [34, 56],
  weightKg: [58, 88],
  bodyFatPct: [18, 30],
  vo2Max: [34, 43],
  steps: [5_500, 9_500],
  workoutChance: 0.45,
  workoutMinutes: [25, 50],
  sports: ['walking', 'running', 'cycling'],
  asleepMinutes: [405, 455],
  bedBeforeMidnight: [10, 90],
  napChance: 0.08,
  nightShifts: false,
  trips: false,
  gaps: false,
};

const habitsOf: Readonly<Record<SandboxPersona, Habits>> = {
  average,
  athlete: {
    ...average,
    restingBpm: [41, 49],
    rmssdMs: [75, 115],
    weightKg: [56, 78],
    bodyFatPct: [8, 17],
    vo2Max: [54, 66],
    steps: [7_000, 11_000],
    workoutChance: 0.9,
    workoutMinutes: [50, 100],
    sports: ['running', 'cycling', 'swimming'],
    asleepMinutes: [450, 500],
    bedBeforeMidnight: [75, 120],
    napChance: 0.2,
  },
  shift_worker: { ...average, asleepMinutes: [380, 430], bedBeforeMidnight: [-30, 60], nightShifts: true },
  traveller: { ...average, steps: [6_500, 11_500], trips: true },
  sparse: { ...average, workoutChance: 0.3, gaps: true },
};

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
  const within = ([low, high]: Range) => dice.between(low, high);
  return {
    userId,
    persona,
    habits,
    homeZone,
    restingBpm: within(habits.restingBpm),
    maxBpm: Math.round(dice.between(178, 194)),
    rmssdMs: within(habits.rmssdMs),
    weightKg: within(habits.weightKg),
    bodyFatPct: within(habits.bodyFatPct),
    vo2Max: within(habits.vo2Max),
    steps: within(habits.steps),
    strideMetres: dice.between(0.68, 0.8),
    asleepMinutes: within(habits.asleepMinutes),
    bedBeforeMidnight: within(habits.bedBeforeMidnight),
    skinCelsius: dice.between(34.2, 35.4),
    breathsPerMinute: dice.between(13.2, 16.2),
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
