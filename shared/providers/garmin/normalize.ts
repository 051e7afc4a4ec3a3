// Turns Garmin's pushes into records. A push contains what changed, not everything, so it covers
// almost nothing.
import * as z from 'zod';
import type { Normalizer } from '../kit/normalizer.ts';
import { parsePages } from '../kit/provider-pages.ts';
import { keepLastPerKey, type ReadItem, readItems } from '../kit/read-items.ts';
import { RecordBuilder } from '../kit/record-builder.ts';
import { parseResponseJson } from '../kit/request-flow.ts';
import {
  GarminActivity,
  GarminActivityDetails,
  GarminBloodPressure,
  GarminBodyComposition,
  GarminDaily,
  GarminHrv,
  GarminPulseOx,
  GarminRespiration,
  GarminSleep,
  GarminStress,
  GarminUserMetrics,
  type garminLists,
} from './items.ts';
import { addGarminActivities } from './normalize-activities.ts';
import {
  addGarminBloodPressure,
  addGarminBodyComposition,
  addGarminDaily,
  addGarminHrv,
  addGarminSeries,
  addGarminUserMetrics,
} from './normalize-measurements.ts';
import { addGarminSleeps } from './normalize-sleep.ts';
import { readGarminSpan } from './times.ts';

const Lists = z.record(z.string(), z.unknown());

export const normalizeGarmin: Normalizer = (raw, context) => {
  const builder = new RecordBuilder(context);
  for (const [pagePath, { text }] of parsePages(raw).pages.entries()) {
    const lists = Lists.safeParse(parseResponseJson({ text })).data;
    if (lists) addLists(builder, `pages.${pagePath}`, lists, context.timeZone);
    else builder.reject(`pages.${pagePath}`, 'invalid_record', 'The push contains no lists of summaries.');
  }
  return builder.result;
};

/**
 * The current day is sent again as it grows, so the longest version counts; of two versions with
 * the same length, the last one counts.
 */
function keepLongestPerStart(dailies: readonly ReadItem<GarminDaily>[]): ReadItem<GarminDaily>[] {
  const byLength = dailies.toSorted((a, b) => (a.item.durationInSeconds ?? 0) - (b.item.durationInSeconds ?? 0));
  return keepLastPerKey(byLength, ({ startTimeInSeconds }) => startTimeInSeconds);
}

function addLists(
  builder: RecordBuilder,
  pagePath: string,
  lists: Readonly<Record<string, unknown>>,
  zone: string | null,
): void {
  const read = <Item>(list: (typeof garminLists)[number], schema: z.ZodType<Item>) =>
    readItems(builder, `${pagePath}.${list}`, lists[list], schema);
  const byStart = ({ startTimeInSeconds }: { startTimeInSeconds: number }) => startTimeInSeconds;
  const byMoment = ({ measurementTimeInSeconds }: { measurementTimeInSeconds: number }) => measurementTimeInSeconds;

  for (const each of keepLongestPerStart(read('dailies', GarminDaily))) addGarminDaily(builder, each, zone);
  addGarminSleeps(builder, read('sleeps', GarminSleep));
  for (const each of keepLastPerKey(read('hrv', GarminHrv), byStart)) addGarminHrv(builder, each, zone);
  const oxygen = keepLastPerKey(read('pulseox', GarminPulseOx), (item) => `${byStart(item)} ${item.onDemand === true}`);
  for (const { path, item } of oxygen)
    addGarminSeries(builder, path, 'blood_oxygen', readGarminSpan(item), item.timeOffsetSpo2Values);
  for (const { path, item } of keepLastPerKey(read('allDayRespiration', GarminRespiration), byStart))
    addGarminSeries(builder, path, 'respiratory_rate', readGarminSpan(item), item.timeOffsetEpochToBreaths);
  for (const { path, item } of keepLastPerKey(read('stressDetails', GarminStress), byStart))
    addGarminSeries(builder, path, 'stress_score', readGarminSpan(item), item.timeOffsetStressLevelValues);
  for (const each of keepLastPerKey(read('bodyComps', GarminBodyComposition), byMoment))
    addGarminBodyComposition(builder, each);
  for (const each of keepLastPerKey(read('bloodPressures', GarminBloodPressure), byMoment))
    addGarminBloodPressure(builder, each);
  for (const each of keepLastPerKey(read('userMetrics', GarminUserMetrics), ({ calendarDate }) => calendarDate))
    addGarminUserMetrics(builder, each);
  addGarminActivities(
    builder,
    [...read('activities', GarminActivity), ...read('manuallyUpdatedActivities', GarminActivity)],
    read('activityDetails', GarminActivityDetails),
  );
}
