// A made-up life in Withings' items.
import { createHash } from 'node:crypto';
import type { LifeDay, LifeSleep, LifeWorkout } from './life.ts';

const categories: Readonly<Record<string, number>> = { walking: 1, running: 2, hiking: 3, cycling: 6, swimming: 7 };
const other = 36;
const weighedAfterMs = 10 * 60_000;

const seconds = (ms: number): number => Math.floor(ms / 1000);
const numberOf = (name: string): number => createHash('sha256').update(name).digest().readUInt32BE(0);

function activity({
  date,
  zone,
  steps,
  distanceKm,
  activeKcal,
  restingKcal,
  exerciseMinutes,
  minBpm,
  maxBpm,
}: LifeDay) {
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

const series = (day: LifeDay, sleep: LifeSleep) => ({
  id: numberOf(sleep.id),
  timezone: day.zone,
  model: 93,
  startdate: seconds(sleep.startMs),
  enddate: seconds(sleep.endMs),
  date: day.date,
  completed: true,
  modified: seconds(sleep.endMs),
  data: {
    total_timeinbed: seconds(sleep.endMs) - seconds(sleep.startMs),
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

const workout = (
  day: LifeDay,
  { id, sport, startMs, endMs, kcal, distanceKm, avgBpm, maxBpm, steps, measures }: LifeWorkout,
) => ({
  id: numberOf(id),
  category: categories[sport] ?? other,
  timezone: day.zone,
  date: day.date,
  startdate: seconds(startMs),
  enddate: seconds(endMs),
  attrib: 0,
  deviceid: 'sandbox',
  modified: seconds(endMs),
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

/** As integers and powers of ten. */
const measure = (type: number, value: number | null, decimals: number) =>
  value === null ? [] : [{ type, value: Math.round(value * 10 ** decimals), unit: -decimals }];

function weighing({ date, zone, startMs, sleeps, weightKg, bodyFatPct, vo2Max }: LifeDay) {
  const measures = [...measure(1, weightKg, 3), ...measure(6, bodyFatPct, 3), ...measure(123, vo2Max, 1)];
  if (measures.length === 0) return [];
  const up = Math.max(startMs, ...sleeps.filter(({ isNap }) => !isNap).map(({ endMs }) => endMs));
  const at = seconds(up + weighedAfterMs);
  return [
    { grpid: numberOf(`weighing ${date}`), attrib: 0, date: at, modified: at, category: 1, timezone: zone, measures },
  ];
}

const moments = ({ heartRate, variability }: LifeDay) => {
  const byTime = new Map<number, Record<string, number>>();
  const at = (ms: number) => {
    const known = byTime.get(seconds(ms)) ?? {};
    byTime.set(seconds(ms), known);
    return known;
  };
  for (const { ms, bpm } of heartRate) at(ms)['heart_rate'] = bpm;
  for (const { ms, value } of variability) at(ms)['rmssd'] = value;
  return [...byTime].map(([epoch, measured]) => ({ at: epoch, ...measured }));
};

const resources: Readonly<Record<string, (day: LifeDay) => readonly unknown[]>> = {
  activity,
  sleep: (day) => day.sleeps.map((sleep) => series(day, sleep)),
  workouts: (day) => day.workouts.map((each) => workout(day, each)),
  measures: weighing,
  intraday: moments,
};

export const withingsLife = (resource: string, days: readonly LifeDay[]): readonly unknown[] =>
  days.flatMap((day) => resources[resource]?.(day) ?? []);
