// Garmin's pushes as records. They hold what changed, not all there is, so they cover next to nothing.
import * as z from 'zod';
import { Gathering } from '../kit/gathering.ts';
import type { Normalizer } from '../kit/normalizer.ts';
import { pagesIn } from '../kit/pages.ts';
import { lastOfEach, type ReadItem, readItems } from '../kit/read-items.ts';
import { jsonIn } from '../kit/vendor.ts';
import {
  GarminActivity,
  GarminBody,
  GarminDaily,
  GarminDetails,
  GarminFitness,
  GarminHrv,
  GarminPressure,
  GarminPulseOx,
  GarminRespiration,
  GarminSleep,
  GarminStress,
  type garminLists,
} from './items.ts';
import { gatherGarminActivities } from './normalize-activities.ts';
import {
  gatherGarminBody,
  gatherGarminCourse,
  gatherGarminDaily,
  gatherGarminFitness,
  gatherGarminHrv,
  gatherGarminPressure,
} from './normalize-measurements.ts';
import { gatherGarminSleeps } from './normalize-sleep.ts';
import { garminSpan } from './when.ts';

const Lists = z.record(z.string(), z.unknown());

export const normalizeGarmin: Normalizer = (raw, facts) => {
  const gathering = new Gathering(facts);
  for (const [at, { text }] of pagesIn(raw).pages.entries()) {
    const lists = Lists.safeParse(jsonIn({ text })).data;
    if (lists) gatherLists(gathering, `pages.${at}`, lists, facts.timeZone);
    else gathering.reject(`pages.${at}`, 'invalid_record', 'The push holds no lists of summaries.');
  }
  return gathering.result;
};

/** A day under way is sent again with more of it; of two that are as long the last one. */
function longestOfEach(dailies: readonly ReadItem<GarminDaily>[]): ReadItem<GarminDaily>[] {
  const byLength = dailies.toSorted((a, b) => (a.item.durationInSeconds ?? 0) - (b.item.durationInSeconds ?? 0));
  return lastOfEach(byLength, ({ startTimeInSeconds }) => startTimeInSeconds);
}

function gatherLists(
  gathering: Gathering,
  at: string,
  lists: Readonly<Record<string, unknown>>,
  zone: string | null,
): void {
  const read = <Item>(list: (typeof garminLists)[number], schema: z.ZodType<Item>) =>
    readItems(gathering, `${at}.${list}`, lists[list], schema);
  const byStart = ({ startTimeInSeconds }: { startTimeInSeconds: number }) => startTimeInSeconds;
  const byMoment = ({ measurementTimeInSeconds }: { measurementTimeInSeconds: number }) => measurementTimeInSeconds;

  for (const each of longestOfEach(read('dailies', GarminDaily))) gatherGarminDaily(gathering, each, zone);
  gatherGarminSleeps(gathering, read('sleeps', GarminSleep));
  for (const each of lastOfEach(read('hrv', GarminHrv), byStart)) gatherGarminHrv(gathering, each, zone);
  const oxygen = lastOfEach(read('pulseox', GarminPulseOx), (item) => `${byStart(item)} ${item.onDemand === true}`);
  for (const { path, item } of oxygen)
    gatherGarminCourse(gathering, path, 'blood_oxygen', garminSpan(item), item.timeOffsetSpo2Values);
  for (const { path, item } of lastOfEach(read('allDayRespiration', GarminRespiration), byStart))
    gatherGarminCourse(gathering, path, 'respiratory_rate', garminSpan(item), item.timeOffsetEpochToBreaths);
  for (const { path, item } of lastOfEach(read('stressDetails', GarminStress), byStart))
    gatherGarminCourse(gathering, path, 'stress_score', garminSpan(item), item.timeOffsetStressLevelValues);
  for (const each of lastOfEach(read('bodyComps', GarminBody), byMoment)) gatherGarminBody(gathering, each);
  for (const each of lastOfEach(read('bloodPressures', GarminPressure), byMoment))
    gatherGarminPressure(gathering, each);
  for (const each of lastOfEach(read('userMetrics', GarminFitness), ({ calendarDate }) => calendarDate))
    gatherGarminFitness(gathering, each);
  gatherGarminActivities(
    gathering,
    [...read('activities', GarminActivity), ...read('manuallyUpdatedActivities', GarminActivity)],
    read('activityDetails', GarminDetails),
  );
}
