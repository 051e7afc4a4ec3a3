// A made-up life in Oura's documents.
import type { LifeDay, LifeSleep, LifeWorkout } from './life.ts';
import { nameUuid } from './name-uuid.ts';
import { offsetTime } from './offset-time.ts';

/** By the name of the collection in paths. */
export function ouraItems(resource: string, days: readonly LifeDay[], account: string): readonly unknown[] {
  const of = makers[resource];
  return of ? days.flatMap((day) => of(day, account)) : [];
}

const makers: Readonly<Record<string, (day: LifeDay, account: string) => readonly unknown[]>> = {
  sleep: (day) => day.sleeps.map((sleep) => sleepDocument(day, sleep)),
  daily_activity: activityDocuments,
  daily_spo2: (day, account) =>
    day.oxygenPct === null
      ? []
      : [
          {
            id: nameUuid(`${account} spo2 ${day.date}`),
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
            id: nameUuid(`${account} vo2 ${day.date}`),
            day: day.date,
            timestamp: `${day.date}T00:00:00+00:00`,
            vo2_max: day.vo2Max,
          },
        ],
  workout: (day) => day.workouts.map((workout) => workoutDocument(day, workout)),
  session: () => [],
  heartrate: heartRateRows,
};

function sleepDocument(day: LifeDay, sleep: LifeSleep): unknown {
  const { startMs, endMs, offsetMinutes, isNap } = sleep;
  const ofNight = <Value>(value: Value): Value | null => (isNap ? null : value);
  return {
    id: nameUuid(sleep.id),
    day: day.date,
    bedtime_start: offsetTime(startMs, offsetMinutes),
    bedtime_end: offsetTime(endMs, offsetMinutes),
    type: isNap ? 'sleep' : 'long_sleep',
    time_in_bed: 60 * (sleep.asleepMinutes + sleep.awakeMinutes),
    total_sleep_duration: 60 * sleep.asleepMinutes,
    deep_sleep_duration: 60 * sleep.deepMinutes,
    light_sleep_duration: 60 * sleep.lightMinutes,
    rem_sleep_duration: 60 * sleep.remMinutes,
    awake_time: 60 * sleep.awakeMinutes,
    latency: 60 * sleep.latencyMinutes,
    efficiency: Math.round((100 * sleep.asleepMinutes) / (sleep.asleepMinutes + sleep.awakeMinutes)),
    average_heart_rate: ofNight(day.sleepBpm),
    lowest_heart_rate: ofNight(day.restingBpm),
    average_hrv: ofNight(day.rmssdMs),
    average_breath: ofNight(day.breathsPerMinute),
    heart_rate: null,
    hrv: variabilitySeries(day, sleep),
    period: isNap ? 1 : 0,
    sleep_analysis_reason: 'foreground_sleep_analysis',
    sleep_score_delta: null,
    readiness: null,
  };
}

const seriesMs = 300_000;

function variabilitySeries(day: LifeDay, { startMs, endMs, offsetMinutes }: LifeSleep): unknown {
  const points = day.variability.filter(({ ms }) => ms >= startMs && ms < endMs);
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return null;
  const byMs = new Map(points.map(({ ms, value }) => [ms, value]));
  return {
    interval: seriesMs / 1000,
    items: Array.from(
      { length: (last.ms - first.ms) / seriesMs + 1 },
      (_none, at) => byMs.get(first.ms + at * seriesMs) ?? null,
    ),
    timestamp: offsetTime(first.ms, offsetMinutes),
  };
}

function activityDocuments(day: LifeDay, account: string): readonly unknown[] {
  const { date, activeKcal, restingKcal, distanceKm, exerciseMinutes } = day;
  if (day.steps === null && restingKcal === null) return [];
  // Three in four minutes of exercise are moderate.
  const hard = exerciseMinutes === null ? null : Math.floor(exerciseMinutes / 4);
  return [
    {
      id: nameUuid(`${account} activity ${date}`),
      day: date,
      timestamp: offsetTime(day.startMs + 4 * 3_600_000, (Date.parse(date) - day.startMs) / 60_000),
      score: null,
      steps: day.steps,
      active_calories: activeKcal,
      total_calories: restingKcal === null ? null : restingKcal + (activeKcal ?? 0),
      equivalent_walking_distance: distanceKm === null ? null : Math.round(1000 * distanceKm),
      high_activity_time: hard === null ? null : 60 * hard,
      medium_activity_time: exerciseMinutes === null || hard === null ? null : 60 * (exerciseMinutes - hard),
      low_activity_time: null,
      non_wear_time: 0,
    },
  ];
}

const workoutDocument = (day: LifeDay, workout: LifeWorkout): unknown => ({
  id: nameUuid(workout.id),
  day: day.date,
  activity: workout.sport,
  start_datetime: offsetTime(workout.startMs, workout.offsetMinutes),
  end_datetime: offsetTime(workout.endMs, workout.offsetMinutes),
  calories: workout.kcal,
  distance: Math.round(1000 * workout.distanceKm),
  intensity: 'moderate',
  label: workout.name,
  source: 'workout_heart_rate',
});

function heartRateRows(day: LifeDay): readonly unknown[] {
  const asleep = (ms: number): boolean => day.sleeps.some(({ startMs, endMs }) => ms >= startMs && ms < endMs);
  const rows = new Map<number, { bpm: number; source: string }>();
  for (const { ms, bpm } of day.heartRate) rows.set(ms, { bpm, source: asleep(ms) ? 'sleep' : 'awake' });
  for (const { trace } of day.workouts) for (const { ms, bpm } of trace) rows.set(ms, { bpm, source: 'workout' });
  return [...rows]
    .sort(([a], [b]) => a - b)
    .map(([ms, row]) => ({ ...row, timestamp: offsetTime(ms, 0), timestamp_unix: ms }));
}
