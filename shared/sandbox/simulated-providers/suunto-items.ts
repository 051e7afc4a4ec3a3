// Renders simulated days as Suunto's items.
import { createHash } from 'node:crypto';
import { zoneOffsetMinutes } from '../../platform/time/zone-offsets.ts';
import type { SimulatedDay, SimulatedSleep, SimulatedWorkout } from './simulated-day.ts';

const padTwoDigits = (value: number): string => String(value).padStart(2, '0');

/** The local time with its offset. */
function formatLocalTime(ms: number, offsetMinutes: number): string {
  const size = Math.abs(offsetMinutes);
  const offset = `${offsetMinutes < 0 ? '-' : '+'}${padTwoDigits(Math.floor(size / 60))}:${padTwoDigits(size % 60)}`;
  return new Date(ms + offsetMinutes * 60_000).toISOString().replace('Z', offset);
}

function sleepItem(day: SimulatedDay, sleep: SimulatedSleep): unknown {
  const start = formatLocalTime(sleep.startMs, sleep.offsetMinutes);
  const awake = Math.max(0, sleep.awakeMinutes - sleep.latencyMinutes) * 60;
  return {
    timestamp: start,
    entryData: {
      SleepId: Math.floor(sleep.startMs / 1000),
      DateTime: start,
      BedtimeStart: start,
      BedtimeEnd: formatLocalTime(sleep.endMs, sleep.offsetMinutes),
      Duration: (sleep.endMs - sleep.startMs) / 1000,
      DeepSleepDuration: sleep.deepMinutes * 60,
      LightSleepDuration: sleep.lightMinutes * 60,
      REMSleepDuration: sleep.remMinutes * 60,
      SleepOnsetLatencyDuration: sleep.latencyMinutes * 60,
      WakeAfterSleepOnsetDuration: awake,
      WakeBeforeOffBedDuration: 0,
      ...(sleep.isNap ? {} : { HRAvg: day.sleepBpm, HRMin: day.minBpm, AvgHRV: day.rmssdMs, MaxSpo2: 0.99 }),
      SleepQualityScore: 79,
      IsNap: sleep.isNap,
    },
  };
}

/**
 * Each item has one value: any field may be missing, and the same time appears again with another
 * field.
 */
function activityItems(day: SimulatedDay): unknown[] {
  const toItem = (ms: number, entryData: object) => ({
    timestamp: formatLocalTime(ms, zoneOffsetMinutes(day.zone, ms)),
    entryData,
  });
  return [
    ...day.heartRate.map(({ ms, bpm }) => toItem(ms, { HR: bpm, HRExt: { Min: bpm, Max: bpm }, StepCount: null })),
    ...day.variability.map(({ ms, value }) => toItem(ms, { HRV: value, EnergyConsumption: 52_000 })),
    ...day.stepIntervals.map(({ startMs, steps }) => toItem(startMs, { StepCount: steps })),
  ];
}

/** Each day appears without a value first, and then with its total. */
function statisticItems(days: readonly SimulatedDay[]): unknown[] {
  const row = (Name: string, readValue: (day: SimulatedDay) => number | string | null) => ({
    Name,
    Aggregation: 'sum',
    Sources: [
      {
        Name: 'suunto-247-5f1c',
        Samples: days.flatMap((day) => {
          const TimeISO8601 = new Date(day.startMs).toISOString().replace('Z', '');
          return [
            { TimeISO8601, Value: null },
            { TimeISO8601, Value: readValue(day) },
          ];
        }),
      },
    ],
  });
  return [
    row('stepcount', ({ steps }) => (steps === null ? null : String(steps))),
    row('energyconsumption', ({ activeKcal }) => (activeKcal === null ? null : activeKcal * 4184)),
    { Name: 'stepcount', Aggregation: 'avg', Sources: [{ Name: 'suunto-247-5f1c', Samples: [] }] },
  ];
}

const activityIds: Readonly<Record<string, number>> = { walking: 0, running: 1, cycling: 2, swimming: 21 };

const workoutItem = (workout: SimulatedWorkout): unknown => ({
  workoutId: 0,
  workoutKey: createHash('sha256').update(workout.id).digest('hex').slice(0, 24),
  activityId: activityIds[workout.sport] ?? 23,
  startTime: workout.startMs,
  stopTime: workout.endMs,
  totalTime: (workout.endMs - workout.startMs) / 1000,
  timeOffsetInMinutes: workout.offsetMinutes,
  totalDistance: workout.distanceKm * 1000,
  ...(workout.elevationMetres === null ? {} : { totalAscent: workout.elevationMetres }),
  stepCount: workout.steps,
  energyConsumption: workout.kcal,
  hrdata: { workoutAvgHR: workout.avgBpm, workoutMaxHR: workout.maxBpm, userMaxHR: 190, avg: workout.avgBpm, max: 190 },
  isManuallyAdded: false,
  gear: { manufacturer: 'Suunto', name: 'Race', displayName: 'Suunto Race' },
});

export function suuntoItems(resource: string, days: readonly SimulatedDay[]): readonly unknown[] {
  if (resource === 'sleep') return days.flatMap((day) => day.sleeps.map((sleep) => sleepItem(day, sleep)));
  if (resource === 'activity') return days.flatMap(activityItems);
  if (resource === 'statistics') return statisticItems(days.filter(({ steps }) => steps !== null));
  if (resource === 'workouts') return days.flatMap(({ workouts }) => workouts.map(workoutItem));
  return [];
}
