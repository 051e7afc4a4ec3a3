// From Strava's pages to records: workouts, and what they add to a day's minutes and distances.
import * as z from 'zod';
import { workoutDistances } from '../../catalog/workout-types.ts';
import { daysAsked } from '../kit/days-asked.ts';
import { Gathering, type Maybe } from '../kit/gathering.ts';
import type { Normalizer } from '../kit/normalizer.ts';
import { pagesIn, type VendorPage } from '../kit/pages.ts';
import { lastOfEach, type ReadItem, readItems } from '../kit/read-items.ts';
import { addWorkoutToDay } from '../kit/workout-day.ts';
import { activityOffset, activityZone, StravaActivity } from './activity.ts';
import { exactJson } from './exact-json.ts';
import { stravaWorkoutType } from './workout-types.ts';

const numbers = z.looseObject({ data: z.array(z.number().nullable()) });
const Streams = z.looseObject({ time: numbers, heartrate: numbers });

/** What is stated as 0 was not measured. */
const measured = (value: Maybe): number | null => (value ? value : null);

export const normalizeStrava: Normalizer = (raw, facts) => {
  const { asked, pages } = pagesIn(raw);
  const gathering = new Gathering(facts);
  const days = daysAsked(asked, facts.timeZone);
  const listed = listedIn(pages, gathering);
  const details = byId(pages, 'activity');
  const streams = byId(pages, 'streams');
  for (const { path, item } of lastOfEach(listed.activities, ({ id }) => id)) {
    const detail = details.get(item.id);
    // Deleted since it was listed.
    if (detail === '') continue;
    const activity = detailed(item, detail);
    if (!days.holdsInstant(activity.start_date)) continue;
    const isOutline = detail === undefined || (activity.has_heartrate === true && !streams.has(item.id));
    gatherActivity(gathering, path, activity, { streams: streams.get(item.id), isOutline });
  }
  if (asked && listed.isWhole)
    gathering.covers({ ...asked, workouts: true, samples: ['exercise', ...workoutDistances] });
  return gathering.result;
};

/** `isWhole`: there is a list, and everything in it could be read. Only then is what it does not name gone. */
function listedIn(
  pages: readonly VendorPage[],
  gathering: Gathering,
): { activities: ReadItem<StravaActivity>[]; isWhole: boolean } {
  const lists = pages.filter(({ resource }) => resource === 'activities').map(({ text }) => exactJson(text));
  const activities = lists.flatMap((list, at) => readItems(gathering, `activities.${at}`, list, StravaActivity));
  const areLists = lists.length > 0 && lists.every((list) => Array.isArray(list));
  return { activities, isWhole: areLists && lists.flat().length === activities.length };
}

const byId = (pages: readonly VendorPage[], wanted: string): Map<string, string> =>
  new Map(pages.flatMap(({ resource, of, text }) => (resource === wanted && of ? [[of, text] as const] : [])));

/** Details that cannot be read leave what the list said. */
function detailed(summary: StravaActivity, text: string | undefined): StravaActivity {
  const detail = text === undefined ? undefined : StravaActivity.safeParse(exactJson(text)).data;
  return detail?.id === summary.id ? { ...summary, ...detail } : summary;
}

function gatherActivity(
  gathering: Gathering,
  path: string,
  activity: StravaActivity,
  { streams, isOutline }: { streams: string | undefined; isOutline: boolean },
): void {
  const startMs = activity.start_date;
  gathering.zone(activityZone(activity), startMs);
  const seconds = activity.elapsed_time ?? activity.moving_time ?? 0;
  const span = { startMs, endMs: startMs + seconds * 1000, offsetMinutes: activityOffset(activity) };
  const metres = measured(activity.distance);
  const sourceType = activity.sport_type ?? activity.type;
  const type = stravaWorkoutType(sourceType, activity.trainer === true);
  gathering.workout(path, {
    ...span,
    sourceId: activity.id,
    type,
    sourceType,
    name: activity.name ?? null,
    calories: measured(activity.calories) ?? measured(activity.kilojoules),
    distanceKm: metres === null ? null : metres / 1000,
    avgHeartRate: measured(activity.average_heartrate),
    maxHeartRate: measured(activity.max_heartrate),
    elevationMeters: activity.total_elevation_gain ?? null,
    heartRate: traceIn(streams, startMs),
    // The details of only so many activities are asked for: those that were read before stay.
    ...(isOutline ? { outline: true } : {}),
  });
  const activeMinutes = (activity.moving_time ?? seconds) / 60;
  addWorkoutToDay(gathering, path, { ...span, type }, { metres, activeMinutes });
}

/** Seconds from the start, and the heart rate at each. */
function traceIn(text: string | undefined, startMs: number): { atMs: number; bpm: number }[] | null {
  const streams = text ? Streams.safeParse(exactJson(text)).data : undefined;
  if (!streams) return null;
  const { time, heartrate } = streams;
  return time.data.flatMap((second, at) => {
    const bpm = heartrate.data[at];
    return second !== null && bpm ? [{ atMs: startMs + second * 1000, bpm }] : [];
  });
}
