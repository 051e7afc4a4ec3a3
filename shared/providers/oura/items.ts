// The documents of Oura's API v2, as far as they are read. Every measurement may be missing.
import * as z from 'zod';
import { isCalendarDate } from '../../platform/time/local-day.ts';
import { readInstant } from '../phone/read-time.ts';

const measured = z.number().nullish();
const day = z.string().refine(isCalendarDate);
const instant = z.string().transform((text, context) => {
  const read = readInstant(text);
  if (read) return read;
  context.addIssue('not an instant');
  return z.NEVER;
});

/** Only in newer documents; of two copies the one that was changed last counts. */
const meta = z.looseObject({ updated_at: z.string().nullish() }).nullish();

const Series = z
  .looseObject({ interval: z.number().positive(), items: z.array(z.number().nullable()), timestamp: instant })
  .nullish();

export const OuraSleep = z.looseObject({
  id: z.string().min(1),
  day,
  bedtime_start: instant,
  bedtime_end: instant,
  type: z.string().nullish(),
  sleep_score_delta: measured,
  time_in_bed: measured,
  total_sleep_duration: measured,
  deep_sleep_duration: measured,
  light_sleep_duration: measured,
  rem_sleep_duration: measured,
  awake_time: measured,
  latency: measured,
  average_heart_rate: measured,
  lowest_heart_rate: measured,
  average_hrv: measured,
  average_breath: measured,
  hrv: Series,
  meta,
});
export type OuraSleep = z.infer<typeof OuraSleep>;

export const OuraActivity = z.looseObject({
  day,
  steps: measured,
  active_calories: measured,
  total_calories: measured,
  equivalent_walking_distance: measured,
  high_activity_time: measured,
  medium_activity_time: measured,
  non_wear_time: measured,
  meta,
});
export type OuraActivity = z.infer<typeof OuraActivity>;

export const OuraOxygen = z.looseObject({
  day,
  spo2_percentage: z.looseObject({ average: measured }).nullish(),
  meta,
});

export const OuraVo2Max = z.looseObject({ day, vo2_max: measured, meta });

export const OuraHeartRate = z.looseObject({ bpm: measured, timestamp: instant });

export const OuraWorkout = z.looseObject({
  id: z.string().min(1),
  day,
  activity: z.string(),
  start_datetime: instant,
  end_datetime: instant,
  calories: measured,
  distance: measured,
  label: z.string().nullish(),
  meta,
});
export type OuraWorkout = z.infer<typeof OuraWorkout>;

export const OuraSession = z.looseObject({
  id: z.string().min(1),
  day,
  start_datetime: instant,
  end_datetime: instant,
  type: z.string().nullish(),
  meta,
});
export type OuraSession = z.infer<typeof OuraSession>;

export const OuraPage = z.looseObject({ data: z.array(z.unknown()), next_token: z.string().nullish() });

/** What is on a day by its instants has one of them. */
export const OuraDocument = z.looseObject({
  day,
  bedtime_end: instant.nullish().catch(null),
  start_datetime: instant.nullish().catch(null),
});
