// A made-up life in Garmin's summaries. What was not measured is left out, as Garmin leaves it out.
import { createHash } from 'node:crypto';
import { zoneOffsetSeconds } from '../../platform/time/zone.ts';
import type { LifeDay, LifeSleep, LifeWorkout } from './life.ts';

const seconds = (ms: number): number => Math.floor(ms / 1000);

function measured(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
}

const along = (startMs: number, points: readonly { ms: number; value: number }[]): Record<string, number> =>
  Object.fromEntries(points.map(({ ms, value }) => [String(seconds(ms - startMs)), value]));

export function garminSummaries(list: string, day: LifeDay, account: string): readonly unknown[] {
  const own = { userId: account, summaryId: `${account}-${list}-${day.date}`, calendarDate: day.date };
  const night = day.sleeps.find(({ isNap }) => !isNap);
  const nightly = night && {
    ...own,
    startTimeInSeconds: seconds(night.startMs),
    startTimeOffsetInSeconds: night.offsetMinutes * 60,
    durationInSeconds: seconds(night.endMs - night.startMs),
  };
  switch (list) {
    case 'dailies':
      return day.steps === null && day.minBpm === null ? [] : [measured({ ...own, ...daily(day) })];
    case 'sleeps':
      return nightly && night ? [measured({ ...nightly, ...sleep(day, night) })] : [];
    case 'hrv':
      if (!nightly || !night || day.rmssdMs === null) return [];
      return [
        { ...nightly, lastNightAvg: day.rmssdMs, hrvValues: along(night.startMs, beatsDuring(night, day.variability)) },
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
      return day.stress?.length ? [{ ...own, ...stress(day, day.stress) }] : [];
    case 'bodyComps':
      return day.weightKg === null ? [] : [measured(body(day, night, account))];
    case 'userMetrics':
      return day.vo2Max === null ? [] : [{ ...own, vo2Max: day.vo2Max, fitnessAge: 30 }];
    default:
      return [];
  }
}

function daily(day: LifeDay): Record<string, unknown> {
  const exercised = day.exerciseMinutes === null ? null : day.exerciseMinutes * 60;
  const pulse = day.heartRate.map(({ ms, bpm }) => ({ ms, value: bpm }));
  return {
    startTimeInSeconds: seconds(day.startMs),
    startTimeOffsetInSeconds: zoneOffsetSeconds(day.zone, day.startMs),
    durationInSeconds: seconds(day.endMs - day.startMs),
    steps: day.steps,
    distanceInMeters: day.distanceKm === null ? null : day.distanceKm * 1000,
    activeKilocalories: day.activeKcal,
    bmrKilocalories: day.restingKcal,
    moderateIntensityDurationInSeconds: exercised === null ? null : Math.floor(exercised / 2),
    vigorousIntensityDurationInSeconds: exercised === null ? null : Math.ceil(exercised / 2),
    minHeartRateInBeatsPerMinute: day.minBpm,
    maxHeartRateInBeatsPerMinute: day.maxBpm,
    restingHeartRateInBeatsPerMinute: day.restingBpm,
    averageHeartRateInBeatsPerMinute: 64,
    timeOffsetHeartRateSamples: along(day.startMs, pulse),
    averageStressLevel: -1,
  };
}

/** A workout is no stress: Garmin writes a negative number for it. */
function stress(day: LifeDay, levels: readonly { ms: number; value: number }[]): Record<string, unknown> {
  const moving = day.workouts.map(({ startMs }) => ({ ms: startMs, value: -2 }));
  return {
    startTimeInSeconds: seconds(day.startMs),
    startTimeOffsetInSeconds: zoneOffsetSeconds(day.zone, day.startMs),
    durationInSeconds: seconds(day.endMs - day.startMs),
    timeOffsetStressLevelValues: along(day.startMs, [...levels, ...moving]),
    timeOffsetBodyBatteryValues: { '0': 55 },
  };
}

const beatsDuring = <Point extends { ms: number }>(night: LifeSleep, points: readonly Point[]): Point[] =>
  points.filter(({ ms }) => ms >= night.startMs && ms <= night.endMs);

/** The stages one after the other, the time awake last: it reaches to the end, which the duration does not. */
function sleep(day: LifeDay, night: LifeSleep): Record<string, unknown> {
  const parts = [
    ['deep', night.deepMinutes],
    ['rem', night.remMinutes],
    ['light', night.lightMinutes],
  ] as const;
  let at = seconds(night.startMs);
  const levels = parts.map(([stage, minutes]) => {
    const stretch = { startTimeInSeconds: at, endTimeInSeconds: at + minutes * 60 };
    at = stretch.endTimeInSeconds;
    return [stage, [stretch]] as const;
  });
  const awake = [{ startTimeInSeconds: at, endTimeInSeconds: seconds(night.endMs) }];
  return {
    durationInSeconds: night.asleepMinutes * 60,
    deepSleepDurationInSeconds: night.deepMinutes * 60,
    lightSleepDurationInSeconds: night.lightMinutes * 60,
    remSleepInSeconds: night.remMinutes * 60,
    awakeDurationInSeconds: night.awakeMinutes * 60,
    unmeasurableSleepInSeconds: 0,
    sleepLevelsMap: { ...Object.fromEntries(levels), awake },
    validation: 'ENHANCED_FINAL',
    timeOffsetSleepSpo2: day.oxygenPct === null ? null : { '60': day.oxygenPct, '120': 0 },
    timeOffsetSleepRespiration: day.breathsPerMinute === null ? null : { '60': day.breathsPerMinute },
    overallSleepScore: { value: 82, qualifierKey: 'GOOD' },
    naps: day.sleeps
      .filter(({ isNap }) => isNap)
      .map((nap) => ({
        napStartTimeInSeconds: seconds(nap.startMs),
        napDurationInSeconds: seconds(nap.endMs - nap.startMs),
        napOffsetInSeconds: nap.offsetMinutes * 60,
        napValidation: 'DEVICE',
      })),
  };
}

/** Weighed after getting up. */
function body(day: LifeDay, night: LifeSleep | undefined, account: string): Record<string, unknown> {
  const atMs = Math.max(day.startMs, night?.endMs ?? 0) + 600_000;
  return {
    userId: account,
    summaryId: `${account}-body-${day.date}`,
    measurementTimeInSeconds: seconds(atMs),
    measurementTimeOffsetInSeconds: zoneOffsetSeconds(day.zone, atMs),
    weightInGrams: day.weightKg === null ? null : Math.round(day.weightKg * 1000),
    bodyFatInPercent: day.bodyFatPct,
  };
}

const types: Readonly<Record<string, string>> = {
  running: 'RUNNING',
  cycling: 'CYCLING',
  swimming: 'LAP_SWIMMING',
  walking: 'WALKING',
};

const numberOf = (id: string): number => createHash('sha256').update(id).digest().readUIntBE(0, 5);

const summary = (workout: LifeWorkout): Record<string, unknown> =>
  measured({
    activityId: numberOf(workout.id),
    activityName: workout.name,
    activityType: types[workout.sport] ?? 'OTHER',
    startTimeInSeconds: seconds(workout.startMs),
    startTimeOffsetInSeconds: workout.offsetMinutes * 60,
    durationInSeconds: seconds(workout.endMs - workout.startMs),
    distanceInMeters: workout.distanceKm * 1000,
    activeKilocalories: workout.kcal,
    averageHeartRateInBeatsPerMinute: workout.avgBpm,
    maxHeartRateInBeatsPerMinute: workout.maxBpm,
    steps: workout.steps,
    totalElevationGainInMeters: workout.elevationMetres,
    deviceName: 'Forerunner',
  });

export const garminActivities = (
  list: 'activities' | 'activityDetails',
  days: readonly LifeDay[],
  account: string,
): readonly unknown[] =>
  days.flatMap(({ workouts }) =>
    workouts.map((workout) => {
      const own = { userId: account, summaryId: String(numberOf(workout.id)) };
      if (list === 'activities') return { ...own, ...summary(workout) };
      return {
        userId: account,
        summaryId: `${own.summaryId}-detail`,
        activityId: numberOf(workout.id),
        summary: summary(workout),
        samples: workout.trace.map(({ ms, bpm }) => ({ startTimeInSeconds: seconds(ms), heartRate: bpm })),
      };
    }),
  );
