// WHOOP's sleeps, each of which is a session. A night has the values measured during it, its
// recovery, and the cycle that began with it.

import type { ReadItem } from '../kit/read-items.ts';
import { type NightValue, type OptionalNumber, type RecordBuilder, zeroToNull } from '../kit/record-builder.ts';
import type { WhoopCycle, WhoopRecovery, WhoopSleep } from './items.ts';

type Sleep = ReadItem<WhoopSleep>;

/**
 * What was fetched together with the sleeps. If a list could not be read in full, a value that it
 * lacks is unknown rather than absent.
 */
export interface SleepContext {
  recoveries: ReadonlyMap<string, ReadItem<WhoopRecovery>>;
  hasAllRecoveries: boolean;
  cycles: ReadonlyMap<string, ReadItem<WhoopCycle>>;
  hasAllCycles: boolean;
  /** The sleep that each cycle began with, by cycle id. */
  mainSleeps: ReadonlyMap<string, Sleep>;
}

export const readCycleId = ({ item }: Sleep): string => String(item.cycle_id ?? '');

/** Naps do not count as nights; of two nights in one cycle, the longer one counts. */
export function selectMainSleeps(sleeps: readonly Sleep[]): Map<string, Sleep> {
  const lengthOf = ({ item }: Sleep): number => item.end - item.start;
  const main = new Map<string, Sleep>();
  for (const each of sleeps) {
    const other = main.get(readCycleId(each));
    if (each.item.nap || readCycleId(each) === '') continue;
    if (!other || lengthOf(each) > lengthOf(other) || (lengthOf(each) === lengthOf(other) && isFirst(each, other)))
      main.set(readCycleId(each), each);
  }
  return main;
}

const isFirst = (a: Sleep, b: Sleep): boolean => a.item.id < b.item.id;

export function addWhoopSleep(builder: RecordBuilder, sleep: Sleep, context: SleepContext): void {
  const { path, item } = sleep;
  const summary = item.score?.stage_summary;
  const deep = millisecondsToMinutes(summary?.total_slow_wave_sleep_time_milli);
  const light = millisecondsToMinutes(summary?.total_light_sleep_time_milli);
  const rem = millisecondsToMinutes(summary?.total_rem_sleep_time_milli);
  const asleep = deep === null || light === null || rem === null ? null : zeroToNull(deep + light + rem);
  // A strap without data reports zeros for all stages.
  const stageOrNull = (stage: number | null): number | null => (asleep === null ? zeroToNull(stage) : stage);
  const values = [...summaryOfSleep(sleep), ...summaryOfRecovery(sleep, context), ...summaryOfCycle(sleep, context)];
  builder.addSleep(path, {
    sourceId: item.id,
    startMs: item.start,
    endMs: item.end,
    offsetMinutes: item.timezone_offset,
    asleepMinutes: asleep,
    deepMinutes: stageOrNull(deep),
    lightMinutes: stageOrNull(light),
    remMinutes: stageOrNull(rem),
    awakeMinutes: stageOrNull(millisecondsToMinutes(summary?.total_awake_time_milli)),
    inBedMinutes: zeroToNull(millisecondsToMinutes(summary?.total_in_bed_time_milli)),
    // A nap is not a night: values from before it was classified as a nap are removed.
    summary: item.nap ? values.map((each) => ({ ...each, value: null })) : values,
  });
}

const millisecondsToMinutes = (milliseconds: OptionalNumber): number | null =>
  typeof milliseconds === 'number' ? milliseconds / 60_000 : null;

function summaryOfSleep({ path, item: { score } }: Sleep): NightValue[] {
  const { respiratory_rate, sleep_efficiency_percentage } = score ?? {};
  return [
    { path: `${path}.score.respiratory_rate`, metric: 'sleep_respiratory_rate', value: zeroToNull(respiratory_rate) },
    {
      path: `${path}.score.sleep_efficiency_percentage`,
      metric: 'sleep_efficiency',
      value: zeroToNull(sleep_efficiency_percentage),
    },
  ];
}

function summaryOfRecovery({ path, item }: Sleep, { recoveries, hasAllRecoveries }: SleepContext): NightValue[] {
  const recovery = recoveries.get(item.id);
  if (!recovery && !hasAllRecoveries) return [];
  const { resting_heart_rate, hrv_rmssd_milli, spo2_percentage, skin_temp_celsius } = recovery?.item.score ?? {};
  const at = `${recovery?.path ?? path}.score`;
  const rmssd = zeroToNull(hrv_rmssd_milli);
  return [
    { path: `${at}.resting_heart_rate`, metric: 'resting_heart_rate', value: zeroToNull(resting_heart_rate) },
    { path: `${at}.hrv_rmssd_milli`, metric: 'heart_rate_variability_rmssd', value: rmssd },
    { path: `${at}.hrv_rmssd_milli`, metric: 'sleep_heart_rate_variability', value: rmssd },
    { path: `${at}.spo2_percentage`, metric: 'sleep_blood_oxygen', value: zeroToNull(spo2_percentage) },
    { path: `${at}.skin_temp_celsius`, metric: 'sleep_skin_temperature', value: zeroToNull(skin_temp_celsius) },
  ];
}

/** If a cycle has two sleeps, its values belong to the main one. */
function summaryOfCycle(sleep: Sleep, { cycles, hasAllCycles, mainSleeps }: SleepContext): NightValue[] {
  const cycle = cycles.get(readCycleId(sleep));
  if (!cycle && !hasAllCycles) return [];
  const isMain = mainSleeps.get(readCycleId(sleep)) === sleep;
  const path = `${cycle?.path ?? sleep.path}.score`;
  return cycleValues(path, isMain ? cycle?.item : undefined);
}

/** The totals from one falling asleep to the next. */
export function cycleValues(path: string, cycle: WhoopCycle | undefined): NightValue[] {
  const { kilojoule, max_heart_rate } = cycle?.score ?? {};
  return [
    { path: `${path}.kilojoule`, metric: 'total_calories', value: zeroToNull(kilojoule), unit: 'kJ' },
    { path: `${path}.max_heart_rate`, metric: 'max_heart_rate', value: zeroToNull(max_heart_rate) },
  ];
}
