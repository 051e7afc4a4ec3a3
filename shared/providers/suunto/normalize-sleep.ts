// Suunto's nights and naps, each an item of its own.
import { dayMs } from '../../platform/time/local-day.ts';
import type { DaysAsked } from '../kit/days-asked.ts';
import { type Gathering, type Maybe, minutesOf, type NightValue } from '../kit/gathering.ts';
import type { ReadItem } from '../kit/read-items.ts';
import { type SuuntoSleep, suuntoNightBounds } from './items.ts';
import { suuntoBeats } from './units.ts';

interface Night extends ReadItem<SuuntoSleep['entryData']> {
  startMs: number;
  endMs: number;
  offsetMinutes: number | null;
  isInterim: boolean;
}

/**
 * The first version of a sleep may have no stages yet, all of them zero, and be called a nap. It
 * comes in any order with the one that has them, which is the fuller one. Returns the days around
 * such versions: what a fuller one has said of them is not taken back.
 */
export function gatherSuuntoNights(
  gathering: Gathering,
  items: readonly ReadItem<SuuntoSleep>[],
  days: DaysAsked,
): Set<string> {
  const nights = fullestOfEach(items).flatMap((each) => nightOf(gathering, each));
  for (const night of nights) if (days.holdsInstant(night.endMs)) gatherNight(gathering, night);
  const interim = nights.filter(({ isInterim }) => isInterim);
  // A sleep that goes on ends on the day after its start at the latest.
  return new Set(
    interim.flatMap(({ startMs, endMs }) => [startMs, startMs + dayMs, endMs].map((ms) => days.dateOf(ms))),
  );
}

const stagesOf = ({ DeepSleepDuration, LightSleepDuration, REMSleepDuration }: SuuntoSleep['entryData']) => [
  DeepSleepDuration,
  LightSleepDuration,
  REMSleepDuration,
];
const hasStages = (item: SuuntoSleep['entryData']): boolean => (added(...stagesOf(item)) ?? 0) > 0;
const hasZeroStages = (item: SuuntoSleep['entryData']): boolean => added(...stagesOf(item)) === 0;

/** Of several versions with stages the last one. */
function fullestOfEach(items: readonly ReadItem<SuuntoSleep>[]): ReadItem<SuuntoSleep>[] {
  const byName = new Map<string, ReadItem<SuuntoSleep>>();
  for (const each of items) {
    const { timestamp, entryData } = each.item;
    const name = String(entryData.SleepId || timestamp);
    const other = byName.get(name);
    if (!other || hasStages(entryData) || !hasStages(other.item.entryData)) byName.set(name, each);
  }
  return [...byName.values()];
}

function nightOf(gathering: Gathering, { path, item }: ReadItem<SuuntoSleep>): Night[] {
  const bounds = suuntoNightBounds(item);
  if (!bounds) {
    gathering.reject(path, 'invalid_time', 'A sleep needs a start and an end, or a start and a duration.');
    return [];
  }
  const { start, end } = bounds;
  const { ms: endMs, offsetMinutes } = end;
  const isInterim = !hasStages(item.entryData);
  return [{ path, item: item.entryData, startMs: start.ms, endMs, offsetMinutes, isInterim }];
}

const added = (...seconds: readonly Maybe[]): number | null => {
  const given = seconds.filter((each) => typeof each === 'number');
  return given.length === 0 ? null : given.reduce((sum, each) => sum + each, 0);
};

function gatherNight(gathering: Gathering, night: Night): void {
  const { path, item, startMs, endMs, offsetMinutes, isInterim } = night;
  // It has only begun.
  if (isInterim && endMs === startMs) return;
  const { SleepId } = item;
  const [deep, light, rem] = isInterim ? [] : stagesOf(item);
  gathering.sleep(path, {
    startMs,
    endMs,
    offsetMinutes,
    ...(SleepId ? { sourceId: String(SleepId) } : {}),
    asleepMinutes: minutesOf(added(deep, light, rem)),
    deepMinutes: minutesOf(deep),
    lightMinutes: minutesOf(light),
    remMinutes: minutesOf(rem),
    awakeMinutes: minutesOf(
      hasZeroStages(item) ? null : added(item.WakeAfterSleepOnsetDuration, item.WakeBeforeOffBedDuration),
    ),
    inBedMinutes: (endMs - startMs) / 60_000,
    summary: summaryOf(night),
    ...(isInterim ? { interim: true } : {}),
  });
  // The lowest heart rate is one of the day's, so it stands beside the others as a sample, when the night is over.
  if (tellsOfNight(item))
    gathering.sample(`${path}.HRMin`, 'min_heart_rate', { startMs: endMs, offsetMinutes }, suuntoBeats(item.HRMin));
}

const tellsOfNight = (item: SuuntoSleep['entryData']): boolean => !item.IsNap && !hasZeroStages(item);

function summaryOf({ path, item }: Night): NightValue[] {
  const { SleepOnsetLatencyDuration: latency, HRAvg, AvgHRV } = tellsOfNight(item) ? item : {};
  return [
    { path: `${path}.SleepOnsetLatencyDuration`, metric: 'sleep_latency', value: latency, unit: 's' },
    { path: `${path}.HRAvg`, metric: 'sleep_heart_rate', value: suuntoBeats(HRAvg) },
    { path: `${path}.AvgHRV`, metric: 'sleep_heart_rate_variability', value: AvgHRV || null },
  ];
}
