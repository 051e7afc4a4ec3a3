// The fields that are read from Suunto's items. Any field may be missing.
import * as z from 'zod';
import { type Instant, readInstant } from '../phone/read-time.ts';

const optionalNumber = z.number().nullish();
const optionalText = z.string().nullish();

export const SuuntoSleep = z.looseObject({
  timestamp: z.string(),
  entryData: z.looseObject({
    SleepId: z.union([z.number(), z.string()]).nullish(),
    DateTime: optionalText,
    BedtimeStart: optionalText,
    BedtimeEnd: optionalText,
    Duration: optionalNumber,
    DeepSleepDuration: optionalNumber,
    LightSleepDuration: optionalNumber,
    REMSleepDuration: optionalNumber,
    SleepOnsetLatencyDuration: optionalNumber,
    WakeAfterSleepOnsetDuration: optionalNumber,
    WakeBeforeOffBedDuration: optionalNumber,
    HRAvg: optionalNumber,
    HRMin: optionalNumber,
    AvgHRV: optionalNumber,
    IsNap: z.boolean().nullish(),
  }),
});
export type SuuntoSleep = z.infer<typeof SuuntoSleep>;

/** If both bedtimes are absent, the sleep starts at its own time and lasts for its duration. */
export function readSuuntoNightBounds({
  timestamp,
  entryData,
}: SuuntoSleep): { start: Instant; end: Instant } | undefined {
  const { BedtimeStart, BedtimeEnd, DateTime, Duration } = entryData;
  const start = readInstant(BedtimeStart ?? DateTime ?? timestamp);
  const end = BedtimeEnd ? readInstant(BedtimeEnd) : start && { ...start, ms: start.ms + (Duration ?? 0) * 1000 };
  return start && end && { start, end: { ...end, ms: Math.round(end.ms) } };
}

export const SuuntoActivity = z.looseObject({
  timestamp: z.string(),
  entryData: z.looseObject({
    HR: optionalNumber,
    HRExt: z.looseObject({ Min: optionalNumber, Max: optionalNumber }).nullish(),
    StepCount: optionalNumber,
    SpO2: optionalNumber,
    HRV: optionalNumber,
  }),
});
export type SuuntoActivity = z.infer<typeof SuuntoActivity>;

export const SuuntoStatistic = z.looseObject({
  Name: z.string(),
  Aggregation: optionalText,
  Sources: z.array(z.looseObject({ Samples: z.array(z.unknown()).nullish() })).nullish(),
});
export const SuuntoDayValue = z.looseObject({
  TimeISO8601: z.string(),
  Value: z.union([z.number(), z.string()]).nullish(),
});

export const SuuntoWorkout = z.looseObject({
  workoutKey: z.string().min(1),
  activityId: optionalNumber,
  startTime: z.number(),
  stopTime: optionalNumber,
  totalTime: optionalNumber,
  timeOffsetInMinutes: optionalNumber,
  totalDistance: optionalNumber,
  totalAscent: optionalNumber,
  stepCount: optionalNumber,
  energyConsumption: optionalNumber,
  hrdata: z
    .looseObject({
      workoutAvgHR: optionalNumber,
      workoutMaxHR: optionalNumber,
      avg: optionalNumber,
      hrmax: optionalNumber,
    })
    .nullish(),
});
export type SuuntoWorkout = z.infer<typeof SuuntoWorkout>;

export interface SuuntoSpan {
  startMs: number;
  endMs: number;
  offsetMinutes: number | null;
}

/** A new workout has no end yet; it then ends at its start plus its total time. */
export const readSuuntoSpan = (workout: SuuntoWorkout): SuuntoSpan => ({
  startMs: workout.startTime,
  endMs: workout.stopTime || Math.round(workout.startTime + (workout.totalTime ?? 0) * 1000),
  offsetMinutes: workout.timeOffsetInMinutes ?? null,
});
