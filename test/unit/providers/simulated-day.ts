// Fictional days with plain numbers, for what a simulated provider returns and its adapter reads
// back.
import { addDays, dayBounds } from '../../../shared/platform/time/local-day.ts';
import type { SimulatedDay } from '../../../shared/sandbox/simulated-providers/simulated-day.ts';
import { withStages } from '../../harness/simulated-stages.ts';

const hour = 3_600_000;
const minute = 60_000;

/**
 * A day in Berlin: a night of 450 minutes asleep and 30 awake that ended at 06:30, a nap, and an
 * hour's run in the evening.
 */
export function makeSimulatedDay(date: string, change: Partial<SimulatedDay> = {}): SimulatedDay {
  const zone = 'Europe/Berlin';
  const { startMs, endMs } = dayBounds(date, zone);
  const offsetMinutes = 60;
  const run = { startMs: startMs + 17 * hour, endMs: startMs + 18 * hour };
  return {
    date,
    zone,
    startMs,
    endMs,
    steps: 9000,
    distanceKm: 7.2,
    activeKcal: 520,
    restingKcal: 1650,
    exerciseMinutes: 60,
    restingBpm: 52,
    minBpm: 45,
    maxBpm: 172,
    sleepBpm: 54,
    rmssdMs: 48,
    breathsPerMinute: 14.5,
    oxygenPct: 96,
    skinCelsius: 34.2,
    vo2Max: 46,
    weightKg: 71.25,
    bodyFatPct: 18.5,
    sleeps: [
      withStages({
        id: `${date}-night`,
        startMs: startMs - 1.5 * hour,
        endMs: startMs + 6.5 * hour,
        offsetMinutes,
        asleepMinutes: 450,
        deepMinutes: 90,
        lightMinutes: 260,
        remMinutes: 100,
        awakeMinutes: 30,
        latencyMinutes: 10,
        isNap: false,
      }),
      withStages({
        id: `${date}-nap`,
        startMs: startMs + 14 * hour,
        endMs: startMs + 14 * hour + 30 * minute,
        offsetMinutes,
        asleepMinutes: 30,
        deepMinutes: 0,
        lightMinutes: 30,
        remMinutes: 0,
        awakeMinutes: 0,
        latencyMinutes: 0,
        isNap: true,
      }),
    ],
    workouts: [
      {
        id: `${date}-running`,
        sport: 'running',
        name: 'Evening run',
        ...run,
        offsetMinutes,
        kcal: 610,
        distanceKm: 10.5,
        avgBpm: 150,
        maxBpm: 172,
        elevationMetres: 80,
        steps: 9100,
        trace: [
          { ms: run.startMs + minute, bpm: 120 },
          { ms: run.endMs - minute, bpm: 172 },
        ],
      },
    ],
    heartRate: [
      { ms: startMs + 8 * hour, bpm: 62 },
      { ms: startMs + 12 * hour, bpm: 78 },
    ],
    variability: [{ ms: startMs + 2 * hour, value: 46 }],
    stepIntervals: [
      { startMs: startMs + 8 * hour, endMs: startMs + 8.25 * hour, steps: 4000 },
      { startMs: startMs + 17 * hour, endMs: startMs + 17.25 * hour, steps: 5000 },
    ],
    ...change,
  };
}

export const makeSimulatedDays = (from: string, count: number): SimulatedDay[] =>
  Array.from({ length: count }, (_, at) => makeSimulatedDay(addDays(from, at)));
