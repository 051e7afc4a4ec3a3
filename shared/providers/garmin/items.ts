// Garmin's items as far as they are read. Whatever was not measured is absent or null; times are seconds, and a local time is one plus its offset.
import * as z from 'zod';

/** The lists of a push that are read; the others hold what is in these already, or what no metric is for. */
export const garminLists = [
  'dailies',
  'sleeps',
  'hrv',
  'pulseox',
  'allDayRespiration',
  'stressDetails',
  'bodyComps',
  'bloodPressures',
  'userMetrics',
  'activities',
  'manuallyUpdatedActivities',
  'activityDetails',
] as const;

const amount = z.number().nullish();
const word = z.string().nullish();
/** Seconds after the start, and what was measured then. */
const course = z.record(z.string(), amount).nullish();

const named = { summaryId: word };
const dated = { ...named, calendarDate: word };
const timed = { startTimeInSeconds: z.number(), startTimeOffsetInSeconds: amount, durationInSeconds: amount };
const measured = { ...named, measurementTimeInSeconds: z.number(), measurementTimeOffsetInSeconds: amount };

export const GarminDaily = z.looseObject({
  ...dated,
  ...timed,
  steps: amount,
  distanceInMeters: amount,
  floorsClimbed: amount,
  activeKilocalories: amount,
  bmrKilocalories: amount,
  moderateIntensityDurationInSeconds: amount,
  vigorousIntensityDurationInSeconds: amount,
  minHeartRateInBeatsPerMinute: amount,
  maxHeartRateInBeatsPerMinute: amount,
  restingHeartRateInBeatsPerMinute: amount,
  timeOffsetHeartRateSamples: course,
});
export type GarminDaily = z.infer<typeof GarminDaily>;

const Stretch = z.looseObject({ startTimeInSeconds: amount, endTimeInSeconds: amount });
export const GarminNap = z.looseObject({
  napStartTimeInSeconds: z.number(),
  napDurationInSeconds: z.number(),
  napOffsetInSeconds: amount,
  napValidation: word,
});
export const GarminSleep = z.looseObject({
  ...dated,
  ...timed,
  deepSleepDurationInSeconds: amount,
  lightSleepDurationInSeconds: amount,
  remSleepInSeconds: amount,
  awakeDurationInSeconds: amount,
  unmeasurableSleepInSeconds: amount,
  sleepLevelsMap: z.record(z.string(), z.array(Stretch).nullish()).nullish(),
  validation: word,
  timeOffsetSleepSpo2: course,
  timeOffsetSleepRespiration: course,
  naps: z.array(z.unknown()).nullish(),
});
export type GarminSleep = z.infer<typeof GarminSleep>;

export const GarminHrv = z.looseObject({ ...dated, ...timed, lastNightAvg: amount, hrvValues: course });
export const GarminPulseOx = z.looseObject({
  ...dated,
  ...timed,
  onDemand: z.boolean().nullish(),
  timeOffsetSpo2Values: course,
});
export const GarminRespiration = z.looseObject({ ...named, ...timed, timeOffsetEpochToBreaths: course });
/** Levels from 1 to 100; negative numbers say why none could be measured. */
export const GarminStress = z.looseObject({ ...named, ...timed, timeOffsetStressLevelValues: course });

export const GarminBody = z.looseObject({
  ...measured,
  weightInGrams: amount,
  bodyFatInPercent: amount,
  bodyWaterInPercent: amount,
  bodyMassIndex: amount,
  muscleMassInGrams: amount,
  boneMassInGrams: amount,
});
export const GarminPressure = z.looseObject({ ...measured, systolic: amount, diastolic: amount });
export const GarminFitness = z.looseObject({ ...named, calendarDate: z.string(), vo2Max: amount });

const activityId = z.union([z.number(), z.string()]).nullish();
export const GarminActivity = z.looseObject({
  ...named,
  ...timed,
  activityId,
  activityName: word,
  activityType: word,
  distanceInMeters: amount,
  activeKilocalories: amount,
  averageHeartRateInBeatsPerMinute: amount,
  maxHeartRateInBeatsPerMinute: amount,
  steps: amount,
  totalElevationGainInMeters: amount,
  isParent: z.boolean().nullish(),
});
export type GarminActivity = z.infer<typeof GarminActivity>;

export const GarminDetails = z.looseObject({
  ...named,
  activityId,
  summary: GarminActivity,
  samples: z.array(z.looseObject({ startTimeInSeconds: amount, heartRate: amount })).nullish(),
});
export type GarminDetails = z.infer<typeof GarminDetails>;
