// WHOOP's sleeps: each a session of its own, and what the main one of a day says of the night, its recovery included.
import { type Gathering, type Maybe, zeroIsNone } from '../gathering.ts';
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
  const summary = item.score?.stage_summary;
  const deep = minutes(summary?.total_slow_wave_sleep_time_milli);
  const light = minutes(summary?.total_light_sleep_time_milli);
  const rem = minutes(summary?.total_rem_sleep_time_milli);
  const asleep = deep === null || light === null || rem === null ? null : zeroIsNone(deep + light + rem);
  // A strap without data states zeros for all stages.
  const staged = (stage: number | null): number | null => (asleep === null ? zeroIsNone(stage) : stage);
  gathering.sleep(path, {
    sourceId: item.id,
    startMs: item.start,
    endMs: item.end,
    offsetMinutes: item.timezone_offset,
    asleepMinutes: asleep,
    deepMinutes: staged(deep),
    lightMinutes: staged(light),
    remMinutes: staged(rem),
    awakeMinutes: staged(minutes(summary?.total_awake_time_milli)),
    inBedMinutes: zeroIsNone(minutes(summary?.total_in_bed_time_milli)),
  });
}

const minutes = (milliseconds: Maybe): number | null =>
  typeof milliseconds === 'number' ? milliseconds / 60_000 : null;

export function gatherWhoopNight(gathering: Gathering, { path, item: { score }, date }: DatedSleep): void {
  gathering.daily(
    `${path}.score.respiratory_rate`,
    'sleep_respiratory_rate',
    date,
    zeroIsNone(score?.respiratory_rate),
  );
  gathering.daily(
    `${path}.score.sleep_efficiency_percentage`,
    'sleep_efficiency',
    date,
    zeroIsNone(score?.sleep_efficiency_percentage),
  );
}

export function gatherWhoopRecovery(gathering: Gathering, path: string, date: string, { score }: WhoopRecovery): void {
  const rmssd = zeroIsNone(score?.hrv_rmssd_milli);
  gathering.daily(
    `${path}.score.resting_heart_rate`,
    'resting_heart_rate',
    date,
    zeroIsNone(score?.resting_heart_rate),
  );
  gathering.daily(`${path}.score.hrv_rmssd_milli`, 'heart_rate_variability_rmssd', date, rmssd);
  gathering.daily(`${path}.score.hrv_rmssd_milli`, 'sleep_heart_rate_variability', date, rmssd);
  gathering.daily(`${path}.score.spo2_percentage`, 'sleep_blood_oxygen', date, zeroIsNone(score?.spo2_percentage));
  gathering.daily(
    `${path}.score.skin_temp_celsius`,
    'sleep_skin_temperature',
    date,
    zeroIsNone(score?.skin_temp_celsius),
  );
}
