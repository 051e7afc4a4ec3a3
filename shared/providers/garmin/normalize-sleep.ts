// Garmin's nights and naps. A tentative night is sent again when it is final, perhaps with another start.
import { meanOf } from '../../platform/arithmetic.ts';
import { type Gathering, type Maybe, minutesOf, type NightValue } from '../kit/gathering.ts';
import { type ReadItem, readItems } from '../kit/read-items.ts';
import { GarminNap, type GarminSleep } from './items.ts';
import { type GarminSpan, garminMoment, garminMs, garminPoints, garminSpan } from './when.ts';

interface Night extends ReadItem<GarminSleep> {
  span: GarminSpan;
}

/** Nobody slept where the watch lay on the table; every other way a night was found counts, known or not. */
const isWorn = (validation: string | null | undefined): boolean => validation !== 'OFF_WRIST';

export function gatherGarminSleeps(gathering: Gathering, items: readonly ReadItem<GarminSleep>[]): void {
  for (const night of lastVersions(items.map(nightOf))) {
    gatherNaps(gathering, night);
    if (isWorn(night.item.validation)) gatherNight(gathering, night);
  }
}

function nightOf({ path, item }: ReadItem<GarminSleep>): Night {
  const span = garminSpan(item);
  // The duration leaves out the time awake, so the end is where the last stage ends.
  const stages = [item.deepSleepDurationInSeconds, item.lightSleepDurationInSeconds, item.remSleepInSeconds];
  const all = [...stages, item.awakeDurationInSeconds, item.unmeasurableSleepInSeconds];
  const levels = Object.values(item.sleepLevelsMap ?? {}).flatMap((level) => level ?? []);
  const ends = levels.flatMap(({ endTimeInSeconds: end }) => (typeof end === 'number' ? [garminMs(end)] : []));
  const endMs = Math.max(span.endMs, ...(ends.length > 0 ? ends : [span.startMs + garminMs(sumOr(all, 0))]));
  return { path, item, span: { ...span, endMs } };
}

const sumOr = <Else>(seconds: readonly Maybe[], none: Else): number | Else => {
  const given = seconds.filter((each) => typeof each === 'number');
  return given.length === 0 ? none : given.reduce((sum, each) => sum + each, 0);
};

/**
 * Garmin sends such a night again when it is final, and a push that was not taken at first may come
 * after that.
 */
const isTentative = ({ item }: Night): boolean => item.validation?.endsWith('_TENTATIVE') ?? false;

/**
 * Of one night the version that was sent last, a final one before tentative ones: its own name, its
 * start, or its day and time tell that it is the same one.
 */
function lastVersions(nights: readonly Night[]): Night[] {
  const isReplaced = (night: Night, at: number) =>
    nights.some((other, place) => {
      if (place === at || !isSame(night, other)) return false;
      return isTentative(night) === isTentative(other) ? place > at : isTentative(night);
    });
  return nights.filter((night, at) => !isReplaced(night, at));
}

const isSame = (a: Night, b: Night): boolean =>
  (typeof a.item.summaryId === 'string' && a.item.summaryId === b.item.summaryId) ||
  a.span.startMs === b.span.startMs ||
  (a.item.calendarDate === b.item.calendarDate && a.span.startMs < b.span.endMs && b.span.startMs < a.span.endMs);

function gatherNight(gathering: Gathering, night: Night): void {
  const { path, item, span } = night;
  const stages = [item.deepSleepDurationInSeconds, item.lightSleepDurationInSeconds, item.remSleepInSeconds];
  // A night that was entered by hand has none: all of them are zero.
  const [deep, light, rem] = stages.some((each) => each) ? stages : [];
  gathering.sleep(path, {
    ...span,
    ...(item.summaryId ? { sourceId: item.summaryId } : {}),
    asleepMinutes: minutesOf(sumOr([deep, light, rem], null)),
    deepMinutes: minutesOf(deep),
    lightMinutes: minutesOf(light),
    remMinutes: minutesOf(rem),
    awakeMinutes: minutesOf(item.awakeDurationInSeconds),
    inBedMinutes: (span.endMs - span.startMs) / 60_000,
    summary: summaryOf(night),
    ...(isTentative(night) ? { interim: true } : {}),
  });
}

const summaryOf = ({ path, item }: Night): NightValue[] => [
  {
    path: `${path}.timeOffsetSleepSpo2`,
    metric: 'sleep_blood_oxygen',
    value: meanAlong(item.timeOffsetSleepSpo2),
  },
  {
    path: `${path}.timeOffsetSleepRespiration`,
    metric: 'sleep_respiratory_rate',
    value: meanAlong(item.timeOffsetSleepRespiration),
  },
];

/** A nap has no stages and no name of its own: its length is how long was slept. */
function gatherNaps(gathering: Gathering, { path, item, span }: Night): void {
  for (const nap of readItems(gathering, `${path}.naps`, item.naps, GarminNap)) {
    if (!isWorn(nap.item.napValidation)) continue;
    const { startMs, offsetMinutes } = garminMoment(nap.item.napStartTimeInSeconds, nap.item.napOffsetInSeconds);
    const lasted = nap.item.napDurationInSeconds;
    gathering.sleep(nap.path, {
      startMs,
      endMs: startMs + garminMs(lasted),
      offsetMinutes: offsetMinutes ?? span.offsetMinutes,
      asleepMinutes: lasted / 60,
      inBedMinutes: lasted / 60,
    });
  }
}

function meanAlong(course: Readonly<Record<string, Maybe>> | null | undefined): number | null {
  const values = garminPoints(course).map(({ value }) => value);
  return values.length === 0 ? null : meanOf(values);
}
