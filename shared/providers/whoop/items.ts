// The fields that are read from records of WHOOP's API v2. A record that was not scored has no
// score, and every measurement may be missing.
import * as z from 'zod';
import { readInstant, readOffset } from '../phone/read-time.ts';

const optionalNumber = z.number().nullish();

const instantMs = z.string().transform((text, context) => {
  const parsed = readInstant(text);
  if (parsed) return parsed.ms;
  context.addIssue('not an instant');
  return z.NEVER;
});

/** `Z` is also an offset: the user was at UTC. */
const offset = z
  .string()
  .nullish()
  .transform((text) => (text === 'Z' ? 0 : text ? (readOffset(text) ?? null) : null));

const timeFields = { updated_at: z.string().nullish(), start: instantMs, timezone_offset: offset };

export const WhoopCycle = z.looseObject({
  id: z.union([z.number(), z.string()]),
  ...timeFields,
  end: instantMs.nullish(),
  score: z.looseObject({ kilojoule: optionalNumber, max_heart_rate: optionalNumber }).nullish(),
});
export type WhoopCycle = z.infer<typeof WhoopCycle>;

export const WhoopSleep = z.looseObject({
  id: z.string().min(1),
  cycle_id: z.union([z.number(), z.string()]).nullish(),
  ...timeFields,
  end: instantMs,
  nap: z.boolean().nullish(),
  score: z
    .looseObject({
      stage_summary: z
        .looseObject({
          total_in_bed_time_milli: optionalNumber,
          total_awake_time_milli: optionalNumber,
          total_light_sleep_time_milli: optionalNumber,
          total_slow_wave_sleep_time_milli: optionalNumber,
          total_rem_sleep_time_milli: optionalNumber,
        })
        .nullish(),
      respiratory_rate: optionalNumber,
      sleep_efficiency_percentage: optionalNumber,
    })
    .nullish(),
});
export type WhoopSleep = z.infer<typeof WhoopSleep>;

export const WhoopRecovery = z.looseObject({
  sleep_id: z.string().min(1),
  updated_at: z.string().nullish(),
  score: z
    .looseObject({
      resting_heart_rate: optionalNumber,
      hrv_rmssd_milli: optionalNumber,
      spo2_percentage: optionalNumber,
      skin_temp_celsius: optionalNumber,
    })
    .nullish(),
});
export type WhoopRecovery = z.infer<typeof WhoopRecovery>;

export const WhoopWorkout = z.looseObject({
  id: z.string().min(1),
  ...timeFields,
  end: instantMs,
  sport_name: z.string().nullish(),
  sport_id: z.number().nullish().catch(null),
  score: z
    .looseObject({
      average_heart_rate: optionalNumber,
      max_heart_rate: optionalNumber,
      kilojoule: optionalNumber,
      distance_meter: optionalNumber,
      altitude_gain_meter: optionalNumber,
      strain: optionalNumber,
    })
    .nullish(),
});
export type WhoopWorkout = z.infer<typeof WhoopWorkout>;

export const WhoopPage = z.looseObject({ records: z.array(z.unknown()), next_token: z.string().nullish() });
