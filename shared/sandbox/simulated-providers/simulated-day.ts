// A date in a made-up life, in plain numbers: what every vendor of the sandbox has to tell in its own words. Null is what the person does not measure.
import type { WorkoutMeasures } from '../../catalog/workout-measures.ts';

export interface SimulatedSleep {
  /** The same whenever it is told. */
  id: string;
  startMs: number;
  endMs: number;
  offsetMinutes: number;
  asleepMinutes: number;
  deepMinutes: number;
  lightMinutes: number;
  remMinutes: number;
  awakeMinutes: number;
  latencyMinutes: number;
  isNap: boolean;
}

export interface SimulatedWorkout {
  id: string;
  /** As our workouts name sports: `running`, `cycling`, `swimming`, … */
  sport: string;
  name: string;
  startMs: number;
  endMs: number;
  offsetMinutes: number;
  kcal: number;
  distanceKm: number;
  avgBpm: number;
  maxBpm: number;
  elevationMetres: number | null;
  steps: number;
  measures?: WorkoutMeasures;
  trace: readonly { ms: number; bpm: number }[];
}

/** Only what is over by the time it is told. */
export interface SimulatedDay {
  date: string;
  zone: string;
  startMs: number;
  endMs: number;
  steps: number | null;
  distanceKm: number | null;
  activeKcal: number | null;
  restingKcal: number | null;
  exerciseMinutes: number | null;
  restingBpm: number | null;
  minBpm: number | null;
  maxBpm: number | null;
  /** Of the night that ended on the date. */
  sleepBpm: number | null;
  rmssdMs: number | null;
  breathsPerMinute: number | null;
  oxygenPct: number | null;
  skinCelsius: number | null;
  vo2Max: number | null;
  weightKg: number | null;
  bodyFatPct: number | null;
  sleeps: readonly SimulatedSleep[];
  workouts: readonly SimulatedWorkout[];
  heartRate: readonly { ms: number; bpm: number }[];
  variability: readonly { ms: number; value: number }[];
  /** Levels from 1 to 100 while awake. */
  stress?: readonly { ms: number; value: number }[];
  /** Steps as they were walked. */
  stepIntervals: readonly { startMs: number; endMs: number; steps: number }[];
}

/** Of a date on which nothing was worn. */
export const emptySimulatedDay = {
  steps: null,
  distanceKm: null,
  activeKcal: null,
  restingKcal: null,
  exerciseMinutes: null,
  restingBpm: null,
  minBpm: null,
  maxBpm: null,
  sleepBpm: null,
  rmssdMs: null,
  breathsPerMinute: null,
  oxygenPct: null,
  skinCelsius: null,
  vo2Max: null,
  weightKg: null,
  bodyFatPct: null,
  sleeps: [],
  workouts: [],
  heartRate: [],
  variability: [],
  stepIntervals: [],
} as const satisfies Partial<SimulatedDay>;
