// The fields that are read from Polar's items. A null or missing value is unknown; fields that are
// not listed may be anything.
import * as z from 'zod';
import { isCalendarDate } from '../../platform/time/local-day.ts';
import { parseDurationSeconds, parseLocalMs, parseNightTimes } from './clock.ts';

const optionalNumber = z.number().nullish();
const calendarDate = z.string().refine(isCalendarDate, 'not a date');
/** Keyed by time of day. */
const samplesByTime = z.record(z.string(), z.number().nullable()).nullish();

const localTime = z.string().transform((text, context) => {
  const ms = parseLocalMs(text);
  if (ms !== undefined) return ms;
  context.addIssue('not a local time');
  return z.NEVER;
});

export const PolarActivity = z.looseObject({
  start_time: localTime,
  steps: optionalNumber,
  distance_from_steps: optionalNumber,
  active_calories: optionalNumber,
  calories: optionalNumber,
});

export const PolarNight = z
  .looseObject({
    date: calendarDate,
    sleep_start_time: z.string(),
    sleep_end_time: z.string(),
    light_sleep: optionalNumber,
    deep_sleep: optionalNumber,
    rem_sleep: optionalNumber,
    unrecognized_sleep_stage: optionalNumber,
    total_interruption_duration: optionalNumber,
    /** A code by the time of day at which the stage begins. Parsed apart, so that the night stays. */
    hypnogram: z.unknown().optional(),
    heart_rate_samples: samplesByTime,
  })
  .transform((night, context) => {
    const times = parseNightTimes(night.sleep_start_time, night.sleep_end_time);
    if (times) return { ...night, times };
    context.addIssue('a night without times');
    return z.NEVER;
  });
export type PolarNight = z.infer<typeof PolarNight>;

export const PolarRecharge = z.looseObject({
  date: calendarDate,
  heart_rate_avg: optionalNumber,
  heart_rate_variability_avg: optionalNumber,
  breathing_rate_avg: optionalNumber,
  hrv_samples: samplesByTime,
});
export type PolarRecharge = z.infer<typeof PolarRecharge>;

export const PolarHeartRateDay = z.looseObject({
  date: calendarDate,
  heart_rate_samples: z
    .array(z.looseObject({ heart_rate: optionalNumber, sample_time: z.string().nullish() }))
    .nullish(),
});
export type PolarHeartRateDay = z.infer<typeof PolarHeartRateDay>;

const optionalText = z.string().nullish();
const ExerciseSamples = z.looseObject({
  'recording-rate': optionalNumber,
  recording_rate: optionalNumber,
  'sample-type': z.union([z.string(), z.number()]).nullish(),
  sample_type: z.union([z.string(), z.number()]).nullish(),
  data: optionalText,
});

/** The id becomes part of a path. */
export const PolarExerciseId = z.union([z.string(), z.int().transform(String)]).pipe(z.string().regex(/^[\w-]{1,64}$/));

export const PolarExercise = z.looseObject({
  id: PolarExerciseId,
  start_time: localTime,
  start_time_utc_offset: optionalNumber,
  duration: z
    .string()
    .nullish()
    .transform((isoDuration) => (isoDuration ? parseDurationSeconds(isoDuration) : undefined)),
  calories: optionalNumber,
  distance: optionalNumber,
  heart_rate: z.looseObject({ average: optionalNumber, maximum: optionalNumber }).nullish(),
  sport: optionalText,
  detailed_sport_info: optionalText,
  samples: z.array(ExerciseSamples).nullish(),
});
export type PolarExercise = z.infer<typeof PolarExercise>;

export const PolarOxygenTest = z.looseObject({
  test_time: z.number(),
  time_zone_offset: optionalNumber,
  test_status: optionalText,
  blood_oxygen_percent: optionalNumber,
});

export const PolarTemperatures = z.looseObject({
  measurement_type: optionalText,
  start_time: localTime,
  samples: z
    .array(z.looseObject({ temperature_celsius: optionalNumber, recording_time_delta_milliseconds: optionalNumber }))
    .nullish(),
});

export const PolarSkinNight = z.looseObject({
  sleep_date: calendarDate,
  sleep_time_skin_temperature_celsius: optionalNumber,
});
export type PolarSkinNight = z.infer<typeof PolarSkinNight>;

export const PolarPhysical = z.looseObject({
  created: localTime,
  weight: optionalNumber,
  'weight-source': optionalText,
  'vo2-max': optionalNumber,
});
