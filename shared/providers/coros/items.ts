// COROS' items as far as they are read.
import * as z from 'zod';

const optionalNumber = z.number().nullish();
const id = z.union([z.string().min(1), z.number()]);

const workoutFields = {
  mode: optionalNumber,
  subMode: optionalNumber,
  sportType: optionalNumber,
  distance: optionalNumber,
  duration: optionalNumber,
  startTime: optionalNumber,
  endTime: optionalNumber,
};

/** Of a multisport workout; what else it has differs. */
export const CorosSegment = z.looseObject(workoutFields);
export type CorosSegment = z.infer<typeof CorosSegment>;

export const CorosWorkout = z.looseObject({
  ...workoutFields,
  labelId: id,
  startTime: z.number(),
  /** In quarters of an hour. */
  startTimezone: optionalNumber,
  calorie: optionalNumber,
  step: optionalNumber,
  triathlonItemList: z.array(z.unknown()).nullish(),
});
export type CorosWorkout = z.infer<typeof CorosWorkout>;

export const CorosDay = z.looseObject({
  /** 20260311 */
  happenDay: id,
  sleepStartTime: z.string().nullish(),
  sleepEndTime: z.string().nullish(),
  startTimezone: optionalNumber,
  endTimezone: optionalNumber,
  step: optionalNumber,
  rhr: optionalNumber,
  ppgHrv: optionalNumber,
  sleepAvgHr: optionalNumber,
  hrvList: z.array(z.unknown()).nullish(),
});
export type CorosDay = z.infer<typeof CorosDay>;

export const CorosHeartSample = z.looseObject({ timestamp: z.number(), hrv: optionalNumber, hr: optionalNumber });

export const corosOffsetMinutes = (quarters: number | null | undefined): number | null =>
  typeof quarters === 'number' ? quarters * 15 : null;
