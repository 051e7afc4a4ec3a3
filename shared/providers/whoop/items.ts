// The records of WHOOP's API v2, as far as they are read. What was not scored has no score, and every measurement may be missing.
import * as z from 'zod';
import { readInstant, readOffset } from '../phone/read-time.ts';

const measured = z.number().nullish();

const instantMs = z.string().transform((text, context) => {
  const read = readInstant(text);
  if (read) return read.ms;
  context.addIssue('not an instant');
  return z.NEVER;
});

/** `Z` is where the person was, too. */
const offset = z
  .string()
  .nullish()
  .transform((text) => (text === 'Z' ? 0 : text ? (readOffset(text) ?? null) : null));

const times = { updated_at: z.string().nullish(), start: instantMs, timezone_offset: offset };

export const WhoopCycle = z.looseObject({
  id: z.union([z.number(), z.string()]),
  ...times,
  end: instantMs.nullish(),
  score: z.looseObject({ kilojoule: measured, max_heart_rate: measured }).nullish(),
});
export type WhoopCycle = z.infer<typeof WhoopCycle>;

export const WhoopSleep = z.looseObject({
  id: z.string().min(1),
  cycle_id: z.union([z.number(), z.string()]).nullish(),
  ...times,
  end: instantMs,
  nap: z.boolean().nullish(),
  score: z
    .looseObject({
      stage_summary: z
        .looseObject({
          total_in_bed_time_milli: measured,
          total_awake_time_milli: measured,
          total_light_sleep_time_milli: measured,
          total_slow_wave_sleep_time_milli: measured,
          total_rem_sleep_time_milli: measured,
        })
        .nullish(),
      respiratory_rate: measured,
      sleep_efficiency_percentage: measured,
    })
    .nullish(),
});
export type WhoopSleep = z.infer<typeof WhoopSleep>;

export const WhoopRecovery = z.looseObject({
  sleep_id: z.string().min(1),
  updated_at: z.string().nullish(),
  score: z
    .looseObject({
      resting_heart_rate: measured,
      hrv_rmssd_milli: measured,
      spo2_percentage: measured,
      skin_temp_celsius: measured,
    })
    .nullish(),
});
export type WhoopRecovery = z.infer<typeof WhoopRecovery>;

export const WhoopWorkout = z.looseObject({
  id: z.string().min(1),
  ...times,
  end: instantMs,
  sport_name: z.string().nullish(),
  sport_id: z.number().nullish().catch(null),
  score: z
    .looseObject({
      average_heart_rate: measured,
      max_heart_rate: measured,
      kilojoule: measured,
      distance_meter: measured,
      altitude_gain_meter: measured,
      strain: measured,
    })
    .nullish(),
});
export type WhoopWorkout = z.infer<typeof WhoopWorkout>;

export const WhoopPage = z.looseObject({ records: z.array(z.unknown()), next_token: z.string().nullish() });
