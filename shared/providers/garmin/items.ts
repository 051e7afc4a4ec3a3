// The fields that are read from Garmin items. Values that were not measured are absent or null.
// Times are in seconds, and a local time is a time plus its offset.
import * as z from 'zod';

/**
 * The lists of a push that are read. The other lists repeat their contents, or hold data that has
 * no metric.
 */
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

const optionalNumber = z.number().nullish();
const optionalText = z.string().nullish();
/** Measured values by seconds after the start. */
const offsetSeries = z.record(z.string(), optionalNumber).nullish();

const summaryFields = { summaryId: optionalText };
const dateFields = { ...summaryFields, calendarDate: optionalText };
const timeFields = {
  startTimeInSeconds: z.number(),
  startTimeOffsetInSeconds: optionalNumber,
  durationInSeconds: optionalNumber,
};
const measurementFields = {
  ...summaryFields,
  measurementTimeInSeconds: z.number(),
  measurementTimeOffsetInSeconds: optionalNumber,
};

export const GarminDaily = z.looseObject({
  ...dateFields,
  ...timeFields,
  steps: optionalNumber,
  distanceInMeters: optionalNumber,
  floorsClimbed: optionalNumber,
  activeKilocalories: optionalNumber,
  bmrKilocalories: optionalNumber,
  moderateIntensityDurationInSeconds: optionalNumber,
  vigorousIntensityDurationInSeconds: optionalNumber,
  minHeartRateInBeatsPerMinute: optionalNumber,
  maxHeartRateInBeatsPerMinute: optionalNumber,
  restingHeartRateInBeatsPerMinute: optionalNumber,
  timeOffsetHeartRateSamples: offsetSeries,
});
export type GarminDaily = z.infer<typeof GarminDaily>;

const StageInterval = z.looseObject({ startTimeInSeconds: optionalNumber, endTimeInSeconds: optionalNumber });
export const GarminNap = z.looseObject({
  napStartTimeInSeconds: z.number(),
  napDurationInSeconds: z.number(),
  napOffsetInSeconds: optionalNumber,
  napValidation: optionalText,
});
export const GarminSleep = z.looseObject({
  ...dateFields,
  ...timeFields,
  deepSleepDurationInSeconds: optionalNumber,
  lightSleepDurationInSeconds: optionalNumber,
  remSleepInSeconds: optionalNumber,
  awakeDurationInSeconds: optionalNumber,
  unmeasurableSleepInSeconds: optionalNumber,
  sleepLevelsMap: z.record(z.string(), z.array(StageInterval).nullish()).nullish(),
  validation: optionalText,
  timeOffsetSleepSpo2: offsetSeries,
  timeOffsetSleepRespiration: offsetSeries,
  naps: z.array(z.unknown()).nullish(),
});
export type GarminSleep = z.infer<typeof GarminSleep>;

export const GarminHrv = z.looseObject({
  ...dateFields,
  ...timeFields,
  lastNightAvg: optionalNumber,
  hrvValues: offsetSeries,
});
export const GarminPulseOx = z.looseObject({
  ...dateFields,
  ...timeFields,
  onDemand: z.boolean().nullish(),
  timeOffsetSpo2Values: offsetSeries,
});
export const GarminRespiration = z.looseObject({
  ...summaryFields,
  ...timeFields,
  timeOffsetEpochToBreaths: offsetSeries,
});
/** Levels from 1 to 100; a negative number says why none could be measured. */
export const GarminStress = z.looseObject({
  ...summaryFields,
  ...timeFields,
  timeOffsetStressLevelValues: offsetSeries,
});

export const GarminBodyComposition = z.looseObject({
  ...measurementFields,
  weightInGrams: optionalNumber,
  bodyFatInPercent: optionalNumber,
  bodyWaterInPercent: optionalNumber,
  bodyMassIndex: optionalNumber,
  muscleMassInGrams: optionalNumber,
  boneMassInGrams: optionalNumber,
});
export const GarminBloodPressure = z.looseObject({
  ...measurementFields,
  systolic: optionalNumber,
  diastolic: optionalNumber,
});
export const GarminUserMetrics = z.looseObject({ ...summaryFields, calendarDate: z.string(), vo2Max: optionalNumber });

const activityId = z.union([z.number(), z.string()]).nullish();
export const GarminActivity = z.looseObject({
  ...summaryFields,
  ...timeFields,
  activityId,
  activityName: optionalText,
  activityType: optionalText,
  distanceInMeters: optionalNumber,
  activeKilocalories: optionalNumber,
  averageHeartRateInBeatsPerMinute: optionalNumber,
  maxHeartRateInBeatsPerMinute: optionalNumber,
  steps: optionalNumber,
  totalElevationGainInMeters: optionalNumber,
  isParent: z.boolean().nullish(),
});
export type GarminActivity = z.infer<typeof GarminActivity>;

export const GarminActivityDetails = z.looseObject({
  ...summaryFields,
  activityId,
  summary: GarminActivity,
  samples: z.array(z.looseObject({ startTimeInSeconds: optionalNumber, heartRate: optionalNumber })).nullish(),
});
export type GarminActivityDetails = z.infer<typeof GarminActivityDetails>;
