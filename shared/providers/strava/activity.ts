// An activity as Strava lists it.
import * as z from 'zod';
import { readInstant } from '../phone/read-time.ts';
import { StravaId } from './exact-json.ts';

const optionalNumber = z.number().nullish();

/** Local times end in a `Z` that is not meant, and zone names forget summer time: the start in UTC and its offset are what counts. */
const StartMs = z.string().transform((text, context) => {
  const ms = readInstant(text)?.ms;
  if (ms !== undefined) return ms;
  context.addIssue('not a time');
  return z.NEVER;
});

/** What is null or missing is not known. Details have what lists leave out. */
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

/** `(GMT-05:00) America/New_York`: the offset in front of the name forgets summer time. */
export const stravaZone = ({ timezone }: StravaActivity): string | undefined =>
  /^\(GMT[^)]*\) (.+)$/.exec(timezone ?? '')?.[1];
