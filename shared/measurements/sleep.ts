// Nights: a day's sleep metrics and its main sleep.

import type { MetricId } from '../catalog/metrics.ts';
import { removeFloatNoise, sumOf } from '../platform/arithmetic.ts';
import { clockMs } from '../platform/time/local-day.ts';
import { compareAsEqual, deduplicateSessions, type Session } from './deduplicate-sessions.ts';
import type { SleepRecord } from './records.ts';

/**
 * At most 100, because sources round the two values independently. Undefined unless both are known
 * and the time in bed is positive.
 */
function computeEfficiency(asleep: number | null | undefined, inBed: number | null | undefined): number | undefined {
  if (asleep === null || asleep === undefined || inBed === null || inBed === undefined || inBed <= 0) return undefined;
  return Math.min(100, removeFloatNoise((100 * asleep) / inBed));
}

export const efficiencyPct = (asleep: number | null, inBed: number | null): number | null =>
  computeEfficiency(asleep, inBed) ?? null;

/** Deep and REM sleep together; null unless both are known. */
export const restorativeMinutes = (deep: number | null, rem: number | null): number | null =>
  deep === null || rem === null ? null : sumOf([deep, rem]);

type MinutesField = 'asleepMinutes' | 'inBedMinutes' | 'awakeMinutes' | 'lightMinutes' | 'deepMinutes' | 'remMinutes';
export type StoredSleep = Session & Pick<SleepRecord, MinutesField>;

const minutesFields = [
  ['asleep', 'asleepMinutes'],
  ['time_in_bed', 'inBedMinutes'],
  ['time_awake', 'awakeMinutes'],
  ['light_sleep', 'lightMinutes'],
  ['deep_sleep', 'deepMinutes'],
  ['rem_sleep', 'remMinutes'],
] as const satisfies [MetricId, MinutesField][];

function sumMinutes(sessions: readonly StoredSleep[], field: MinutesField): number | undefined {
  const minutes = sessions.map((session) => session[field]).filter((value) => value !== null);
  return minutes.length === 0 ? undefined : sumOf(minutes);
}

/** Of equally long sessions, the earliest comes first. */
const compareLongestFirst = (a: Session, b: Session): number =>
  b.endMs - b.startMs - (a.endMs - a.startMs) || a.startMs - b.startMs || (a.id < b.id ? -1 : 1);

/**
 * Computes the sleep metrics of one device's sessions of one day. Records of the same session count
 * once, using the one received last. A metric that no session reported stays absent.
 * `longest_sleep` is the time asleep of the longest session that reports it, even if that is a nap.
 * `sleep_efficiency` uses only the longest session of all: if that one reports no minutes, a nap's
 * efficiency must not represent the night.
 */
export function computeSleepDayMetrics(
  sessionsOfOneDeviceAndDay: readonly StoredSleep[],
): Partial<Record<MetricId, number>> {
  const sessions = deduplicateSessions(sessionsOfOneDeviceAndDay, compareAsEqual);
  const day: Partial<Record<MetricId, number>> = {};
  for (const [metric, field] of minutesFields) {
    const minutes = sumMinutes(sessions, field);
    if (minutes !== undefined) day[metric] = minutes;
  }
  const restorative = restorativeMinutes(day.deep_sleep ?? null, day.rem_sleep ?? null);
  if (restorative !== null) day.restorative_sleep = restorative;
  const byLength = sessions.toSorted(compareLongestFirst);
  const longestReported = byLength.find(({ asleepMinutes }) => asleepMinutes !== null)?.asleepMinutes ?? null;
  if (longestReported !== null) day.longest_sleep = longestReported;
  const longestEfficiency = computeEfficiency(byLength[0]?.asleepMinutes, byLength[0]?.inBedMinutes);
  if (longestEfficiency !== undefined) day.sleep_efficiency = longestEfficiency;
  return day;
}

const hourMs = 3_600_000;
/** A longer session is a main sleep at any hour. */
const maxNapMs = 3 * hourMs;
/** The least that a session whose middle is in the night must last. */
const minNightMs = hourMs;
/** On the clock of the user's time zone, inclusive. */
const nightHours = { fromMs: 22 * hourMs, toMs: 7 * hourMs };

/**
 * The longest session of the day is the main sleep if it lasts more than three hours, or if it lasts
 * at least one hour and its middle is in the night; of equally long sessions, the earliest. A short
 * night is a night, and a nap is none. `zone` null means UTC.
 */
export function findMainSleep<S extends Session>(sessionsOfOneDay: readonly S[], zone: string | null): S | undefined {
  const [longest] = sessionsOfOneDay.toSorted(compareLongestFirst);
  if (longest === undefined) return undefined;
  const lengthMs = longest.endMs - longest.startMs;
  if (lengthMs > maxNapMs) return longest;
  const middle = clockMs(longest.startMs + lengthMs / 2, zone);
  const isAtNight = middle >= nightHours.fromMs || middle <= nightHours.toMs;
  return lengthMs >= minNightMs && isAtNight ? longest : undefined;
}
