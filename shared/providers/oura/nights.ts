// Oura's sleeps: each a session of its own, and what the day's long one says of the night.
import type { MetricId } from '../../model/metrics.ts';
import type { DaysAsked } from '../days-asked.ts';
import { type Gathering, minutesOf } from '../gathering.ts';
import type { ReadItem } from '../read-items.ts';
import type { OuraSleep } from './items.ts';

export const ouraNightMetrics = [
  'sleep_latency',
  'sleep_heart_rate',
  'sleep_heart_rate_variability',
  'sleep_respiratory_rate',
  'resting_heart_rate',
] as const satisfies MetricId[];

/** Oura counts no shorter nap, whether it ends before or after the sleep day changes at 18:00. */
const minAsleepSeconds = 15 * 60;

/**
 * Lying still is not sleep, and what was deleted is told as such. The ring also reports fragments
 * of a few minutes as sleeps: only a change of the sleep score says that one of those counted.
 */
function isSleep({ item }: ReadItem<OuraSleep>): boolean {
  const { type, sleep_score_delta: scoreDelta } = item;
  if (type === 'rest' || type === 'deleted') return false;
  if (type === 'long_sleep' || typeof scoreDelta === 'number') return true;
  return (item.total_sleep_duration ?? 0) >= minAsleepSeconds;
}

export function gatherNights(
  gathering: Gathering,
  sleeps: readonly ReadItem<OuraSleep>[],
  { holds, holdsInstant }: DaysAsked,
): void {
  const slept = sleeps.filter(isSleep);
  const nights = slept.filter(({ item }) => holds(item.day));
  for (const { path, item } of nights) gatherSleep(gathering, path, item);
  for (const ofOneDay of Map.groupBy(nights, ({ item }) => item.day).values()) {
    const [main] = ofOneDay.filter(({ item }) => item.type !== 'late_nap').toSorted(mainFirst);
    if (main) gatherNight(gathering, main.path, main.item);
  }
  // Before midnight they are on the day before the night's own.
  for (const { path, item } of slept) gatherVariability(gathering, `${path}.hrv`, item.hrv, holdsInstant);
}

function gatherSleep(gathering: Gathering, path: string, sleep: OuraSleep): void {
  gathering.sleep(path, {
    sourceId: sleep.id,
    date: sleep.day,
    startMs: sleep.bedtime_start.ms,
    endMs: sleep.bedtime_end.ms,
    offsetMinutes: sleep.bedtime_end.offsetMinutes,
    asleepMinutes: minutesOf(sleep.total_sleep_duration),
    deepMinutes: minutesOf(sleep.deep_sleep_duration),
    lightMinutes: minutesOf(sleep.light_sleep_duration),
    remMinutes: minutesOf(sleep.rem_sleep_duration),
    awakeMinutes: minutesOf(sleep.awake_time),
    inBedMinutes: minutesOf(sleep.time_in_bed),
  });
}

function gatherNight(gathering: Gathering, path: string, sleep: OuraSleep): void {
  const { day } = sleep;
  gathering.daily(`${path}.latency`, 'sleep_latency', day, sleep.latency, 's');
  gathering.daily(`${path}.average_heart_rate`, 'sleep_heart_rate', day, sleep.average_heart_rate);
  gathering.daily(`${path}.average_hrv`, 'sleep_heart_rate_variability', day, sleep.average_hrv);
  gathering.daily(`${path}.average_breath`, 'sleep_respiratory_rate', day, sleep.average_breath);
  // The lowest of a nap is no heart at rest.
  if (sleep.type === 'long_sleep')
    gathering.daily(`${path}.lowest_heart_rate`, 'resting_heart_rate', day, sleep.lowest_heart_rate);
}

function gatherVariability(
  gathering: Gathering,
  path: string,
  series: OuraSleep['hrv'],
  holdsInstant: DaysAsked['holdsInstant'],
): void {
  if (!series) return;
  const { ms, offsetMinutes } = series.timestamp;
  for (const [at, value] of series.items.entries()) {
    const startMs = ms + Math.round(at * series.interval * 1000);
    if (holdsInstant(startMs, offsetMinutes))
      gathering.sample(`${path}.items.${at}`, 'heart_rate_variability_rmssd', { startMs, offsetMinutes }, value);
  }
}

function mainFirst({ item: a }: ReadItem<OuraSleep>, { item: b }: ReadItem<OuraSleep>): number {
  const isLong = ({ type }: OuraSleep): number => (type === 'long_sleep' ? 1 : 0);
  return isLong(b) - isLong(a) || lengthOf(b) - lengthOf(a) || a.bedtime_start.ms - b.bedtime_start.ms;
}

const lengthOf = ({ total_sleep_duration, bedtime_start, bedtime_end }: OuraSleep): number =>
  total_sleep_duration ?? (bedtime_end.ms - bedtime_start.ms) / 1000;
