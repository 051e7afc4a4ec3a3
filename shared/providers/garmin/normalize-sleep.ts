// Garmin's nights and naps. A tentative night is sent again when it is final, perhaps with a
// different start.
import type { SleepStage } from '../../catalog/sleep-stages.ts';
import { meanOf } from '../../platform/arithmetic.ts';
import { type ReadItem, readItems } from '../kit/read-items.ts';
import {
  type NightStage,
  type NightValue,
  type OptionalNumber,
  type RecordBuilder,
  secondsToMinutes,
} from '../kit/record-builder.ts';
import { GarminNap, type GarminSleep } from './items.ts';
import { type GarminSpan, garminSecondsToMs, readGarminMoment, readGarminPoints, readGarminSpan } from './times.ts';

interface Night extends ReadItem<GarminSleep> {
  span: GarminSpan;
}

/** If the watch was not worn, there was no sleep. Every other validation counts, known or not. */
const isWorn = (validation: string | null | undefined): boolean => validation !== 'OFF_WRIST';

export function addGarminSleeps(builder: RecordBuilder, items: readonly ReadItem<GarminSleep>[]): void {
  for (const night of keepLatestNights(items.map(readNight))) {
    addNaps(builder, night);
    if (isWorn(night.item.validation)) addNight(builder, night);
  }
}

function readNight({ path, item }: ReadItem<GarminSleep>): Night {
  const span = readGarminSpan(item);
  // The duration excludes the time awake, so the night ends where the last stage ends.
  const stages = [item.deepSleepDurationInSeconds, item.lightSleepDurationInSeconds, item.remSleepInSeconds];
  const all = [...stages, item.awakeDurationInSeconds, item.unmeasurableSleepInSeconds];
  const levels = Object.values(item.sleepLevelsMap ?? {}).flatMap((level) => level ?? []);
  const ends = levels.flatMap(({ endTimeInSeconds: end }) => (typeof end === 'number' ? [garminSecondsToMs(end)] : []));
  const endMs = Math.max(span.endMs, ...(ends.length > 0 ? ends : [span.startMs + garminSecondsToMs(sumOr(all, 0))]));
  return { path, item, span: { ...span, endMs } };
}

const sumOr = <Else>(seconds: readonly OptionalNumber[], fallback: Else): number | Else => {
  const numbers = seconds.filter((each) => typeof each === 'number');
  return numbers.length === 0 ? fallback : numbers.reduce((sum, each) => sum + each, 0);
};

/**
 * Garmin sends a tentative night again when it is final, and a retried push of the tentative
 * version may arrive after that.
 */
const isTentative = ({ item }: Night): boolean => item.validation?.endsWith('_TENTATIVE') ?? false;

/**
 * Keeps the version of each night that was sent last, and final versions over tentative ones. Two
 * versions are the same night if they share an id, a start, or a date and overlapping times.
 */
function keepLatestNights(nights: readonly Night[]): Night[] {
  const isReplaced = (night: Night, at: number) =>
    nights.some((other, otherIndex) => {
      if (otherIndex === at || !isSameNight(night, other)) return false;
      return isTentative(night) === isTentative(other) ? otherIndex > at : isTentative(night);
    });
  return nights.filter((night, at) => !isReplaced(night, at));
}

const isSameNight = (a: Night, b: Night): boolean =>
  (typeof a.item.summaryId === 'string' && a.item.summaryId === b.item.summaryId) ||
  a.span.startMs === b.span.startMs ||
  (a.item.calendarDate === b.item.calendarDate && a.span.startMs < b.span.endMs && b.span.startMs < a.span.endMs);

function addNight(builder: RecordBuilder, night: Night): void {
  const { path, item, span } = night;
  const stages = [item.deepSleepDurationInSeconds, item.lightSleepDurationInSeconds, item.remSleepInSeconds];
  // A night that was entered by hand has no stages: all of them are zero.
  const [deep, light, rem] = stages.some((each) => each) ? stages : [];
  builder.addSleep(path, {
    ...span,
    ...(item.summaryId ? { sourceId: item.summaryId } : {}),
    asleepMinutes: secondsToMinutes(sumOr([deep, light, rem], null)),
    deepMinutes: secondsToMinutes(deep),
    lightMinutes: secondsToMinutes(light),
    remMinutes: secondsToMinutes(rem),
    awakeMinutes: secondsToMinutes(item.awakeDurationInSeconds),
    inBedMinutes: (span.endMs - span.startMs) / 60_000,
    summary: buildSummary(night),
    stages: readStages(builder, night),
    ...(isTentative(night) ? { interim: true } : {}),
  });
}

const stageByLevel: ReadonlyMap<string, SleepStage> = new Map([
  ['deep', 'deep'],
  ['light', 'light'],
  ['rem', 'rem'],
  ['awake', 'awake'],
]);

/** Any other level, such as `unmeasurable`, becomes `unknown`. */
function readStages(builder: RecordBuilder, { path, item }: Night): NightStage[] {
  return Object.entries(item.sleepLevelsMap ?? {}).flatMap(([level, intervals]) =>
    (intervals ?? []).flatMap(({ startTimeInSeconds: start, endTimeInSeconds: end }, at): NightStage[] => {
      const stagePath = `${path}.sleepLevelsMap.${level}.${at}`;
      if (typeof start !== 'number' || typeof end !== 'number') {
        builder.reject(stagePath, 'implausible_value', 'A stage must have a start and an end.');
        return [];
      }
      const stage = stageByLevel.get(level) ?? 'unknown';
      return [{ path: stagePath, stage, startMs: garminSecondsToMs(start), endMs: garminSecondsToMs(end) }];
    }),
  );
}

const buildSummary = ({ path, item }: Night): NightValue[] => [
  {
    path: `${path}.timeOffsetSleepSpo2`,
    metric: 'sleep_blood_oxygen',
    value: meanOfSeries(item.timeOffsetSleepSpo2),
  },
  {
    path: `${path}.timeOffsetSleepRespiration`,
    metric: 'sleep_respiratory_rate',
    value: meanOfSeries(item.timeOffsetSleepRespiration),
  },
];

/** A nap has no stages and no id, so its length is the time asleep. */
function addNaps(builder: RecordBuilder, { path, item, span }: Night): void {
  for (const nap of readItems(builder, `${path}.naps`, item.naps, GarminNap)) {
    if (!isWorn(nap.item.napValidation)) continue;
    const { startMs, offsetMinutes } = readGarminMoment(nap.item.napStartTimeInSeconds, nap.item.napOffsetInSeconds);
    const durationSeconds = nap.item.napDurationInSeconds;
    builder.addSleep(nap.path, {
      startMs,
      endMs: startMs + garminSecondsToMs(durationSeconds),
      offsetMinutes: offsetMinutes ?? span.offsetMinutes,
      asleepMinutes: durationSeconds / 60,
      inBedMinutes: durationSeconds / 60,
    });
  }
}

function meanOfSeries(series: Readonly<Record<string, OptionalNumber>> | null | undefined): number | null {
  const values = readGarminPoints(series).map(({ value }) => value);
  return values.length === 0 ? null : meanOf(values);
}
