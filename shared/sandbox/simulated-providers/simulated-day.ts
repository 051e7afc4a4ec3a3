// A simulated date in plain numbers, which every simulated provider renders in its own format. Null
// means that the user does not measure the value.
import type { WorkoutMeasures } from '../../catalog/workout-measures.ts';
import type { StagePeriod } from '../../measurements/records.ts';

export interface SimulatedSleep {
  /** The same each time the sleep is rendered. */
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
  /** From start to end, without gaps; they add up to the minutes above. */
  stages: readonly StagePeriod[];
  isNap: boolean;
}

export interface SimulatedWorkout {
  id: string;
  /** Our names for sports: `running`, `cycling`, `swimming`, … */
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

/** Includes only what is over at the time of the report. */
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
  /** Of the night that ended on this date. */
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
  /** Steps at the times they were walked. */
  stepIntervals: readonly { startMs: number; endMs: number; steps: number }[];
}

/** A date on which nothing was worn. */
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
