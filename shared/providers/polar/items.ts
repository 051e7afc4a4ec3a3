// What Polar tells, item by item. Null or missing is not known; what is not read here may be anything.
import * as z from 'zod';
import { isCalendarDate } from '../../platform/time/local-day.ts';
import { durationSeconds, localMsIn, nightTimes } from './clock.ts';

const number = z.number().nullish();
const date = z.string().refine(isCalendarDate, 'not a date');
/** By time of day. */
const clocked = z.record(z.string(), z.number().nullable()).nullish();

const localTime = z.string().transform((text, context) => {
  const ms = localMsIn(text);
  if (ms !== undefined) return ms;
  context.addIssue('not a local time');
  return z.NEVER;
});

export const PolarActivity = z.looseObject({
  start_time: localTime,
  steps: number,
  distance_from_steps: number,
  active_calories: number,
  calories: number,
});

export const PolarNight = z
  .looseObject({
    date,
    sleep_start_time: z.string(),
    sleep_end_time: z.string(),
    light_sleep: number,
    deep_sleep: number,
    rem_sleep: number,
    unrecognized_sleep_stage: number,
    total_interruption_duration: number,
    heart_rate_samples: clocked,
  })
  .transform((night, context) => {
    const times = nightTimes(night.sleep_start_time, night.sleep_end_time);
    if (times) return { ...night, times };
    context.addIssue('a night without times');
    return z.NEVER;
  });
export type PolarNight = z.infer<typeof PolarNight>;

export const PolarRecharge = z.looseObject({
  date,
  heart_rate_avg: number,
  heart_rate_variability_avg: number,
  breathing_rate_avg: number,
  hrv_samples: clocked,
});
export type PolarRecharge = z.infer<typeof PolarRecharge>;

export const PolarHeartRateDay = z.looseObject({
  date,
  heart_rate_samples: z.array(z.looseObject({ heart_rate: number, sample_time: z.string().nullish() })).nullish(),
});
export type PolarHeartRateDay = z.infer<typeof PolarHeartRateDay>;

const text = z.string().nullish();
const Trace = z.looseObject({
  'recording-rate': number,
  recording_rate: number,
  'sample-type': z.union([z.string(), z.number()]).nullish(),
  sample_type: z.union([z.string(), z.number()]).nullish(),
  data: text,
});

/** An id goes into a path. */
export const PolarExerciseId = z.union([z.string(), z.int().transform(String)]).pipe(z.string().regex(/^[\w-]{1,64}$/));

export const PolarExercise = z.looseObject({
  id: PolarExerciseId,
  start_time: localTime,
  start_time_utc_offset: number,
  duration: z
    .string()
    .nullish()
    .transform((given) => (given ? durationSeconds(given) : undefined)),
  calories: number,
  distance: number,
  heart_rate: z.looseObject({ average: number, maximum: number }).nullish(),
  sport: text,
  detailed_sport_info: text,
  samples: z.array(Trace).nullish(),
});
export type PolarExercise = z.infer<typeof PolarExercise>;

export const PolarOxygenTest = z.looseObject({
  test_time: z.number(),
  time_zone_offset: number,
  test_status: text,
  blood_oxygen_percent: number,
});

export const PolarTemperatures = z.looseObject({
  measurement_type: text,
  start_time: localTime,
  samples: z.array(z.looseObject({ temperature_celsius: number, recording_time_delta_milliseconds: number })).nullish(),
});

export const PolarSkinNight = z.looseObject({ sleep_date: date, sleep_time_skin_temperature_celsius: number });
export type PolarSkinNight = z.infer<typeof PolarSkinNight>;

export const PolarPhysical = z.looseObject({
  created: localTime,
  weight: number,
  'weight-source': text,
  'vo2-max': number,
});
