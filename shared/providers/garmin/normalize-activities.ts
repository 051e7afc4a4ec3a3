// Garmin's activities: summaries, and details that hold a summary and what was measured along the way.
import type { HeartRatePoint } from '../../measurements/records.ts';
import type { Gathering } from '../kit/gathering.ts';
import type { ReadItem } from '../kit/read-items.ts';
import { addWorkoutToDay } from '../kit/workout-day.ts';
import type { GarminActivity, GarminDetails } from './items.ts';
import { garminMs, garminSpan } from './when.ts';
import { garminWorkoutType, isGarminMultisport } from './workout-types.ts';

interface Told extends ReadItem<GarminActivity> {
  sourceId: string | undefined;
  heartRate: HeartRatePoint[] | null;
  /** A summary: the details of the same activity tell more. */
  isOutline: boolean;
}

/** The details' own name of a summary is its name and a suffix. */
const nameOf = ({ activityId, summaryId }: Pick<GarminActivity, 'activityId' | 'summaryId'>): string | undefined =>
  activityId === null || activityId === undefined || activityId === ''
    ? summaryId?.replace(/-detail$/, '') || undefined
    : String(activityId);

const fromSummary = ({ path, item }: ReadItem<GarminActivity>): Told => ({
  path,
  item,
  sourceId: nameOf(item),
  heartRate: null,
  isOutline: true,
});

const fromDetails = ({ path, item: { summary, samples, activityId, summaryId } }: ReadItem<GarminDetails>): Told => ({
  path: `${path}.summary`,
  item: summary,
  sourceId: nameOf({ activityId: activityId ?? summary.activityId, summaryId: summaryId ?? summary.summaryId }),
  heartRate: traceOf(samples),
  isOutline: false,
});

function traceOf(samples: GarminDetails['samples']): HeartRatePoint[] | null {
  const points = (samples ?? []).flatMap(({ startTimeInSeconds, heartRate }) =>
    typeof startTimeInSeconds === 'number' && typeof heartRate === 'number'
      ? [{ atMs: garminMs(startTimeInSeconds), bpm: heartRate }]
      : [],
  );
  return points.length === 0 ? null : points;
}

export function gatherGarminActivities(
  gathering: Gathering,
  summaries: readonly ReadItem<GarminActivity>[],
  details: readonly ReadItem<GarminDetails>[],
): void {
  // Of one activity the last version, and details before summaries, which know less.
  const told = new Map<string, Told>();
  for (const each of [...summaries.map(fromSummary), ...details.map(fromDetails)])
    told.set(each.sourceId ?? `at ${each.item.startTimeInSeconds}`, each);
  for (const each of told.values())
    if (!each.item.isParent && !isGarminMultisport(each.item.activityType)) gatherActivity(gathering, each);
}

function gatherActivity(gathering: Gathering, { path, item, sourceId, heartRate, isOutline }: Told): void {
  const span = garminSpan(item);
  const type = garminWorkoutType(item.activityType);
  const metres = item.distanceInMeters;
  gathering.workout(path, {
    ...span,
    ...(sourceId === undefined ? {} : { sourceId }),
    type,
    sourceType: item.activityType,
    name: item.activityName ?? null,
    calories: item.activeKilocalories || null,
    distanceKm: metres ? metres / 1000 : null,
    avgHeartRate: item.averageHeartRateInBeatsPerMinute || null,
    maxHeartRate: item.maxHeartRateInBeatsPerMinute || null,
    elevationMeters: item.totalElevationGainInMeters ?? null,
    steps: item.steps || null,
    heartRate,
    ...(isOutline ? { outline: true } : {}),
  });
  // Minutes of exercise stand in the day's own summary.
  addWorkoutToDay(gathering, path, { ...span, type }, { metres });
}
