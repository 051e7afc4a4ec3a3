// The fields that are read from documents of Oura's API v2. Every measurement may be missing.
import * as z from 'zod';
import { isCalendarDate } from '../../platform/time/local-day.ts';
import { readInstant } from '../phone/read-time.ts';

const optionalNumber = z.number().nullish();
const calendarDate = z.string().refine(isCalendarDate);
const instant = z.string().transform((text, context) => {
  const parsed = readInstant(text);
  if (parsed) return parsed;
  context.addIssue('not an instant');
  return z.NEVER;
});

/** Only in newer documents. Of two copies, the one that was changed last counts. */
const meta = z.looseObject({ updated_at: z.string().nullish() }).nullish();

const Series = z
  .looseObject({ interval: z.number().positive(), items: z.array(z.number().nullable()), timestamp: instant })
  .nullish();

export const OuraSleep = z.looseObject({
  id: z.string().min(1),
  day: calendarDate,
  bedtime_start: instant,
  bedtime_end: instant,
  type: z.string().nullish(),
  sleep_score_delta: optionalNumber,
  time_in_bed: optionalNumber,
  total_sleep_duration: optionalNumber,
  deep_sleep_duration: optionalNumber,
  light_sleep_duration: optionalNumber,
  rem_sleep_duration: optionalNumber,
  awake_time: optionalNumber,
  latency: optionalNumber,
  average_heart_rate: optionalNumber,
  lowest_heart_rate: optionalNumber,
  average_hrv: optionalNumber,
  average_breath: optionalNumber,
  hrv: Series,
  sleep_phase_30_sec: z.unknown().optional(),
  sleep_phase_5_min: z.unknown().optional(),
  meta,
});
export type OuraSleep = z.infer<typeof OuraSleep>;

export const OuraActivity = z.looseObject({
  day: calendarDate,
  steps: optionalNumber,
  active_calories: optionalNumber,
  total_calories: optionalNumber,
  equivalent_walking_distance: optionalNumber,
  high_activity_time: optionalNumber,
  medium_activity_time: optionalNumber,
  non_wear_time: optionalNumber,
  meta,
});
export type OuraActivity = z.infer<typeof OuraActivity>;

export const OuraOxygen = z.looseObject({
  day: calendarDate,
  spo2_percentage: z.looseObject({ average: optionalNumber }).nullish(),
  meta,
});

export const OuraVo2Max = z.looseObject({ day: calendarDate, vo2_max: optionalNumber, meta });

export const OuraHeartRate = z.looseObject({ bpm: optionalNumber, timestamp: instant });

export const OuraWorkout = z.looseObject({
  id: z.string().min(1),
  day: calendarDate,
  activity: z.string(),
  start_datetime: instant,
  end_datetime: instant,
  calories: optionalNumber,
  distance: optionalNumber,
  label: z.string().nullish(),
  meta,
});
export type OuraWorkout = z.infer<typeof OuraWorkout>;

export const OuraSession = z.looseObject({
  id: z.string().min(1),
  day: calendarDate,
  start_datetime: instant,
  end_datetime: instant,
  type: z.string().nullish(),
  meta,
});
export type OuraSession = z.infer<typeof OuraSession>;

export const OuraPage = z.looseObject({ data: z.array(z.unknown()), next_token: z.string().nullish() });

/** A document that belongs to a day by its instants has one of them. */
export const OuraDocument = z.looseObject({
  day: calendarDate,
  bedtime_end: instant.nullish().catch(null),
  start_datetime: instant.nullish().catch(null),
});
