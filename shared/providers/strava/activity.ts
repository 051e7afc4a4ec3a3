// An activity as Strava lists it.
import * as z from 'zod';
import { readInstant } from '../phone/read-time.ts';
import { StravaId } from './exact-json.ts';

const optionalNumber = z.number().nullish();

/**
 * The start in UTC and its offset count: local times end in a `Z` that is wrong, and zone names
 * ignore daylight saving time.
 */
const StartMs = z.string().transform((text, context) => {
  const ms = readInstant(text)?.ms;
  if (ms !== undefined) return ms;
  context.addIssue('not a time');
  return z.NEVER;
});

/** A null or missing value is unknown. Details contain fields that lists omit. */
export const StravaActivity = z.looseObject({
  id: StravaId,
  name: z.string().nullish(),
  sport_type: z.string().nullish(),
  type: z.string().nullish(),
  start_date: StartMs,
  utc_offset: optionalNumber,
  timezone: z.string().nullish(),
  elapsed_time: optionalNumber,
  moving_time: optionalNumber,
  distance: optionalNumber,
  total_elevation_gain: optionalNumber,
  average_heartrate: optionalNumber,
  max_heartrate: optionalNumber,
  calories: optionalNumber,
  kilojoules: optionalNumber,
  trainer: z.boolean().nullish(),
  has_heartrate: z.boolean().nullish(),
});
export type StravaActivity = z.infer<typeof StravaActivity>;

export const stravaOffsetMinutes = ({ utc_offset }: StravaActivity): number | null =>
  typeof utc_offset === 'number' ? utc_offset / 60 : null;

/** In `(GMT-05:00) America/New_York`, the offset before the name ignores daylight saving time. */
export const stravaZone = ({ timezone }: StravaActivity): string | undefined =>
  /^\(GMT[^)]*\) (.+)$/.exec(timezone ?? '')?.[1];
