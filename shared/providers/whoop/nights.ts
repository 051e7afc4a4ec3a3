// WHOOP's sleeps: each a session of its own, and what the main one of a day says of the night, its recovery included.
import type { Gathering, Maybe } from '../gathering.ts';
import type { ReadItem } from '../read-items.ts';
import type { WhoopRecovery, WhoopSleep } from './items.ts';

export interface DatedSleep extends ReadItem<WhoopSleep> {
  date: string;
}

/** Naps are nobody's night; of two nights on one day the longer one. */
export function mainSleeps(sleeps: readonly DatedSleep[]): Map<string, DatedSleep> {
  const lengthOf = ({ item }: DatedSleep): number => item.end - item.start;
  const nights = new Map<string, DatedSleep>();
  for (const each of sleeps) {
    const other = nights.get(each.date);
    if (each.item.nap) continue;
    if (
      !other ||
      lengthOf(each) > lengthOf(other) ||
      (lengthOf(each) === lengthOf(other) && each.item.id < other.item.id)
    )
      nights.set(each.date, each);
  }
  return nights;
}

export function gatherWhoopSleep(gathering: Gathering, { path, item }: DatedSleep): void {
  const stages = item.score?.stage_summary;
  const deep = minutes(stages?.total_slow_wave_sleep_time_milli);
  const light = minutes(stages?.total_light_sleep_time_milli);
  const rem = minutes(stages?.total_rem_sleep_time_milli);
  gathering.sleep(path, {
    sourceId: item.id,
    startMs: item.start,
    endMs: item.end,
    offsetMinutes: item.timezone_offset,
    asleepMinutes: deep === null || light === null || rem === null ? null : deep + light + rem,
    deepMinutes: deep,
    lightMinutes: light,
    remMinutes: rem,
    awakeMinutes: minutes(stages?.total_awake_time_milli),
    inBedMinutes: minutes(stages?.total_in_bed_time_milli),
  });
}

const minutes = (milliseconds: Maybe): number | null =>
  typeof milliseconds === 'number' ? milliseconds / 60_000 : null;

export function gatherWhoopNight(gathering: Gathering, { path, item: { score }, date }: DatedSleep): void {
  gathering.daily(`${path}.score.respiratory_rate`, 'sleep_respiratory_rate', date, score?.respiratory_rate);
  gathering.daily(
    `${path}.score.sleep_efficiency_percentage`,
    'sleep_efficiency',
    date,
    score?.sleep_efficiency_percentage,
  );
}

export function gatherWhoopRecovery(gathering: Gathering, path: string, date: string, { score }: WhoopRecovery): void {
  const rmssd = score?.hrv_rmssd_milli;
  gathering.daily(`${path}.score.resting_heart_rate`, 'resting_heart_rate', date, score?.resting_heart_rate);
  gathering.daily(`${path}.score.hrv_rmssd_milli`, 'heart_rate_variability_rmssd', date, rmssd);
  gathering.daily(`${path}.score.hrv_rmssd_milli`, 'sleep_heart_rate_variability', date, rmssd);
  gathering.daily(`${path}.score.spo2_percentage`, 'sleep_blood_oxygen', date, score?.spo2_percentage);
  gathering.daily(`${path}.score.skin_temp_celsius`, 'sleep_skin_temperature', date, score?.skin_temp_celsius);
}
