// What the lists of nights and workouts must return, newest first, and what one workout shows in
// full.

import { efficiency } from './device-value.ts';
import { type Device, enabledDevices, rankedDevices } from './model-user.ts';
import { mean, type Rational, ratio, round } from './rational.ts';
import { type Night, recordedOffsetText, type Workout } from './records.ts';
import { type MinuteField, minuteFields } from './scenario.ts';
import { deduplicateSessions } from './sessions.ts';
import type { View } from './view.ts';
import { workoutTypeByName } from './workout-type-names.ts';
import { clockText } from './zone-clock.ts';

export interface ExpectedNight extends Record<MinuteField, number | null> {
  date: string;
  start_time: string;
  end_time: string;
  start_at: string;
  end_at: string;
  utc_offset: string | null;
  duration_minutes: number;
  is_main_sleep: boolean;
  source: string;
  efficiency_pct: number | null;
  source_detail: { provider: string; device_id: string };
  stages: { stage: string; start: string; end: string }[] | null;
}

const minuteMs = 60_000;

function datedNights(view: View): { device: Device; report: Night; date: string }[] {
  const devices = enabledDevices(view.user, 'asleep');
  return selectReports(devices, ({ nights }) => nights.values()).map((each) => ({
    ...each,
    date: view.dateOfNight(each.report),
  }));
}

/** The reports that are shown, newest first. */
export const visibleNights = (view: View, from: string, to: string) => newestFirst(datedNights(view), from, to);

export function expectedNights(view: View, from: string, to: string): ExpectedNight[] {
  const shown = datedNights(view);
  return newestFirst(shown, from, to).map(({ device, report, date }) => {
    const rivals = shown.filter((other) => other.date === date && other.report !== report);
    return {
      date,
      start_time: clockText(view.clock, report.start),
      end_time: clockText(view.clock, report.end),
      ...expectedInstants(report),
      duration_minutes: durationMinutes(report),
      is_main_sleep: isNight(view, report) && rivals.every((other) => isMainBefore(report, other.report)),
      source: device.provider,
      ...expectedMinutes(report),
      efficiency_pct: roundToTenth(
        efficiency(report.minutes.asleep_minutes ?? null, report.minutes.in_bed_minutes ?? null),
      ),
      source_detail: { provider: device.provider, device_id: device.id },
      stages:
        report.stages.length === 0
          ? null
          : report.stages.map(({ stage, start, end }) => ({
              stage,
              start: clockText(view.clock, start),
              end: clockText(view.clock, end),
            })),
    };
  });
}

const expectedInstants = (report: Night | Workout) => ({
  start_at: new Date(report.start).toISOString(),
  end_at: new Date(report.end).toISOString(),
  utc_offset: recordedOffsetText(report),
});

const durationMs = ({ start, end }: Night): number => end - start;
/** Longer than any nap, or of an hour or more around a moment between 22:00 and 07:00 by the profile. */
function isNight(view: View, report: Night): boolean {
  if (durationMs(report) > 180 * minuteMs) return true;
  const middle = Math.floor((report.start + report.end) / 2);
  const clock = clockText(view.clock, middle).slice(11);
  const isExactly = middle % 1000 === 0 && (report.start + report.end) % 2 === 0;
  const isAtNight = clock >= '22:00:00' || clock < '07:00:00' || (clock === '07:00:00' && isExactly);
  return durationMs(report) >= 60 * minuteMs && isAtNight;
}
/** The longer one, or the earlier one if both are equally long. */
const isMainBefore = (a: Night, b: Night): boolean =>
  durationMs(a) > durationMs(b) || (durationMs(a) === durationMs(b) && a.start < b.start);

function expectedMinutes({ minutes }: Night): Record<MinuteField, number | null> {
  const shown: Record<MinuteField, number | null> = {
    asleep_minutes: null,
    deep_minutes: null,
    light_minutes: null,
    rem_minutes: null,
    awake_minutes: null,
    in_bed_minutes: null,
  };
  for (const field of minuteFields) shown[field] = roundToInteger(minutes[field] ?? null);
  return shown;
}

export interface ExpectedWorkout {
  type: string;
  source_type: string;
  start_time: string;
  start_at: string;
  end_at: string;
  utc_offset: string | null;
  duration_minutes: number;
  calories: number | null;
  distance_km: number | null;
  source: string;
  avg_heart_rate: number | null;
  max_heart_rate: number | null;
  source_detail: { provider: string; device_id: string };
}
export interface ExpectedWorkoutDetail extends ExpectedWorkout {
  name: string | null;
  elevation_meters: number | null;
  steps: number | null;
  heart_rate: {
    avg_bpm: number;
    max_bpm: number;
    samples: { timestamp: string; bpm: number }[];
    time_zone: string;
    start_at: string;
  } | null;
}

/** Consolidation settings do not apply to workouts. Newest first. */
export function visibleWorkouts(view: View, from: string, to: string) {
  const shown = selectReports(rankedDevices(view.user, 'exercise'), ({ workouts }) => workouts.values());
  const dated = shown.map((each) => ({ ...each, date: view.dateOfWorkout(each.report) }));
  return newestFirst(dated, from, to);
}

export function expectedWorkouts(view: View, from: string, to: string): ExpectedWorkoutDetail[] {
  return visibleWorkouts(view, from, to).map(({ device, report }) => {
    const { numbers } = report;
    const heartRate = expectedTrace(view, report);
    return {
      type: workoutTypeByName.get(report.type) ?? 'other',
      source_type: report.type,
      name: report.name,
      start_time: clockText(view.clock, report.start),
      ...expectedInstants(report),
      duration_minutes: durationMinutes(report),
      calories: roundToInteger(numbers.calories ?? null),
      distance_km: numbers.distance_km ? round(numbers.distance_km, 2) : null,
      source: device.provider,
      avg_heart_rate: heartRate?.avg_bpm ?? roundToTenth(numbers.avg_heart_rate ?? null),
      max_heart_rate: heartRate?.max_bpm ?? roundToInteger(numbers.max_heart_rate ?? null),
      source_detail: { provider: device.provider, device_id: device.id },
      elevation_meters: roundToTenth(numbers.elevation_meters ?? null),
      steps: roundToInteger(numbers.steps ?? null),
      heart_rate: heartRate,
    };
  });
}

/** The source's own summary takes precedence over values derived from its trace. */
function expectedTrace(view: View, { start, end, trace, numbers }: Workout): ExpectedWorkoutDetail['heart_rate'] {
  if (trace.length === 0) return null;
  const minutes = (end - start) / minuteMs;
  const bucketMs = 1000 * (minutes <= 60 ? 15 : minutes <= 180 ? 30 : 60);
  const buckets = Map.groupBy(trace, ({ at }) => Math.floor((at - start) / bucketMs));
  const beats = trace.map(({ bpm }) => bpm);
  return {
    avg_bpm: round(numbers.avg_heart_rate ?? mean(beats), 1),
    max_bpm: Math.max(...(numbers.max_heart_rate ? [numbers.max_heart_rate] : beats).map((bpm) => round(bpm, 0))),
    samples: [...buckets.keys()]
      .sort((a, b) => a - b)
      .map((bucket) => ({
        timestamp: clockText(view.clock, start + bucket * bucketMs),
        bpm: round(mean((buckets.get(bucket) ?? []).map(({ bpm }) => bpm)), 1),
      })),
    time_zone: view.calendar.timezone ?? 'UTC',
    start_at: new Date(start + Math.min(...buckets.keys()) * bucketMs).toISOString(),
  };
}

/** Of several reports of one session, the one of the highest-ranked device. */
function selectReports<Report extends Night | Workout>(
  devices: readonly Device[],
  reportsOf: (device: Device) => Iterable<Report>,
): { device: Device; report: Report }[] {
  const all = devices.flatMap((device, rank) =>
    [...reportsOf(device)].map((report) => {
      const { start, end, received } = report;
      return { start, end, received, rank, device, report };
    }),
  );
  return deduplicateSessions(all, ({ rank }) => rank);
}

/** By the day they count on, then by their start. */
const newestFirst = <Each extends { date: string; report: { start: number } }>(
  all: readonly Each[],
  from: string,
  to: string,
): Each[] =>
  all
    .filter(({ date }) => from <= date && date <= to)
    .sort((a, b) => (a.date === b.date ? b.report.start - a.report.start : a.date < b.date ? 1 : -1));

const durationMinutes = ({ start, end }: Night | Workout): number => round(ratio(end - start, minuteMs), 0);
const roundToInteger = (value: Rational | null): number | null => value && round(value, 0);
const roundToTenth = (value: Rational | null): number | null => value && round(value, 1);
