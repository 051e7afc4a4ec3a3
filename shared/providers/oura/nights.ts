// Oura's sleeps: each is a session of its own, with the values measured while it lasted.

import type { ReadItem } from '../kit/read-items.ts';
import { type NightValue, type RecordBuilder, secondsToMinutes, zeroToNull } from '../kit/record-builder.ts';
import type { RequestedDays } from '../kit/requested-days.ts';
import type { OuraSleep } from './items.ts';
import { readOuraStages } from './stages.ts';

/**
 * Oura does not count shorter naps, whether they end before or after the sleep day changes at
 * 18:00.
 */
const minAsleepSeconds = 15 * 60;

/**
 * Rest periods and deleted sleeps do not count. The ring also reports fragments of a few minutes as
 * sleeps; only a change of the sleep score shows that such a fragment counted.
 */
function isSleep({ item }: ReadItem<OuraSleep>): boolean {
  const { type, sleep_score_delta: scoreDelta } = item;
  if (type === 'rest' || type === 'deleted') return false;
  if (type === 'long_sleep' || typeof scoreDelta === 'number') return true;
  return (item.total_sleep_duration ?? 0) >= minAsleepSeconds;
}

export function addOuraNights(
  builder: RecordBuilder,
  sleeps: readonly ReadItem<OuraSleep>[],
  { includesInstant }: RequestedDays,
): void {
  for (const { path, item } of sleeps.filter(isSleep)) {
    if (includesInstant(item.bedtime_end.ms)) addSleepRecord(builder, path, item);
    // Samples before midnight are on the day before the night's own.
    addVariability(builder, `${path}.hrv`, item.hrv, includesInstant);
  }
}

function addSleepRecord(builder: RecordBuilder, path: string, sleep: OuraSleep): void {
  builder.addSleep(path, {
    sourceId: sleep.id,
    startMs: sleep.bedtime_start.ms,
    endMs: sleep.bedtime_end.ms,
    offsetMinutes: sleep.bedtime_end.offsetMinutes,
    asleepMinutes: secondsToMinutes(sleep.total_sleep_duration),
    deepMinutes: secondsToMinutes(sleep.deep_sleep_duration),
    lightMinutes: secondsToMinutes(sleep.light_sleep_duration),
    remMinutes: secondsToMinutes(sleep.rem_sleep_duration),
    awakeMinutes: secondsToMinutes(sleep.awake_time),
    inBedMinutes: secondsToMinutes(sleep.time_in_bed),
    summary: buildSummary(path, sleep),
    stages: readOuraStages(builder, path, sleep),
  });
}

/**
 * A late nap says nothing about a night, and the lowest heart rate of a nap is not a resting heart
 * rate.
 */
function buildSummary(path: string, sleep: OuraSleep): NightValue[] {
  const isNight = sleep.type !== 'late_nap';
  const lowest = sleep.type === 'long_sleep' ? zeroToNull(sleep.lowest_heart_rate) : null;
  const summary: NightValue[] = [
    { path: `${path}.latency`, metric: 'sleep_latency', value: sleep.latency, unit: 's' },
    { path: `${path}.average_heart_rate`, metric: 'sleep_heart_rate', value: zeroToNull(sleep.average_heart_rate) },
    { path: `${path}.average_hrv`, metric: 'sleep_heart_rate_variability', value: zeroToNull(sleep.average_hrv) },
    { path: `${path}.average_breath`, metric: 'sleep_respiratory_rate', value: zeroToNull(sleep.average_breath) },
    { path: `${path}.lowest_heart_rate`, metric: 'resting_heart_rate', value: lowest },
  ];
  return isNight ? summary : summary.map((each) => ({ ...each, value: null }));
}

function addVariability(
  builder: RecordBuilder,
  path: string,
  series: OuraSleep['hrv'],
  includesInstant: RequestedDays['includesInstant'],
): void {
  if (!series) return;
  const { ms, offsetMinutes } = series.timestamp;
  for (const [at, value] of series.items.entries()) {
    const startMs = ms + Math.round(at * series.interval * 1000);
    if (includesInstant(startMs))
      builder.addSample(`${path}.items.${at}`, 'heart_rate_variability_rmssd', { startMs, offsetMinutes }, value);
  }
}
