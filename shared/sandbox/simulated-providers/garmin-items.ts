// Renders simulated days as Garmin's summaries. Like Garmin, it omits values that were not
// measured.
import { createHash } from 'node:crypto';
import { zoneOffsetSeconds } from '../../platform/time/zone-offsets.ts';
import type { SimulatedDay, SimulatedSleep, SimulatedWorkout } from './simulated-day.ts';

const toSeconds = (ms: number): number => Math.floor(ms / 1000);

function omitMissing(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
}

const toOffsetSeries = (startMs: number, points: readonly { ms: number; value: number }[]): Record<string, number> =>
  Object.fromEntries(points.map(({ ms, value }) => [String(toSeconds(ms - startMs)), value]));

export function buildGarminSummaries(list: string, day: SimulatedDay, account: string): readonly unknown[] {
  const commonFields = { userId: account, summaryId: `${account}-${list}-${day.date}`, calendarDate: day.date };
  const night = day.sleeps.find(({ isNap }) => !isNap);
  const nightly = night && {
    ...commonFields,
    startTimeInSeconds: toSeconds(night.startMs),
    startTimeOffsetInSeconds: night.offsetMinutes * 60,
    durationInSeconds: toSeconds(night.endMs - night.startMs),
  };
  switch (list) {
    case 'dailies':
      return day.steps === null && day.minBpm === null ? [] : [omitMissing({ ...commonFields, ...buildDaily(day) })];
    case 'sleeps':
      return nightly && night ? [omitMissing({ ...nightly, ...buildSleep(day, night) })] : [];
    case 'hrv':
      if (!nightly || !night || day.rmssdMs === null) return [];
      return [
        {
          ...nightly,
          lastNightAvg: day.rmssdMs,
          hrvValues: toOffsetSeries(night.startMs, pointsDuring(night, day.variability)),
        },
      ];
    case 'pulseox':
      return nightly && day.oxygenPct !== null
        ? [{ ...nightly, onDemand: false, timeOffsetSpo2Values: { '60': day.oxygenPct, '120': 0 } }]
        : [];
    case 'allDayRespiration':
      return nightly && day.breathsPerMinute !== null
        ? [{ ...nightly, timeOffsetEpochToBreaths: { '0': day.breathsPerMinute, '60': -1 } }]
        : [];
    case 'stressDetails':
      return day.stress?.length ? [{ ...commonFields, ...buildStress(day, day.stress) }] : [];
    case 'bodyComps':
      return day.weightKg === null ? [] : [omitMissing(buildBodyComposition(day, night, account))];
    case 'userMetrics':
      return day.vo2Max === null ? [] : [{ ...commonFields, vo2Max: day.vo2Max, fitnessAge: 30 }];
    default:
      return [];
  }
}

function buildDaily(day: SimulatedDay): Record<string, unknown> {
  const exerciseSeconds = day.exerciseMinutes === null ? null : day.exerciseMinutes * 60;
  const pulse = day.heartRate.map(({ ms, bpm }) => ({ ms, value: bpm }));
  return {
    startTimeInSeconds: toSeconds(day.startMs),
    startTimeOffsetInSeconds: zoneOffsetSeconds(day.zone, day.startMs),
    durationInSeconds: toSeconds(day.endMs - day.startMs),
    steps: day.steps,
    distanceInMeters: day.distanceKm === null ? null : day.distanceKm * 1000,
    activeKilocalories: day.activeKcal,
    bmrKilocalories: day.restingKcal,
    moderateIntensityDurationInSeconds: exerciseSeconds === null ? null : Math.floor(exerciseSeconds / 2),
    vigorousIntensityDurationInSeconds: exerciseSeconds === null ? null : Math.ceil(exerciseSeconds / 2),
    minHeartRateInBeatsPerMinute: day.minBpm,
    maxHeartRateInBeatsPerMinute: day.maxBpm,
    restingHeartRateInBeatsPerMinute: day.restingBpm,
    averageHeartRateInBeatsPerMinute: 64,
    timeOffsetHeartRateSamples: toOffsetSeries(day.startMs, pulse),
    averageStressLevel: -1,
  };
}

/** A workout has no stress level: Garmin sends a negative number for it. */
function buildStress(day: SimulatedDay, levels: readonly { ms: number; value: number }[]): Record<string, unknown> {
  const workoutLevels = day.workouts.map(({ startMs }) => ({ ms: startMs, value: -2 }));
  return {
    startTimeInSeconds: toSeconds(day.startMs),
    startTimeOffsetInSeconds: zoneOffsetSeconds(day.zone, day.startMs),
    durationInSeconds: toSeconds(day.endMs - day.startMs),
    timeOffsetStressLevelValues: toOffsetSeries(day.startMs, [...levels, ...workoutLevels]),
    timeOffsetBodyBatteryValues: { '0': 55 },
  };
}

const pointsDuring = <Point extends { ms: number }>(night: SimulatedSleep, points: readonly Point[]): Point[] =>
  points.filter(({ ms }) => ms >= night.startMs && ms <= night.endMs);

/** The intervals of each stage in a list of its own. */
const buildLevels = ({ stages }: SimulatedSleep): Record<string, unknown> =>
  Object.fromEntries(
    [...new Set(stages.map(({ stage }) => stage))].map((level) => [
      level,
      stages
        .filter(({ stage }) => stage === level)
        .map(({ startMs, endMs }) => ({ startTimeInSeconds: toSeconds(startMs), endTimeInSeconds: toSeconds(endMs) })),
    ]),
  );

/** The stages extend to the end of the night, which the duration does not: it is the time asleep. */
function buildSleep(day: SimulatedDay, night: SimulatedSleep): Record<string, unknown> {
  return {
    durationInSeconds: night.asleepMinutes * 60,
    deepSleepDurationInSeconds: night.deepMinutes * 60,
    lightSleepDurationInSeconds: night.lightMinutes * 60,
    remSleepInSeconds: night.remMinutes * 60,
    awakeDurationInSeconds: night.awakeMinutes * 60,
    unmeasurableSleepInSeconds: 0,
    sleepLevelsMap: buildLevels(night),
    validation: 'ENHANCED_FINAL',
    timeOffsetSleepSpo2: day.oxygenPct === null ? null : { '60': day.oxygenPct, '120': 0 },
    timeOffsetSleepRespiration: day.breathsPerMinute === null ? null : { '60': day.breathsPerMinute },
    overallSleepScore: { value: 82, qualifierKey: 'GOOD' },
    naps: day.sleeps
      .filter(({ isNap }) => isNap)
      .map((nap) => ({
        napStartTimeInSeconds: toSeconds(nap.startMs),
        napDurationInSeconds: toSeconds(nap.endMs - nap.startMs),
        napOffsetInSeconds: nap.offsetMinutes * 60,
        napValidation: 'DEVICE',
      })),
  };
}

/** Measured after getting up. */
function buildBodyComposition(
  day: SimulatedDay,
  night: SimulatedSleep | undefined,
  account: string,
): Record<string, unknown> {
  const atMs = Math.max(day.startMs, night?.endMs ?? 0) + 600_000;
  return {
    userId: account,
    summaryId: `${account}-body-${day.date}`,
    measurementTimeInSeconds: toSeconds(atMs),
    measurementTimeOffsetInSeconds: zoneOffsetSeconds(day.zone, atMs),
    weightInGrams: day.weightKg === null ? null : Math.round(day.weightKg * 1000),
    bodyFatInPercent: day.bodyFatPct,
  };
}

const activityTypes: Readonly<Record<string, string>> = {
  running: 'RUNNING',
  cycling: 'CYCLING',
  swimming: 'LAP_SWIMMING',
  walking: 'WALKING',
};

const toActivityId = (id: string): number => createHash('sha256').update(id).digest().readUIntBE(0, 5);

const buildSummary = (workout: SimulatedWorkout): Record<string, unknown> =>
  omitMissing({
    activityId: toActivityId(workout.id),
    activityName: workout.name,
    activityType: activityTypes[workout.sport] ?? 'OTHER',
    startTimeInSeconds: toSeconds(workout.startMs),
    startTimeOffsetInSeconds: workout.offsetMinutes * 60,
    durationInSeconds: toSeconds(workout.endMs - workout.startMs),
    distanceInMeters: workout.distanceKm * 1000,
    activeKilocalories: workout.kcal,
    averageHeartRateInBeatsPerMinute: workout.avgBpm,
    maxHeartRateInBeatsPerMinute: workout.maxBpm,
    steps: workout.steps,
    totalElevationGainInMeters: workout.elevationMetres,
    deviceName: 'Forerunner',
  });

export const buildGarminActivities = (
  list: 'activities' | 'activityDetails',
  days: readonly SimulatedDay[],
  account: string,
): readonly unknown[] =>
  days.flatMap(({ workouts }) =>
    workouts.map((workout) => {
      const commonFields = { userId: account, summaryId: String(toActivityId(workout.id)) };
      if (list === 'activities') return { ...commonFields, ...buildSummary(workout) };
      return {
        userId: account,
        summaryId: `${commonFields.summaryId}-detail`,
        activityId: toActivityId(workout.id),
        summary: buildSummary(workout),
        samples: workout.trace.map(({ ms, bpm }) => ({ startTimeInSeconds: toSeconds(ms), heartRate: bpm })),
      };
    }),
  );
