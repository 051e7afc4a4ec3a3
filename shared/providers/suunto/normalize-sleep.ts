// Suunto's nights and naps, each an item of its own. The day is that of the end, by the clock it is written with.
import { dayMs } from '../../model/local-day.ts';
import type { DaysAsked } from '../days-asked.ts';
import { type Gathering, type Maybe, minutesOf } from '../gathering.ts';
import type { ReadItem } from '../read-items.ts';
import { type SuuntoSleep, suuntoNightBounds } from './items.ts';
import { suuntoBeats } from './units.ts';

interface Night extends ReadItem<SuuntoSleep['entryData']> {
  startMs: number;
  endMs: number;
  offsetMinutes: number | null;
  date: string;
  isInterim: boolean;
}

export const suuntoNightMetrics = ['sleep_latency', 'sleep_heart_rate', 'sleep_heart_rate_variability'] as const;

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
  const nights = fullestOfEach(items).flatMap((each) => nightOf(gathering, each, days));
  const longest = new Map<string, Night>();
  for (const night of nights.filter(({ date }) => days.holds(date))) {
    gatherNight(gathering, night);
    if (night.item.IsNap || hasZeroStages(night.item)) continue;
    const other = longest.get(night.date);
    if (!other || lengthOf(night) > lengthOf(other)) longest.set(night.date, night);
  }
  for (const night of longest.values()) gatherNightValues(gathering, night);
  const interim = nights.filter(({ isInterim }) => isInterim);
  return new Set(interim.flatMap(({ startMs, endMs, offsetMinutes }) => daysOf(days, startMs, endMs, offsetMinutes)));
}

/** A sleep that goes on ends on the day after its start at the latest. */
const daysOf = (days: DaysAsked, startMs: number, endMs: number, offsetMinutes: number | null): string[] =>
  [startMs, startMs + dayMs, endMs].map((ms) => days.dateOf(ms, offsetMinutes));

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

const lengthOf = ({ startMs, endMs }: Night): number => endMs - startMs;

function nightOf(gathering: Gathering, { path, item }: ReadItem<SuuntoSleep>, days: DaysAsked): Night[] {
  const bounds = suuntoNightBounds(item);
  if (!bounds) {
    gathering.reject(path, 'invalid_time', 'A sleep needs a start and an end, or a start and a duration.');
    return [];
  }
  const { start, end } = bounds;
  const { ms: endMs, offsetMinutes } = end;
  const date = days.dateOf(endMs, offsetMinutes);
  const isInterim = !hasStages(item.entryData);
  return [{ path, item: item.entryData, startMs: start.ms, endMs, offsetMinutes, date, isInterim }];
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
    ...(isInterim ? { interim: true } : {}),
  });
}

/** The lowest heart rate is one of the day's, so it stands beside the others as a sample, when the night is over. */
function gatherNightValues(gathering: Gathering, { path, item, date, endMs, offsetMinutes }: Night): void {
  gathering.daily(`${path}.SleepOnsetLatencyDuration`, 'sleep_latency', date, item.SleepOnsetLatencyDuration, 's');
  gathering.daily(`${path}.HRAvg`, 'sleep_heart_rate', date, suuntoBeats(item.HRAvg));
  gathering.daily(`${path}.AvgHRV`, 'sleep_heart_rate_variability', date, item.AvgHRV || null);
  const lowest = suuntoBeats(item.HRMin);
  gathering.sample(`${path}.HRMin`, 'min_heart_rate', { startMs: endMs, offsetMinutes }, lowest);
}
