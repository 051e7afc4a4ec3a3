// The workout of a date: what is intended, and what is scheduled.
import type { WorkoutMeasures } from '../../catalog/workout-measures.ts';
import type { Sport } from './habits.ts';
import { illnessOn } from './scenario.ts';
import { createSeededRandom } from './seeded-random.ts';
import { dayNumber, type SimulatedUser, sleepsDuringDay } from './simulated-user.ts';
import { simulateMeasures } from './workout-measures.ts';

/** What a user intends to do, before it is known whether the day has room for it. */
export interface IntendedWorkout {
  sport: Sport;
  minutes: number;
  /** The share of the heart rate reserve that is used. */
  effort: number;
  /** Whether it is soon after waking, or later. */
  isEarly: boolean;
}

export interface PlannedWorkout extends IntendedWorkout {
  name: string;
  startMs: number;
  endMs: number;
  distanceKm: number;
  steps: number;
  kcal: number;
  elevationMetres: number | null;
  measures: WorkoutMeasures;
}

interface SportProfile {
  effort: readonly [number, number];
  kmPerHour: readonly [number, number];
  metsPerKmPerHour: number;
  stepsPerMinute: number;
  name: string;
}
const sportProfiles: Readonly<Record<Sport, SportProfile>> = {
  walking: { effort: [0.3, 0.42], kmPerHour: [4.8, 6], metsPerKmPerHour: 0.78, stepsPerMinute: 112, name: 'walk' },
  running: { effort: [0.62, 0.8], kmPerHour: [8.5, 11.5], metsPerKmPerHour: 0.98, stepsPerMinute: 164, name: 'run' },
  cycling: { effort: [0.5, 0.7], kmPerHour: [18, 27], metsPerKmPerHour: 0.36, stepsPerMinute: 0, name: 'ride' },
  swimming: { effort: [0.5, 0.66], kmPerHour: [2, 3], metsPerKmPerHour: 3, stepsPerMinute: 0, name: 'swim' },
};

export function intendedWorkoutOn(user: SimulatedUser, date: string): IntendedWorkout | undefined {
  const random = createSeededRandom(user.lifeSeed, 'workout', date);
  const { workoutChance, workoutMinutes, sports } = user.habits;
  // At most two rest days follow each other, so a week never passes without a workout.
  const isDue = dayNumber(date) % 3 === user.phase % 3;
  if (!random.chance(workoutChance) && !isDue) return undefined;
  if (illnessOn(user, date) > 0) return undefined;
  const sport = random.pick(sports);
  const [low, high] = sportProfiles[sport].effort;
  return {
    sport,
    minutes: 5 * Math.round(random.uniform(...workoutMinutes) / 5),
    effort: random.uniform(low, high) * user.habits.effortFactor,
    isEarly: random.chance(0.35) && !sleepsDuringDay(user, date),
  };
}

/** Undefined if there is no room for it between waking and going to bed. */
export function scheduleWorkout(
  user: SimulatedUser,
  date: string,
  intention: IntendedWorkout | undefined,
  awake: { fromMs: number; toMs: number; midnightMs: number },
): PlannedWorkout | undefined {
  if (!intention) return undefined;
  const random = createSeededRandom(user.lifeSeed, 'course', date);
  const { sport, minutes, effort, isEarly } = intention;
  const awakeMs = awake.toMs - awake.fromMs;
  const delayMs = isEarly ? 45 * minuteMs : Math.floor((awakeMs * random.uniform(0.55, 0.68)) / quarterMs) * quarterMs;
  const startMs = Math.ceil((awake.fromMs + delayMs) / quarterMs) * quarterMs;
  const endMs = startMs + minutes * minuteMs;
  if (endMs > awake.toMs - 60 * minuteMs) return undefined;
  const { kmPerHour, metsPerKmPerHour, stepsPerMinute, name } = sportProfiles[sport];
  const fitness = user.vo2Max / 40;
  const speed = random.uniform(...kmPerHour) * (sport === 'walking' ? 1 : fitness ** 0.5) * user.habits.speedFactor;
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
    kcal: Math.round(Math.max(1, speed * metsPerKmPerHour - 1) * user.weightKg * hours),
    elevationMetres: sport === 'swimming' ? null : Math.round(random.uniform(4, 14) * speed * hours * 0.6),
    measures: simulateMeasures(user, date, { sport, minutes, effort, distanceKm }, speed * metsPerKmPerHour),
  };
}

const partOfDay = (hour: number): string => (hour < 12 ? 'Morning' : hour < 17 ? 'Afternoon' : 'Evening');

const minuteMs = 60_000;
const quarterMs = 15 * minuteMs;
