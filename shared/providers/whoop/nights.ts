// WHOOP's sleeps: each a session of its own. A night tells what was measured in it, its recovery, and
// the cycle that began with it.
import { type Gathering, type Maybe, type NightValue, zeroIsNone } from '../kit/gathering.ts';
import type { ReadItem } from '../kit/read-items.ts';
import type { WhoopCycle, WhoopRecovery, WhoopSleep } from './items.ts';

type Sleep = ReadItem<WhoopSleep>;

/**
 * What was fetched beside the sleeps. Where a list could not be read in full, what it lacks is not
 * known to be none.
 */
export interface BesideSleeps {
  recoveries: ReadonlyMap<string, ReadItem<WhoopRecovery>>;
  hasAllRecoveries: boolean;
  cycles: ReadonlyMap<string, ReadItem<WhoopCycle>>;
  hasAllCycles: boolean;
  /** By cycle, the sleep that it began with. */
  mainSleeps: ReadonlyMap<string, Sleep>;
}

export const cycleIdOf = ({ item }: Sleep): string => String(item.cycle_id ?? '');

/** Naps are nobody's night; of two nights of one cycle the longer one. */
export function mainSleepsOf(sleeps: readonly Sleep[]): Map<string, Sleep> {
  const lengthOf = ({ item }: Sleep): number => item.end - item.start;
  const main = new Map<string, Sleep>();
  for (const each of sleeps) {
    const other = main.get(cycleIdOf(each));
    if (each.item.nap || cycleIdOf(each) === '') continue;
    if (!other || lengthOf(each) > lengthOf(other) || (lengthOf(each) === lengthOf(other) && isFirst(each, other)))
      main.set(cycleIdOf(each), each);
  }
  return main;
}

const isFirst = (a: Sleep, b: Sleep): boolean => a.item.id < b.item.id;

export function gatherWhoopSleep(gathering: Gathering, sleep: Sleep, beside: BesideSleeps): void {
  const { path, item } = sleep;
  const summary = item.score?.stage_summary;
  const deep = minutes(summary?.total_slow_wave_sleep_time_milli);
  const light = minutes(summary?.total_light_sleep_time_milli);
  const rem = minutes(summary?.total_rem_sleep_time_milli);
  const asleep = deep === null || light === null || rem === null ? null : zeroIsNone(deep + light + rem);
  // A strap without data states zeros for all stages.
  const staged = (stage: number | null): number | null => (asleep === null ? zeroIsNone(stage) : stage);
  const told = [...summaryOfSleep(sleep), ...toldOfRecovery(sleep, beside), ...toldOfCycle(sleep, beside)];
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
    // A nap is nobody's night: whatever it told before it was called one is taken back.
    summary: item.nap ? told.map((each) => ({ ...each, value: null })) : told,
  });
}

const minutes = (milliseconds: Maybe): number | null =>
  typeof milliseconds === 'number' ? milliseconds / 60_000 : null;

function summaryOfSleep({ path, item: { score } }: Sleep): NightValue[] {
  const { respiratory_rate, sleep_efficiency_percentage } = score ?? {};
  return [
    { path: `${path}.score.respiratory_rate`, metric: 'sleep_respiratory_rate', value: zeroIsNone(respiratory_rate) },
    {
      path: `${path}.score.sleep_efficiency_percentage`,
      metric: 'sleep_efficiency',
      value: zeroIsNone(sleep_efficiency_percentage),
    },
  ];
}

function toldOfRecovery({ path, item }: Sleep, { recoveries, hasAllRecoveries }: BesideSleeps): NightValue[] {
  const recovery = recoveries.get(item.id);
  if (!recovery && !hasAllRecoveries) return [];
  const { resting_heart_rate, hrv_rmssd_milli, spo2_percentage, skin_temp_celsius } = recovery?.item.score ?? {};
  const at = `${recovery?.path ?? path}.score`;
  const rmssd = zeroIsNone(hrv_rmssd_milli);
  return [
    { path: `${at}.resting_heart_rate`, metric: 'resting_heart_rate', value: zeroIsNone(resting_heart_rate) },
    { path: `${at}.hrv_rmssd_milli`, metric: 'heart_rate_variability_rmssd', value: rmssd },
    { path: `${at}.hrv_rmssd_milli`, metric: 'sleep_heart_rate_variability', value: rmssd },
    { path: `${at}.spo2_percentage`, metric: 'sleep_blood_oxygen', value: zeroIsNone(spo2_percentage) },
    { path: `${at}.skin_temp_celsius`, metric: 'sleep_skin_temperature', value: zeroIsNone(skin_temp_celsius) },
  ];
}

/** Of two sleeps that one cycle has the main one tells of it. */
function toldOfCycle(sleep: Sleep, { cycles, hasAllCycles, mainSleeps }: BesideSleeps): NightValue[] {
  const cycle = cycles.get(cycleIdOf(sleep));
  if (!cycle && !hasAllCycles) return [];
  const isMain = mainSleeps.get(cycleIdOf(sleep)) === sleep;
  const path = `${cycle?.path ?? sleep.path}.score`;
  return cycleTellings(path, isMain ? cycle?.item : undefined);
}

/** What the time from one falling asleep to the next came to. */
export function cycleTellings(path: string, cycle: WhoopCycle | undefined): NightValue[] {
  const { kilojoule, max_heart_rate } = cycle?.score ?? {};
  return [
    { path: `${path}.kilojoule`, metric: 'total_calories', value: zeroIsNone(kilojoule), unit: 'kJ' },
    { path: `${path}.max_heart_rate`, metric: 'max_heart_rate', value: zeroIsNone(max_heart_rate) },
  ];
}
