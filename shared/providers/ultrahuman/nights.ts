// Ultrahuman's main sleep of a day, in its older and newer words.
import { type Gathering, type Maybe, minutesOf, zeroIsNone } from '../gathering.ts';
import type { UltrahumanSleep } from './items.ts';

export interface UltrahumanNight {
  path: string;
  sleep: UltrahumanSleep;
  startMs: number;
  endMs: number;
  offsetMinutes: number | null;
  date: string;
}

export function gatherUltrahumanNight(gathering: Gathering, night: UltrahumanNight): void {
  const { path, sleep, startMs, offsetMinutes, date } = night;
  const stage = (type: string): Maybe => sleep.sleep_stages?.find((each) => each.type === type)?.stage_time;
  const quick = (type: string): number | null =>
    zeroIsNone(sleep.quick_metrics?.find((each) => each.type === type)?.value);
  const deep = minutesOf(stage('deep_sleep')) ?? sleep.deep_sleep?.minutes ?? null;
  const light = minutesOf(stage('light_sleep')) ?? sleep.light_sleep?.minutes ?? null;
  const rem = minutesOf(stage('rem_sleep')) ?? sleep.rem_sleep?.minutes ?? null;
  const asleep = deep === null || light === null || rem === null ? null : zeroIsNone(deep + light + rem);
  // Where no stage was measured all of them are zeros.
  const staged = (minutes: number | null): number | null => (asleep === null ? zeroIsNone(minutes) : minutes);
  const endMs = wokeMs(night);
  const lyingOn = (night.endMs - endMs) / 60_000;
  const less = (given: number | null): number | null => (given === null ? null : Math.max(0, given - lyingOn));
  gathering.sleep(path, {
    date,
    startMs,
    endMs,
    offsetMinutes,
    asleepMinutes: asleep ?? minutesOf(quick('total_sleep')) ?? zeroIsNone(sleep.total_sleep?.minutes),
    deepMinutes: staged(deep),
    lightMinutes: staged(light),
    remMinutes: staged(rem),
    awakeMinutes: less(staged(minutesOf(stage('awake')))),
    inBedMinutes: less(minutesOf(quick('time_in_bed')) ?? zeroIsNone(sleep.time_in_bed?.minutes)),
  });
  gathering.daily(`${path}.avg_hr`, 'sleep_heart_rate', date, quick('avg_hr'));
  gathering.daily(
    `${path}.sleep_efic`,
    'sleep_efficiency',
    date,
    quick('sleep_efic') ?? zeroIsNone(sleep.sleep_efficiency?.percentage),
  );
  gathering.daily(`${path}.spo2`, 'sleep_blood_oxygen', date, zeroIsNone(sleep.spo2?.value));
}

/** Bedtime goes on while somebody lies awake in the morning: the last stretch awake is no part of the sleep. */
function wokeMs({ sleep, startMs, endMs }: UltrahumanNight): number {
  const last = sleep.sleep_graph?.data.toSorted((a, b) => a.start - b.start).at(-1);
  if (last?.type !== 'awake' || last.end * 1000 < endMs) return endMs;
  const wokeAt = last.start * 1000;
  return wokeAt > startMs ? wokeAt : endMs;
}

export const averageVariability = (sleep: UltrahumanSleep): Maybe =>
  zeroIsNone(sleep.quick_metrics?.find((each) => each.type === 'avg_hrv')?.value);
