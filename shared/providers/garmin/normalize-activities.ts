// Garmin's activities: summaries, and details that contain a summary and the samples measured
// during the activity.
import type { HeartRatePoint } from '../../measurements/records.ts';
import { addWorkoutToDay } from '../kit/add-workout-to-day.ts';
import type { ReadItem } from '../kit/read-items.ts';
import type { RecordBuilder } from '../kit/record-builder.ts';
import type { GarminActivity, GarminActivityDetails } from './items.ts';
import { garminSecondsToMs, readGarminSpan } from './times.ts';
import { garminWorkoutType, isGarminMultisport } from './workout-types.ts';

interface ActivityVersion extends ReadItem<GarminActivity> {
  sourceId: string | undefined;
  heartRate: HeartRatePoint[] | null;
  /** True for a summary: the details of the same activity contain more. */
  isOutline: boolean;
}

/** The summary id of details is the id of the summary with a suffix. */
const readSourceId = ({
  activityId,
  summaryId,
}: Pick<GarminActivity, 'activityId' | 'summaryId'>): string | undefined =>
  activityId === null || activityId === undefined || activityId === ''
    ? summaryId?.replace(/-detail$/, '') || undefined
    : String(activityId);

const fromSummary = ({ path, item }: ReadItem<GarminActivity>): ActivityVersion => ({
  path,
  item,
  sourceId: readSourceId(item),
  heartRate: null,
  isOutline: true,
});

const fromDetails = ({
  path,
  item: { summary, samples, activityId, summaryId },
}: ReadItem<GarminActivityDetails>): ActivityVersion => ({
  path: `${path}.summary`,
  item: summary,
  sourceId: readSourceId({ activityId: activityId ?? summary.activityId, summaryId: summaryId ?? summary.summaryId }),
  heartRate: readTrace(samples),
  isOutline: false,
});

function readTrace(samples: GarminActivityDetails['samples']): HeartRatePoint[] | null {
  const points = (samples ?? []).flatMap(({ startTimeInSeconds, heartRate }) =>
    typeof startTimeInSeconds === 'number' && typeof heartRate === 'number'
      ? [{ atMs: garminSecondsToMs(startTimeInSeconds), bpm: heartRate }]
      : [],
  );
  return points.length === 0 ? null : points;
}

export function addGarminActivities(
  builder: RecordBuilder,
  summaries: readonly ReadItem<GarminActivity>[],
  details: readonly ReadItem<GarminActivityDetails>[],
): void {
  // Keeps the last version of each activity, and details over summaries, which contain less.
  const latestById = new Map<string, ActivityVersion>();
  for (const each of [...summaries.map(fromSummary), ...details.map(fromDetails)])
    latestById.set(each.sourceId ?? `at ${each.item.startTimeInSeconds}`, each);
  for (const each of latestById.values())
    if (!each.item.isParent && !isGarminMultisport(each.item.activityType)) addActivity(builder, each);
}

function addActivity(builder: RecordBuilder, { path, item, sourceId, heartRate, isOutline }: ActivityVersion): void {
  const span = readGarminSpan(item);
  const type = garminWorkoutType(item.activityType);
  const metres = item.distanceInMeters;
  builder.addWorkout(path, {
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
  // Exercise minutes are in the daily summary already.
  addWorkoutToDay(builder, path, { ...span, type }, { metres });
}
