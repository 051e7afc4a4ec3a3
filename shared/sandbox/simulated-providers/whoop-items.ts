// Renders simulated days as WHOOP's records.

import { formatUtcOffset } from '../../platform/time/utc-offset.ts';
import type { SimulatedDay, SimulatedSleep, SimulatedWorkout } from './simulated-day.ts';
import { uuidFromName } from './uuid-from-name.ts';

const kilojoulesPerKcal = 4.184;
const msPerMinute = 60_000;

export function whoopItems(resource: string, days: readonly SimulatedDay[], account: string): readonly unknown[] {
  const build = resourceBuilders[resource];
  return build ? days.flatMap((day) => build(day, Number(account))) : [];
}

const resourceBuilders: Readonly<Record<string, (day: SimulatedDay, account: number) => readonly unknown[]>> = {
  cycle: cycleRecords,
  sleep: (day, account) => day.sleeps.map((sleep) => sleepRecord(day, sleep, account)),
  recovery: recoveryRecords,
  workout: (day, account) => day.workouts.map((workout) => workoutRecord(workout, account)),
};

/** The days since 1970 serve as ids of cycles. */
const toCycleId = ({ date }: SimulatedDay): number => Date.parse(date) / 86_400_000;

const timestampFields = (ms: number) => ({ created_at: toIso(ms), updated_at: toIso(ms) });
const toIso = (ms: number): string => new Date(ms).toISOString();
const findNight = (day: SimulatedDay): SimulatedSleep | undefined => day.sleeps.find(({ isNap }) => !isNap);

/** From falling asleep until the same time a day later, as if every evening were the same. */
function cycleRecords(day: SimulatedDay, user_id: number): readonly unknown[] {
  const night = findNight(day);
  if (!night || day.restingKcal === null) return [];
  return [
    {
      id: toCycleId(day),
      user_id,
      ...timestampFields(night.endMs),
      start: toIso(night.startMs),
      end: toIso(night.startMs + 86_400_000),
      timezone_offset: formatUtcOffset(night.offsetMinutes),
      score_state: 'SCORED',
      score: {
        strain: 10.4,
        kilojoule: (day.restingKcal + (day.activeKcal ?? 0)) * kilojoulesPerKcal,
        average_heart_rate: 66,
        max_heart_rate: day.maxBpm,
      },
    },
  ];
}

const sleepRecord = (day: SimulatedDay, sleep: SimulatedSleep, user_id: number): unknown => ({
  id: uuidFromName(sleep.id),
  cycle_id: toCycleId(day),
  user_id,
  ...timestampFields(sleep.endMs),
  start: toIso(sleep.startMs),
  end: toIso(sleep.endMs),
  timezone_offset: formatUtcOffset(sleep.offsetMinutes),
  nap: sleep.isNap,
  score_state: 'SCORED',
  score: {
    stage_summary: {
      total_in_bed_time_milli: (sleep.asleepMinutes + sleep.awakeMinutes) * msPerMinute,
      total_awake_time_milli: sleep.awakeMinutes * msPerMinute,
      total_no_data_time_milli: 0,
      total_light_sleep_time_milli: sleep.lightMinutes * msPerMinute,
      total_slow_wave_sleep_time_milli: sleep.deepMinutes * msPerMinute,
      total_rem_sleep_time_milli: sleep.remMinutes * msPerMinute,
      disturbance_count: 8,
    },
    sleep_needed: {},
    respiratory_rate: sleep.isNap ? null : day.breathsPerMinute,
    sleep_efficiency_percentage: (100 * sleep.asleepMinutes) / (sleep.asleepMinutes + sleep.awakeMinutes),
  },
});

function recoveryRecords(day: SimulatedDay, user_id: number): readonly unknown[] {
  const night = findNight(day);
  if (!night || day.restingBpm === null) return [];
  return [
    {
      cycle_id: toCycleId(day),
      sleep_id: uuidFromName(night.id),
      user_id,
      ...timestampFields(night.endMs),
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

const workoutRecord = (workout: SimulatedWorkout, user_id: number): unknown => ({
  id: uuidFromName(workout.id),
  user_id,
  ...timestampFields(workout.endMs),
  start: toIso(workout.startMs),
  end: toIso(workout.endMs),
  timezone_offset: formatUtcOffset(workout.offsetMinutes),
  sport_name: workout.sport,
  score_state: 'SCORED',
  score: {
    strain: workout.measures?.strain ?? 8.2,
    average_heart_rate: workout.avgBpm,
    max_heart_rate: workout.maxBpm,
    kilojoule: workout.kcal * kilojoulesPerKcal,
    percent_recorded: 100,
    distance_meter: Math.round(1000 * workout.distanceKm),
    ...(workout.elevationMetres === null ? {} : { altitude_gain_meter: workout.elevationMetres }),
    zone_durations: { zone_zero_milli: 0, zone_one_milli: workout.endMs - workout.startMs },
  },
});
