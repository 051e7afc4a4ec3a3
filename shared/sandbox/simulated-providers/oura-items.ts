// Renders simulated days as Oura's documents.

import type { SleepStage } from '../../catalog/sleep-stages.ts';
import { formatWithOffset } from './format-with-offset.ts';
import type { SimulatedDay, SimulatedSleep, SimulatedWorkout } from './simulated-day.ts';
import { uuidFromName } from './uuid-from-name.ts';

/** By the collection's name in paths. */
export function ouraItems(resource: string, days: readonly SimulatedDay[], account: string): readonly unknown[] {
  const build = resourceBuilders[resource];
  return build ? days.flatMap((day) => build(day, account)) : [];
}

const resourceBuilders: Readonly<Record<string, (day: SimulatedDay, account: string) => readonly unknown[]>> = {
  sleep: (day) => day.sleeps.map((sleep) => sleepDocument(day, sleep)),
  daily_activity: activityDocuments,
  daily_spo2: (day, account) =>
    day.oxygenPct === null
      ? []
      : [
          {
            id: uuidFromName(`${account} spo2 ${day.date}`),
            day: day.date,
            spo2_percentage: { average: day.oxygenPct },
            breathing_disturbance_index: null,
          },
        ],
  vO2_max: (day, account) =>
    day.vo2Max === null
      ? []
      : [
          {
            id: uuidFromName(`${account} vo2 ${day.date}`),
            day: day.date,
            timestamp: `${day.date}T00:00:00+00:00`,
            vo2_max: day.vo2Max,
          },
        ],
  workout: (day) => day.workouts.map((workout) => workoutDocument(day, workout)),
  session: () => [],
  heartrate: heartRateRows,
};

function sleepDocument(day: SimulatedDay, sleep: SimulatedSleep): unknown {
  const { startMs, endMs, offsetMinutes, isNap } = sleep;
  const unlessNap = <Value>(value: Value): Value | null => (isNap ? null : value);
  return {
    id: uuidFromName(sleep.id),
    day: day.date,
    bedtime_start: formatWithOffset(startMs, offsetMinutes),
    bedtime_end: formatWithOffset(endMs, offsetMinutes),
    type: isNap ? 'sleep' : 'long_sleep',
    time_in_bed: 60 * (sleep.asleepMinutes + sleep.awakeMinutes),
    total_sleep_duration: 60 * sleep.asleepMinutes,
    deep_sleep_duration: 60 * sleep.deepMinutes,
    light_sleep_duration: 60 * sleep.lightMinutes,
    rem_sleep_duration: 60 * sleep.remMinutes,
    awake_time: 60 * sleep.awakeMinutes,
    latency: 60 * sleep.latencyMinutes,
    efficiency: Math.round((100 * sleep.asleepMinutes) / (sleep.asleepMinutes + sleep.awakeMinutes)),
    average_heart_rate: unlessNap(day.sleepBpm),
    lowest_heart_rate: unlessNap(day.restingBpm),
    average_hrv: unlessNap(day.rmssdMs),
    average_breath: unlessNap(day.breathsPerMinute),
    heart_rate: null,
    hrv: variabilitySeries(day, sleep),
    sleep_phase_30_sec: phasesOf(sleep, 30_000),
    sleep_phase_5_min: phasesOf(sleep, 300_000),
    period: isNap ? 1 : 0,
    sleep_analysis_reason: 'foreground_sleep_analysis',
    sleep_score_delta: null,
    readiness: null,
  };
}

const phaseDigits: Partial<Record<SleepStage, string>> = { deep: '1', light: '2', rem: '3', awake: '4' };

/** A digit for every step, by the stage at its start. */
const phasesOf = ({ startMs, endMs, stages }: SimulatedSleep, stepMs: number): string =>
  Array.from({ length: Math.ceil((endMs - startMs) / stepMs) }, (_none, at) => {
    const ms = startMs + at * stepMs;
    const period = stages.find((each) => ms >= each.startMs && ms < each.endMs);
    return (period && phaseDigits[period.stage]) ?? '0';
  }).join('');

const seriesIntervalMs = 300_000;

function variabilitySeries(day: SimulatedDay, { startMs, endMs, offsetMinutes }: SimulatedSleep): unknown {
  const points = day.variability.filter(({ ms }) => ms >= startMs && ms < endMs);
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return null;
  const byMs = new Map(points.map(({ ms, value }) => [ms, value]));
  return {
    interval: seriesIntervalMs / 1000,
    items: Array.from(
      { length: (last.ms - first.ms) / seriesIntervalMs + 1 },
      (_none, at) => byMs.get(first.ms + at * seriesIntervalMs) ?? null,
    ),
    timestamp: formatWithOffset(first.ms, offsetMinutes),
  };
}

function activityDocuments(day: SimulatedDay, account: string): readonly unknown[] {
  const { date, activeKcal, restingKcal, distanceKm, exerciseMinutes } = day;
  if (day.steps === null && restingKcal === null) return [];
  // Three quarters of the exercise minutes are moderate.
  const highMinutes = exerciseMinutes === null ? null : Math.floor(exerciseMinutes / 4);
  return [
    {
      id: uuidFromName(`${account} activity ${date}`),
      day: date,
      timestamp: formatWithOffset(day.startMs + 4 * 3_600_000, (Date.parse(date) - day.startMs) / 60_000),
      score: null,
      steps: day.steps,
      active_calories: activeKcal,
      total_calories: restingKcal === null ? null : restingKcal + (activeKcal ?? 0),
      equivalent_walking_distance: distanceKm === null ? null : Math.round(1000 * distanceKm),
      high_activity_time: highMinutes === null ? null : 60 * highMinutes,
      medium_activity_time:
        exerciseMinutes === null || highMinutes === null ? null : 60 * (exerciseMinutes - highMinutes),
      low_activity_time: null,
      non_wear_time: 0,
    },
  ];
}

const workoutDocument = (day: SimulatedDay, workout: SimulatedWorkout): unknown => ({
  id: uuidFromName(workout.id),
  day: day.date,
  activity: workout.sport,
  start_datetime: formatWithOffset(workout.startMs, workout.offsetMinutes),
  end_datetime: formatWithOffset(workout.endMs, workout.offsetMinutes),
  calories: workout.kcal,
  distance: Math.round(1000 * workout.distanceKm),
  intensity: 'moderate',
  label: workout.name,
  source: 'workout_heart_rate',
});

function heartRateRows(day: SimulatedDay): readonly unknown[] {
  const isAsleep = (ms: number): boolean => day.sleeps.some(({ startMs, endMs }) => ms >= startMs && ms < endMs);
  const rows = new Map<number, { bpm: number; source: string }>();
  for (const { ms, bpm } of day.heartRate) rows.set(ms, { bpm, source: isAsleep(ms) ? 'sleep' : 'awake' });
  for (const { trace } of day.workouts) for (const { ms, bpm } of trace) rows.set(ms, { bpm, source: 'workout' });
  return [...rows]
    .sort(([a], [b]) => a - b)
    .map(([ms, row]) => ({ ...row, timestamp: formatWithOffset(ms, 0), timestamp_unix: ms }));
}
