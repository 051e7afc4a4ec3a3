// Renders simulated days as Withings' items.
import { createHash } from 'node:crypto';
import type { SleepStage } from '../../catalog/sleep-stages.ts';
import type { SimulatedDay, SimulatedSleep, SimulatedWorkout } from './simulated-day.ts';

const workoutCategories: Readonly<Record<string, number>> = {
  walking: 1,
  running: 2,
  hiking: 3,
  cycling: 6,
  swimming: 7,
};
const otherCategory = 36;
const weighInDelayMs = 10 * 60_000;

const toSeconds = (ms: number): number => Math.floor(ms / 1000);
const toNumericId = (name: string): number => createHash('sha256').update(name).digest().readUInt32BE(0);

function buildActivity({
  date,
  zone,
  steps,
  distanceKm,
  activeKcal,
  restingKcal,
  exerciseMinutes,
  minBpm,
  maxBpm,
}: SimulatedDay) {
  if (steps === null) return [];
  const active = exerciseMinutes === null ? null : Math.round(exerciseMinutes * 60);
  return [
    {
      date,
      timezone: zone,
      steps,
      distance: distanceKm === null ? null : distanceKm * 1000,
      moderate: active,
      intense: 0,
      active,
      calories: activeKcal,
      totalcalories: activeKcal === null || restingKcal === null ? null : activeKcal + restingKcal,
      hr_min: minBpm,
      hr_max: maxBpm,
      deviceid: 'sandbox',
      brand: 1,
      model: 'ScanWatch',
      is_tracker: true,
      modified: 1,
    },
  ];
}

const watchModel = 93;

const stageStates: Readonly<Record<SleepStage, number>> = {
  awake: 0,
  light: 1,
  deep: 2,
  rem: 3,
  asleep: 5,
  out_of_bed: 15,
  unknown: 5,
};

const buildStages = ({ stages }: SimulatedSleep) =>
  stages.map(({ stage, startMs, endMs }) => ({
    startdate: toSeconds(startMs),
    enddate: toSeconds(endMs),
    state: stageStates[stage],
    model: 'ScanWatch',
    model_id: watchModel,
  }));

const buildSleepSeries = (day: SimulatedDay, sleep: SimulatedSleep) => ({
  id: toNumericId(sleep.id),
  timezone: day.zone,
  model: 16,
  model_id: watchModel,
  startdate: toSeconds(sleep.startMs),
  enddate: toSeconds(sleep.endMs),
  date: day.date,
  completed: true,
  modified: toSeconds(sleep.endMs),
  data: {
    total_timeinbed: toSeconds(sleep.endMs) - toSeconds(sleep.startMs),
    total_sleep_time: sleep.asleepMinutes * 60,
    asleepduration: null,
    lightsleepduration: sleep.lightMinutes * 60,
    deepsleepduration: sleep.deepMinutes * 60,
    remsleepduration: sleep.remMinutes * 60,
    wakeupduration: sleep.awakeMinutes * 60,
    sleep_latency: sleep.latencyMinutes * 60,
    ...(sleep.isNap ? {} : { hr_average: day.sleepBpm, rr_average: day.breathsPerMinute }),
  },
});

const buildWorkout = (
  day: SimulatedDay,
  { id, sport, startMs, endMs, kcal, distanceKm, avgBpm, maxBpm, steps, measures }: SimulatedWorkout,
) => ({
  id: toNumericId(id),
  category: workoutCategories[sport] ?? otherCategory,
  timezone: day.zone,
  date: day.date,
  startdate: toSeconds(startMs),
  enddate: toSeconds(endMs),
  attrib: 0,
  deviceid: 'sandbox',
  modified: toSeconds(endMs),
  data: {
    calories: kcal,
    steps,
    ...(sport === 'swimming'
      ? { pool_laps: Math.round(distanceKm * 40), pool_length: 25, strokes: measures?.swimmingStrokeCount ?? 0 }
      : { distance: distanceKm * 1000 }),
    hr_average: avgBpm,
    hr_max: maxBpm,
    pause_duration: 0,
    manual_calories: 0,
    manual_distance: 0,
  },
});

/** As integers with powers of ten. */
const encodeMeasure = (type: number, value: number | null, decimals: number) =>
  value === null ? [] : [{ type, value: Math.round(value * 10 ** decimals), unit: -decimals }];

function buildWeighIn({ date, zone, startMs, sleeps, weightKg, bodyFatPct, vo2Max }: SimulatedDay) {
  const measures = [
    ...encodeMeasure(1, weightKg, 3),
    ...encodeMeasure(6, bodyFatPct, 3),
    ...encodeMeasure(123, vo2Max, 1),
  ];
  if (measures.length === 0) return [];
  const wakeMs = Math.max(startMs, ...sleeps.filter(({ isNap }) => !isNap).map(({ endMs }) => endMs));
  const at = toSeconds(wakeMs + weighInDelayMs);
  return [
    {
      grpid: toNumericId(`weighing ${date}`),
      attrib: 0,
      date: at,
      modified: at,
      category: 1,
      timezone: zone,
      measures,
    },
  ];
}

const buildMoments = ({ heartRate, variability }: SimulatedDay) => {
  const byTime = new Map<number, Record<string, number>>();
  const at = (ms: number) => {
    const moment = byTime.get(toSeconds(ms)) ?? {};
    byTime.set(toSeconds(ms), moment);
    return moment;
  };
  for (const { ms, bpm } of heartRate) at(ms)['heart_rate'] = bpm;
  for (const { ms, value } of variability) at(ms)['rmssd'] = value;
  return [...byTime].map(([epoch, measured]) => ({ at: epoch, ...measured }));
};

const resourceBuilders: Readonly<Record<string, (day: SimulatedDay) => readonly unknown[]>> = {
  activity: buildActivity,
  sleep: (day) => day.sleeps.map((sleep) => buildSleepSeries(day, sleep)),
  stages: ({ sleeps }) => sleeps.flatMap(buildStages),
  workouts: (day) => day.workouts.map((each) => buildWorkout(day, each)),
  measures: buildWeighIn,
  intraday: buildMoments,
};

export const withingsItems = (resource: string, days: readonly SimulatedDay[]): readonly unknown[] =>
  days.flatMap((day) => resourceBuilders[resource]?.(day) ?? []);
