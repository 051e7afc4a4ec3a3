// A date's exercise: what is planned, and what it comes to.
import type { WorkoutMeasures } from '../../catalog/workout-measures.ts';
import type { Sport } from './habits.ts';
import { dayNumber, type SandboxPerson, sleepsByDay } from './persona.ts';
import { diceFor } from './random.ts';
import { illnessOn } from './story.ts';
import { measuresOf } from './workout-measures.ts';

/** What a person means to do, before it is known whether the day has room for it. */
export interface Intention {
  sport: Sport;
  minutes: number;
  /** The share of the heart rate reserve that is used. */
  effort: number;
  /** Whether it comes soon after waking, or later. */
  early: boolean;
}

export interface PlannedWorkout extends Intention {
  name: string;
  startMs: number;
  endMs: number;
  distanceKm: number;
  steps: number;
  kcal: number;
  elevationMetres: number | null;
  measures: WorkoutMeasures;
}

interface SportFacts {
  effort: readonly [number, number];
  kmPerHour: readonly [number, number];
  metsPerKmPerHour: number;
  stepsPerMinute: number;
  name: string;
}
const facts: Readonly<Record<Sport, SportFacts>> = {
  walking: { effort: [0.3, 0.42], kmPerHour: [4.8, 6], metsPerKmPerHour: 0.78, stepsPerMinute: 112, name: 'walk' },
  running: { effort: [0.62, 0.8], kmPerHour: [8.5, 11.5], metsPerKmPerHour: 0.98, stepsPerMinute: 164, name: 'run' },
  cycling: { effort: [0.5, 0.7], kmPerHour: [18, 27], metsPerKmPerHour: 0.36, stepsPerMinute: 0, name: 'ride' },
  swimming: { effort: [0.5, 0.66], kmPerHour: [2, 3], metsPerKmPerHour: 3, stepsPerMinute: 0, name: 'swim' },
};

export function intentionOn(person: SandboxPerson, date: string): Intention | undefined {
  const dice = diceFor(person.userId, 'workout', date);
  const { workoutChance, workoutMinutes, sports } = person.habits;
  // Two days of rest in a row are enough: a week never goes by without a workout.
  const due = dayNumber(date) % 3 === person.phase % 3;
  if (!dice.chance(workoutChance) && !due) return undefined;
  if (illnessOn(person, date) > 0) return undefined;
  const sport = dice.pick(sports);
  const [low, high] = facts[sport].effort;
  return {
    sport,
    minutes: 5 * Math.round(dice.between(...workoutMinutes) / 5),
    effort: dice.between(low, high) * person.habits.effort,
    early: dice.chance(0.35) && !sleepsByDay(person, date),
  };
}

/** Undefined when there is no room for it between waking and going to bed. */
export function workoutIn(
  person: SandboxPerson,
  date: string,
  intention: Intention | undefined,
  awake: { fromMs: number; toMs: number; midnightMs: number },
): PlannedWorkout | undefined {
  if (!intention) return undefined;
  const dice = diceFor(person.userId, 'course', date);
  const { sport, minutes, effort, early } = intention;
  const room = awake.toMs - awake.fromMs;
  const after = early ? 45 * minuteMs : Math.floor((room * dice.between(0.55, 0.68)) / quarterMs) * quarterMs;
  const startMs = Math.ceil((awake.fromMs + after) / quarterMs) * quarterMs;
  const endMs = startMs + minutes * minuteMs;
  if (endMs > awake.toMs - 60 * minuteMs) return undefined;
  const { kmPerHour, metsPerKmPerHour, stepsPerMinute, name } = facts[sport];
  const fitness = person.vo2Max / 40;
  const speed = dice.between(...kmPerHour) * (sport === 'walking' ? 1 : fitness ** 0.5) * person.habits.pace;
  const hours = minutes / 60;
  const distanceKm = Math.round(1000 * speed * hours) / 1000;
  return {
    ...intention,
    name: `${partOfDay((startMs - awake.midnightMs) / 3_600_000)} ${name}`,
    startMs,
    endMs,
    effort,
    distanceKm,
    steps: Math.round(stepsPerMinute * minutes),
    kcal: Math.round(Math.max(1, speed * metsPerKmPerHour - 1) * person.weightKg * hours),
    elevationMetres: sport === 'swimming' ? null : Math.round(dice.between(4, 14) * speed * hours * 0.6),
    measures: measuresOf(person, date, { sport, minutes, effort, distanceKm }, speed * metsPerKmPerHour),
  };
}

const partOfDay = (hour: number): string => (hour < 12 ? 'Morning' : hour < 17 ? 'Afternoon' : 'Evening');

const minuteMs = 60_000;
const quarterMs = 15 * minuteMs;
