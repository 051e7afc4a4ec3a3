// Suunto's nights and naps, each an item of its own. The day is that of the end, by the clock it is written with.
import type { DaysAsked } from '../days-asked.ts';
import { type Gathering, type Maybe, minutesOf } from '../gathering.ts';
import { lastOfEach, type ReadItem } from '../read-items.ts';
import { type SuuntoSleep, suuntoNightBounds } from './items.ts';
import { suuntoBeats } from './units.ts';

interface Night extends ReadItem<SuuntoSleep['entryData']> {
  startMs: number;
  endMs: number;
  offsetMinutes: number | null;
  date: string;
}

export const suuntoNightMetrics = ['sleep_latency', 'sleep_heart_rate', 'sleep_heart_rate_variability'] as const;

export function gatherSuuntoNights(
  gathering: Gathering,
  items: readonly ReadItem<SuuntoSleep>[],
  days: DaysAsked,
): void {
  const known = lastOfEach(items, ({ timestamp, entryData }) => String(entryData.SleepId ?? timestamp));
  const nights = known.flatMap((each) => nightOf(gathering, each, days)).filter(({ date }) => days.holds(date));
  const longest = new Map<string, Night>();
  for (const night of nights) {
    gatherNight(gathering, night);
    if (night.item.IsNap) continue;
    const other = longest.get(night.date);
    if (!other || lengthOf(night) > lengthOf(other)) longest.set(night.date, night);
  }
  for (const night of longest.values()) gatherNightValues(gathering, night);
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
  return [{ path, item: item.entryData, startMs: start.ms, endMs, offsetMinutes, date }];
}

const added = (...seconds: readonly Maybe[]): number | null => {
  const given = seconds.filter((each) => typeof each === 'number');
  return given.length === 0 ? null : given.reduce((sum, each) => sum + each, 0);
};

function gatherNight(gathering: Gathering, { path, item, startMs, endMs, offsetMinutes }: Night): void {
  const { DeepSleepDuration: deep, LightSleepDuration: light, REMSleepDuration: rem, SleepId } = item;
  gathering.sleep(path, {
    startMs,
    endMs,
    offsetMinutes,
    ...(SleepId === null || SleepId === undefined ? {} : { sourceId: String(SleepId) }),
    asleepMinutes: minutesOf(added(deep, light, rem)),
    deepMinutes: minutesOf(deep),
    lightMinutes: minutesOf(light),
    remMinutes: minutesOf(rem),
    awakeMinutes: minutesOf(added(item.WakeAfterSleepOnsetDuration, item.WakeBeforeOffBedDuration)),
    inBedMinutes: (endMs - startMs) / 60_000,
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
