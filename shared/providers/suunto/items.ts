// Suunto's items as far as they are read. Any field may be missing.
import * as z from 'zod';
import { type Instant, readInstant } from '../phone/read-time.ts';

const amount = z.number().nullish();
const word = z.string().nullish();

export const SuuntoSleep = z.looseObject({
  timestamp: z.string(),
  entryData: z.looseObject({
    SleepId: z.union([z.number(), z.string()]).nullish(),
    DateTime: word,
    BedtimeStart: word,
    BedtimeEnd: word,
    Duration: amount,
    DeepSleepDuration: amount,
    LightSleepDuration: amount,
    REMSleepDuration: amount,
    SleepOnsetLatencyDuration: amount,
    WakeAfterSleepOnsetDuration: amount,
    WakeBeforeOffBedDuration: amount,
    HRAvg: amount,
    HRMin: amount,
    AvgHRV: amount,
    IsNap: z.boolean().nullish(),
  }),
});
export type SuuntoSleep = z.infer<typeof SuuntoSleep>;

/** Both bedtimes may be absent: then it lasts from its own time for its duration. */
export function suuntoNightBounds({ timestamp, entryData }: SuuntoSleep): { start: Instant; end: Instant } | undefined {
  const { BedtimeStart, BedtimeEnd, DateTime, Duration } = entryData;
  const start = readInstant(BedtimeStart ?? DateTime ?? timestamp);
  const end = BedtimeEnd ? readInstant(BedtimeEnd) : start && { ...start, ms: start.ms + (Duration ?? 0) * 1000 };
  return start && end && { start, end: { ...end, ms: Math.round(end.ms) } };
}

export const SuuntoActivity = z.looseObject({
  timestamp: z.string(),
  entryData: z.looseObject({
    HR: amount,
    HRExt: z.looseObject({ Min: amount, Max: amount }).nullish(),
    StepCount: amount,
    SpO2: amount,
    HRV: amount,
  }),
});
export type SuuntoActivity = z.infer<typeof SuuntoActivity>;

export const SuuntoStatistic = z.looseObject({
  Name: z.string(),
  Aggregation: word,
  Sources: z.array(z.looseObject({ Samples: z.array(z.unknown()).nullish() })).nullish(),
});
export const SuuntoDayValue = z.looseObject({
  TimeISO8601: z.string(),
  Value: z.union([z.number(), z.string()]).nullish(),
});

export const SuuntoWorkout = z.looseObject({
  workoutKey: z.string().min(1),
  activityId: amount,
  startTime: z.number(),
  stopTime: amount,
  totalTime: amount,
  timeOffsetInMinutes: amount,
  totalDistance: amount,
  totalAscent: amount,
  stepCount: amount,
  energyConsumption: amount,
  hrdata: z.looseObject({ workoutAvgHR: amount, workoutMaxHR: amount, avg: amount, hrmax: amount }).nullish(),
});
export type SuuntoWorkout = z.infer<typeof SuuntoWorkout>;

export interface SuuntoSpan {
  startMs: number;
  endMs: number;
  offsetMinutes: number | null;
}

/** A fresh workout has no end yet: then it lasted as long as it was under way. */
export const suuntoSpan = (workout: SuuntoWorkout): SuuntoSpan => ({
  startMs: workout.startTime,
  endMs: workout.stopTime || Math.round(workout.startTime + (workout.totalTime ?? 0) * 1000),
  offsetMinutes: workout.timeOffsetInMinutes ?? null,
});
