// Suunto's nights and naps, each of which is a separate item.
import { dayMs } from '../../platform/time/local-day.ts';
import type { ReadItem } from '../kit/read-items.ts';
import { type NightValue, type OptionalNumber, type RecordBuilder, secondsToMinutes } from '../kit/record-builder.ts';
import type { RequestedDays } from '../kit/requested-days.ts';
import { readSuuntoNightBounds, type SuuntoSleep } from './items.ts';
import { toSuuntoBpm } from './units.ts';

interface Night extends ReadItem<SuuntoSleep['entryData']> {
  startMs: number;
  endMs: number;
  offsetMinutes: number | null;
  isInterim: boolean;
}

/**
 * The first version of a sleep may have no stages yet (all are zero) and be called a nap. It may
 * arrive before or after the version with stages, which is the fuller one. Returns the days around
 * such interim versions: data that a fuller version has added to them is not removed.
 */
export function addSuuntoNights(
  builder: RecordBuilder,
  items: readonly ReadItem<SuuntoSleep>[],
  days: RequestedDays,
): Set<string> {
  const nights = keepFullest(items).flatMap((each) => readNight(builder, each));
  for (const night of nights) if (days.includesInstant(night.endMs)) addNight(builder, night);
  const interim = nights.filter(({ isInterim }) => isInterim);
  // A sleep in progress ends on the day after its start at the latest.
  return new Set(
    interim.flatMap(({ startMs, endMs }) => [startMs, startMs + dayMs, endMs].map((ms) => days.dateOf(ms))),
  );
}

const readStages = ({ DeepSleepDuration, LightSleepDuration, REMSleepDuration }: SuuntoSleep['entryData']) => [
  DeepSleepDuration,
  LightSleepDuration,
  REMSleepDuration,
];
const hasStages = (item: SuuntoSleep['entryData']): boolean => (sumOrNull(...readStages(item)) ?? 0) > 0;
const hasZeroStages = (item: SuuntoSleep['entryData']): boolean => sumOrNull(...readStages(item)) === 0;

/** Of several versions with stages, the last one counts. */
function keepFullest(items: readonly ReadItem<SuuntoSleep>[]): ReadItem<SuuntoSleep>[] {
  const byName = new Map<string, ReadItem<SuuntoSleep>>();
  for (const each of items) {
    const { timestamp, entryData } = each.item;
    const name = String(entryData.SleepId || timestamp);
    const other = byName.get(name);
    if (!other || hasStages(entryData) || !hasStages(other.item.entryData)) byName.set(name, each);
  }
  return [...byName.values()];
}

function readNight(builder: RecordBuilder, { path, item }: ReadItem<SuuntoSleep>): Night[] {
  const bounds = readSuuntoNightBounds(item);
  if (!bounds) {
    builder.reject(path, 'invalid_time', 'A sleep must have a start and an end, or a start and a duration.');
    return [];
  }
  const { start, end } = bounds;
  const { ms: endMs, offsetMinutes } = end;
  const isInterim = !hasStages(item.entryData);
  return [{ path, item: item.entryData, startMs: start.ms, endMs, offsetMinutes, isInterim }];
}

const sumOrNull = (...seconds: readonly OptionalNumber[]): number | null => {
  const numbers = seconds.filter((each) => typeof each === 'number');
  return numbers.length === 0 ? null : numbers.reduce((sum, each) => sum + each, 0);
};

function addNight(builder: RecordBuilder, night: Night): void {
  const { path, item, startMs, endMs, offsetMinutes, isInterim } = night;
  // The sleep has only begun.
  if (isInterim && endMs === startMs) return;
  const { SleepId } = item;
  const [deep, light, rem] = isInterim ? [] : readStages(item);
  builder.addSleep(path, {
    startMs,
    endMs,
    offsetMinutes,
    ...(SleepId ? { sourceId: String(SleepId) } : {}),
    asleepMinutes: secondsToMinutes(sumOrNull(deep, light, rem)),
    deepMinutes: secondsToMinutes(deep),
    lightMinutes: secondsToMinutes(light),
    remMinutes: secondsToMinutes(rem),
    awakeMinutes: secondsToMinutes(
      hasZeroStages(item) ? null : sumOrNull(item.WakeAfterSleepOnsetDuration, item.WakeBeforeOffBedDuration),
    ),
    inBedMinutes: (endMs - startMs) / 60_000,
    summary: buildSummary(night),
    ...(isInterim ? { interim: true } : {}),
  });
  // The minimum heart rate is one of the day's readings, so it is added next to the others, as a
  // sample at the end of the night.
  if (isMeasuredNight(item))
    builder.addSample(`${path}.HRMin`, 'min_heart_rate', { startMs: endMs, offsetMinutes }, toSuuntoBpm(item.HRMin));
}

const isMeasuredNight = (item: SuuntoSleep['entryData']): boolean => !item.IsNap && !hasZeroStages(item);

function buildSummary({ path, item }: Night): NightValue[] {
  const { SleepOnsetLatencyDuration: latency, HRAvg, AvgHRV } = isMeasuredNight(item) ? item : {};
  return [
    { path: `${path}.SleepOnsetLatencyDuration`, metric: 'sleep_latency', value: latency, unit: 's' },
    { path: `${path}.HRAvg`, metric: 'sleep_heart_rate', value: toSuuntoBpm(HRAvg) },
    { path: `${path}.AvgHRV`, metric: 'sleep_heart_rate_variability', value: AvgHRV || null },
  ];
}
