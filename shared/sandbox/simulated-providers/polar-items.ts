// Renders simulated days as Polar's items: local clock times, ISO 8601 durations, and hypnograms by
// the minute.

import type { SleepStage } from '../../catalog/sleep-stages.ts';
import type { SimulatedDay, SimulatedSleep, SimulatedWorkout } from './simulated-day.ts';
import { numberFromText } from './uuid-from-name.ts';

const minuteMs = 60_000;

/** The local time at this offset east of UTC, in minutes. */
const formatLocalTime = (ms: number, offsetMinutes: number): string =>
  new Date(ms + offsetMinutes * minuteMs).toISOString().slice(0, 19);

function formatUtcOffset(minutes: number): string {
  const size = Math.abs(minutes);
  const padTwoDigits = (value: number): string => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${padTwoDigits(Math.floor(size / 60))}:${padTwoDigits(size % 60)}`;
}

/** The offset at midnight. */
const offsetAtMidnight = ({ startMs, date }: SimulatedDay): number =>
  Math.round((Date.parse(date) - startMs) / minuteMs);

const findNight = ({ sleeps }: SimulatedDay): SimulatedSleep | undefined =>
  sleeps.filter(({ isNap }) => !isNap).toSorted((a, b) => b.asleepMinutes - a.asleepMinutes)[0];

export const polarExerciseId = ({ id }: SimulatedWorkout): string => numberFromText(id).toString(36);

const sports: Readonly<Record<string, readonly [sport: string, detail: string]>> = {
  running: ['RUNNING', 'RUNNING_ROAD'],
  walking: ['WALKING', 'WALKING'],
  cycling: ['CYCLING', 'CYCLING_ROAD'],
  swimming: ['SWIMMING', 'SWIMMING_POOL'],
};

function formatDuration(ms: number): string {
  const seconds = ms / 1000;
  return `PT${Math.floor(seconds / 3600)}H${Math.floor((seconds % 3600) / 60)}M${seconds % 60}S`;
}

function buildActivity(day: SimulatedDay): object[] {
  const { date, steps, distanceKm, activeKcal, restingKcal } = day;
  if (steps === null && activeKcal === null) return [];
  return [
    {
      start_time: `${date}T00:00:00`,
      end_time: `${date}T23:59:59`,
      active_duration: formatDuration((day.exerciseMinutes ?? 0) * minuteMs),
      steps,
      ...(distanceKm === null ? {} : { distance_from_steps: Math.round(distanceKm * 1000) }),
      active_calories: activeKcal,
      ...(restingKcal === null ? {} : { calories: Math.round(restingKcal + (activeKcal ?? 0)) }),
    },
  ];
}

const unknownStage = 5;
const stageCodes: Readonly<Record<SleepStage, number>> = {
  awake: 0,
  rem: 1,
  light: 2,
  deep: 4,
  out_of_bed: 0,
  asleep: unknownStage,
  unknown: unknownStage,
};

function buildNight(day: SimulatedDay): object[] {
  const sleep = findNight(day);
  if (!sleep) return [];
  const { startMs, endMs, offsetMinutes } = sleep;
  const formatAt = (ms: number): string => `${formatLocalTime(ms, offsetMinutes)}${formatUtcOffset(offsetMinutes)}`;
  return [
    {
      date: day.date,
      sleep_start_time: formatAt(startMs),
      sleep_end_time: formatAt(endMs),
      device_id: 'SANDBOX1',
      light_sleep: sleep.lightMinutes * 60,
      deep_sleep: sleep.deepMinutes * 60,
      rem_sleep: sleep.remMinutes * 60,
      unrecognized_sleep_stage: 0,
      total_interruption_duration: sleep.awakeMinutes * 60,
      sleep_score: 80,
      sleep_rating: 0,
      hypnogram: Object.fromEntries(
        sleep.stages.map((period) => [
          formatLocalTime(period.startMs, offsetMinutes).slice(11, 16),
          stageCodes[period.stage],
        ]),
      ),
    },
  ];
}

function buildRecharge(day: SimulatedDay): object[] {
  const sleep = findNight(day);
  if (!sleep || (day.sleepBpm === null && day.rmssdMs === null)) return [];
  const nightSamples = day.variability.filter(({ ms }) => ms >= sleep.startMs && ms <= sleep.endMs);
  return [
    {
      date: day.date,
      heart_rate_avg: day.sleepBpm,
      heart_rate_variability_avg: day.rmssdMs,
      breathing_rate_avg: day.breathsPerMinute,
      hrv_samples: Object.fromEntries(
        nightSamples.map(({ ms, value }) => [formatLocalTime(ms, sleep.offsetMinutes).slice(11, 16), value]),
      ),
    },
  ];
}

function buildHeartRate(day: SimulatedDay): object[] {
  if (day.heartRate.length === 0) return [];
  const offset = findNight(day)?.offsetMinutes ?? offsetAtMidnight(day);
  const source = day.heartRate.map(({ ms, bpm }) => ({ clock: formatLocalTime(ms, offset), bpm }));
  return [
    {
      date: day.date,
      heart_rate_samples: source
        .filter((each) => each.clock.startsWith(day.date))
        .map((each) => ({ heart_rate: each.bpm, sample_time: each.clock.slice(11) })),
    },
  ];
}

function buildExercise(workout: SimulatedWorkout): object {
  const { startMs, endMs, offsetMinutes, trace, distanceKm } = workout;
  const [sport, detail] = sports[workout.sport] ?? ['OTHER', 'OTHER'];
  const [first, second] = trace;
  const rate = first && second ? (second.ms - first.ms) / 1000 : 0;
  return {
    id: polarExerciseId(workout),
    device: 'Polar Sandbox',
    start_time: formatLocalTime(startMs, offsetMinutes),
    start_time_utc_offset: offsetMinutes,
    duration: formatDuration(endMs - startMs),
    calories: workout.kcal,
    ...(distanceKm > 0 ? { distance: distanceKm * 1000 } : {}),
    heart_rate: { average: workout.avgBpm, maximum: workout.maxBpm },
    sport,
    detailed_sport_info: detail,
    samples:
      rate === 0 ? [] : [{ 'recording-rate': rate, 'sample-type': '0', data: trace.map(({ bpm }) => bpm).join(',') }],
  };
}

function buildOxygen(day: SimulatedDay): object[] {
  const sleep = findNight(day);
  if (day.oxygenPct === null || !sleep) return [];
  return [
    {
      test_time: Math.floor(sleep.endMs / 1000),
      time_zone_offset: sleep.offsetMinutes,
      test_status: 'SPO2_TEST_PASSED',
      blood_oxygen_percent: Math.round(day.oxygenPct),
    },
  ];
}

const buildSkin = ({ date, skinCelsius }: SimulatedDay): object[] =>
  skinCelsius === null
    ? []
    : [{ sleep_date: date, sleep_time_skin_temperature_celsius: skinCelsius, deviation_from_baseline_celsius: 0 }];

function buildPhysical(day: SimulatedDay): object[] {
  if (day.vo2Max === null) return [];
  return [
    {
      created: `${formatLocalTime(day.startMs, 0)}.000Z`,
      weight: day.weightKg,
      'weight-source': 'SOURCE_USER',
      'vo2-max': day.vo2Max,
    },
  ];
}

const resourceBuilders: Readonly<Record<string, (day: SimulatedDay) => readonly object[]>> = {
  activities: buildActivity,
  nights: buildNight,
  recharges: buildRecharge,
  heart_rates: buildHeartRate,
  exercises: ({ workouts }) => workouts.map(buildExercise),
  spo2: buildOxygen,
  skintemperature: buildSkin,
  physical: buildPhysical,
};

export function polarItems(resource: string, days: readonly SimulatedDay[]): readonly unknown[] {
  const source = Object.hasOwn(resourceBuilders, resource) ? resourceBuilders[resource] : undefined;
  return source ? days.flatMap(source) : [];
}
