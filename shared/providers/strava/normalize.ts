// Turns Strava's pages into records: workouts, and the minutes and distances that they add to a
// day.
import * as z from 'zod';
import { workoutDistanceMetrics } from '../../catalog/workout-types.ts';
import { addWorkoutToDay } from '../kit/add-workout-to-day.ts';
import type { Normalizer } from '../kit/normalizer.ts';
import { type ProviderPage, parsePages } from '../kit/provider-pages.ts';
import { keepLastPerKey, type ReadItem, readItems } from '../kit/read-items.ts';
import { type OptionalNumber, RecordBuilder } from '../kit/record-builder.ts';
import { createRequestedDays } from '../kit/requested-days.ts';
import { StravaActivity, stravaOffsetMinutes, stravaZone } from './activity.ts';
import { parseExactJson } from './exact-json.ts';
import { stravaWorkoutType } from './workout-types.ts';

const NumberStream = z.looseObject({ data: z.array(z.number().nullable()) });
const Streams = z.looseObject({ time: NumberStream, heartrate: NumberStream });

/** A value of 0 was not measured. */
const nullIfZero = (value: OptionalNumber): number | null => (value ? value : null);

export const normalizeStrava: Normalizer = (raw, context) => {
  const { requested, pages } = parsePages(raw);
  const builder = new RecordBuilder(context);
  const days = createRequestedDays(requested, context.timeZone);
  const listing = readActivities(pages, builder);
  const details = indexById(pages, 'activity');
  const streams = indexById(pages, 'streams');
  for (const { path, item } of keepLastPerKey(listing.activities, ({ id }) => id)) {
    const detail = details.get(item.id);
    // The activity was deleted after it was listed.
    if (detail === '') continue;
    const activity = mergeDetail(item, detail);
    if (!days.includesInstant(activity.start_date)) continue;
    const isOutline = detail === undefined || (activity.has_heartrate === true && !streams.has(item.id));
    addActivity(builder, path, activity, { streams: streams.get(item.id), isOutline });
  }
  if (requested && listing.isComplete)
    builder.claimCoverage({ ...requested, workouts: true, samples: ['exercise', ...workoutDistanceMetrics] });
  return builder.result;
};

/**
 * `isComplete`: there is a list, and everything in it could be read. Only then are activities that it
 * does not contain deleted.
 */
function readActivities(
  pages: readonly ProviderPage[],
  builder: RecordBuilder,
): { activities: ReadItem<StravaActivity>[]; isComplete: boolean } {
  const lists = pages.filter(({ resource }) => resource === 'activities').map(({ text }) => parseExactJson(text));
  const activities = lists.flatMap((list, at) => readItems(builder, `activities.${at}`, list, StravaActivity));
  const areLists = lists.length > 0 && lists.every((list) => Array.isArray(list));
  return { activities, isComplete: areLists && lists.flat().length === activities.length };
}

const indexById = (pages: readonly ProviderPage[], targetResource: string): Map<string, string> =>
  new Map(
    pages.flatMap(({ resource, parameter: activityId, text }) =>
      resource === targetResource && activityId ? [[activityId, text] as const] : [],
    ),
  );

/** If the details cannot be read, the values of the list remain. */
function mergeDetail(summary: StravaActivity, text: string | undefined): StravaActivity {
  const detail = text === undefined ? undefined : StravaActivity.safeParse(parseExactJson(text)).data;
  return detail?.id === summary.id ? { ...summary, ...detail } : summary;
}

function addActivity(
  builder: RecordBuilder,
  path: string,
  activity: StravaActivity,
  { streams, isOutline }: { streams: string | undefined; isOutline: boolean },
): void {
  const startMs = activity.start_date;
  builder.setZone(stravaZone(activity), startMs);
  const seconds = activity.elapsed_time ?? activity.moving_time ?? 0;
  const span = { startMs, endMs: startMs + seconds * 1000, offsetMinutes: stravaOffsetMinutes(activity) };
  const metres = nullIfZero(activity.distance);
  const sourceType = activity.sport_type ?? activity.type;
  const type = stravaWorkoutType(sourceType, activity.trainer === true);
  builder.addWorkout(path, {
    ...span,
    sourceId: activity.id,
    type,
    sourceType,
    name: activity.name ?? null,
    calories: nullIfZero(activity.calories) ?? nullIfZero(activity.kilojoules),
    distanceKm: metres === null ? null : metres / 1000,
    avgHeartRate: nullIfZero(activity.average_heartrate),
    maxHeartRate: nullIfZero(activity.max_heartrate),
    elevationMeters: activity.total_elevation_gain ?? null,
    heartRate: parseTrace(streams, startMs),
    // Details are requested for a limited number of activities; details that were read before stay.
    ...(isOutline ? { outline: true } : {}),
  });
  const activeMinutes = (activity.moving_time ?? seconds) / 60;
  addWorkoutToDay(builder, path, { ...span, type }, { metres, activeMinutes });
}

/** The seconds after the start, and the heart rate at each. */
function parseTrace(text: string | undefined, startMs: number): { atMs: number; bpm: number }[] | null {
  const streams = text ? Streams.safeParse(parseExactJson(text)).data : undefined;
  if (!streams) return null;
  const { time, heartrate } = streams;
  return time.data.flatMap((second, at) => {
    const bpm = heartrate.data[at];
    return second !== null && bpm ? [{ atMs: startMs + second * 1000, bpm }] : [];
  });
}
