// Oura's sleeps: each a session of its own, with what was measured while it lasted.
import type { DaysAsked } from '../kit/days-asked.ts';
import { type Gathering, minutesOf, type NightValue, zeroIsNone } from '../kit/gathering.ts';
import type { ReadItem } from '../kit/read-items.ts';
import type { OuraSleep } from './items.ts';

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
  { holdsInstant }: DaysAsked,
): void {
  for (const { path, item } of sleeps.filter(isSleep)) {
    if (holdsInstant(item.bedtime_end.ms)) gatherSleep(gathering, path, item);
    // Before midnight they are on the day before the night's own.
    gatherVariability(gathering, `${path}.hrv`, item.hrv, holdsInstant);
  }
}

function gatherSleep(gathering: Gathering, path: string, sleep: OuraSleep): void {
  gathering.sleep(path, {
    sourceId: sleep.id,
    startMs: sleep.bedtime_start.ms,
    endMs: sleep.bedtime_end.ms,
    offsetMinutes: sleep.bedtime_end.offsetMinutes,
    asleepMinutes: minutesOf(sleep.total_sleep_duration),
    deepMinutes: minutesOf(sleep.deep_sleep_duration),
    lightMinutes: minutesOf(sleep.light_sleep_duration),
    remMinutes: minutesOf(sleep.rem_sleep_duration),
    awakeMinutes: minutesOf(sleep.awake_time),
    inBedMinutes: minutesOf(sleep.time_in_bed),
    summary: summaryOf(path, sleep),
  });
}

/** A late nap says nothing of a night, and the lowest of any nap is no heart at rest. */
function summaryOf(path: string, sleep: OuraSleep): NightValue[] {
  const isNight = sleep.type !== 'late_nap';
  const lowest = sleep.type === 'long_sleep' ? zeroIsNone(sleep.lowest_heart_rate) : null;
  const summary: NightValue[] = [
    { path: `${path}.latency`, metric: 'sleep_latency', value: sleep.latency, unit: 's' },
    { path: `${path}.average_heart_rate`, metric: 'sleep_heart_rate', value: zeroIsNone(sleep.average_heart_rate) },
    { path: `${path}.average_hrv`, metric: 'sleep_heart_rate_variability', value: zeroIsNone(sleep.average_hrv) },
    { path: `${path}.average_breath`, metric: 'sleep_respiratory_rate', value: zeroIsNone(sleep.average_breath) },
    { path: `${path}.lowest_heart_rate`, metric: 'resting_heart_rate', value: lowest },
  ];
  return isNight ? summary : summary.map((each) => ({ ...each, value: null }));
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
    if (holdsInstant(startMs))
      gathering.sample(`${path}.items.${at}`, 'heart_rate_variability_rmssd', { startMs, offsetMinutes }, value);
  }
}
