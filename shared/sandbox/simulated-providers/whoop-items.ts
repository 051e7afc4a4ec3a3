// A made-up life in WHOOP's records.

import { offsetText } from '../life/whereabouts.ts';
import type { LifeDay, LifeSleep, LifeWorkout } from './life.ts';
import { nameUuid } from './name-uuid.ts';

const kilojoules = 4.184;
const milliseconds = 60_000;

export function whoopItems(resource: string, days: readonly LifeDay[], account: string): readonly unknown[] {
  const of = makers[resource];
  return of ? days.flatMap((day) => of(day, Number(account))) : [];
}

const makers: Readonly<Record<string, (day: LifeDay, account: number) => readonly unknown[]>> = {
  cycle: cycleRecords,
  sleep: (day, account) => day.sleeps.map((sleep) => sleepRecord(day, sleep, account)),
  recovery: recoveryRecords,
  workout: (day, account) => day.workouts.map((workout) => workoutRecord(workout, account)),
};

/** Days since 1970 make fine numbers for cycles. */
const cycleId = ({ date }: LifeDay): number => Date.parse(date) / 86_400_000;

const stamps = (ms: number) => ({ created_at: iso(ms), updated_at: iso(ms) });
const iso = (ms: number): string => new Date(ms).toISOString();
const nightOf = (day: LifeDay): LifeSleep | undefined => day.sleeps.find(({ isNap }) => !isNap);

/** From falling asleep until the same time a day later, as if every evening were alike. */
function cycleRecords(day: LifeDay, user_id: number): readonly unknown[] {
  const night = nightOf(day);
  if (!night || day.restingKcal === null) return [];
  return [
    {
      id: cycleId(day),
      user_id,
      ...stamps(night.endMs),
      start: iso(night.startMs),
      end: iso(night.startMs + 86_400_000),
      timezone_offset: offsetText(night.offsetMinutes),
      score_state: 'SCORED',
      score: {
        strain: 10.4,
        kilojoule: (day.restingKcal + (day.activeKcal ?? 0)) * kilojoules,
        average_heart_rate: 66,
        max_heart_rate: day.maxBpm,
      },
    },
  ];
}

const sleepRecord = (day: LifeDay, sleep: LifeSleep, user_id: number): unknown => ({
  id: nameUuid(sleep.id),
  cycle_id: cycleId(day),
  user_id,
  ...stamps(sleep.endMs),
  start: iso(sleep.startMs),
  end: iso(sleep.endMs),
  timezone_offset: offsetText(sleep.offsetMinutes),
  nap: sleep.isNap,
  score_state: 'SCORED',
  score: {
    stage_summary: {
      total_in_bed_time_milli: (sleep.asleepMinutes + sleep.awakeMinutes) * milliseconds,
      total_awake_time_milli: sleep.awakeMinutes * milliseconds,
      total_no_data_time_milli: 0,
      total_light_sleep_time_milli: sleep.lightMinutes * milliseconds,
      total_slow_wave_sleep_time_milli: sleep.deepMinutes * milliseconds,
      total_rem_sleep_time_milli: sleep.remMinutes * milliseconds,
      disturbance_count: 8,
    },
    sleep_needed: {},
    respiratory_rate: sleep.isNap ? null : day.breathsPerMinute,
    sleep_efficiency_percentage: (100 * sleep.asleepMinutes) / (sleep.asleepMinutes + sleep.awakeMinutes),
  },
});

function recoveryRecords(day: LifeDay, user_id: number): readonly unknown[] {
  const night = nightOf(day);
  if (!night || day.restingBpm === null) return [];
  return [
    {
      cycle_id: cycleId(day),
      sleep_id: nameUuid(night.id),
      user_id,
      ...stamps(night.endMs),
      score_state: 'SCORED',
      score: {
        user_calibrating: false,
        recovery_score: 53,
        resting_heart_rate: day.restingBpm,
        hrv_rmssd_milli: day.rmssdMs,
        ...(day.oxygenPct === null ? {} : { spo2_percentage: day.oxygenPct }),
        ...(day.skinCelsius === null ? {} : { skin_temp_celsius: day.skinCelsius }),
      },
    },
  ];
}

const workoutRecord = (workout: LifeWorkout, user_id: number): unknown => ({
  id: nameUuid(workout.id),
  user_id,
  ...stamps(workout.endMs),
  start: iso(workout.startMs),
  end: iso(workout.endMs),
  timezone_offset: offsetText(workout.offsetMinutes),
  sport_name: workout.sport,
  score_state: 'SCORED',
  score: {
    strain: workout.measures?.strain ?? 8.2,
    average_heart_rate: workout.avgBpm,
    max_heart_rate: workout.maxBpm,
    kilojoule: workout.kcal * kilojoules,
    percent_recorded: 100,
    distance_meter: Math.round(1000 * workout.distanceKm),
    ...(workout.elevationMetres === null ? {} : { altitude_gain_meter: workout.elevationMetres }),
    zone_durations: { zone_zero_milli: 0, zone_one_milli: workout.endMs - workout.startMs },
  },
});
