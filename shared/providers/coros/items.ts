// The fields that are read from COROS items.
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

/** A segment of a multisport workout. Its other fields vary. */
export const CorosSegment = z.looseObject(workoutFields);
export type CorosSegment = z.infer<typeof CorosSegment>;

export const CorosWorkout = z.looseObject({
  ...workoutFields,
  labelId: id,
  startTime: z.number(),
  /** In quarter hours. */
  startTimezone: optionalNumber,
  calorie: optionalNumber,
  step: optionalNumber,
  triathlonItemList: z.array(z.unknown()).nullish(),
});
export type CorosWorkout = z.infer<typeof CorosWorkout>;

export const CorosDay = z.looseObject({
  /** A date such as 20260311. */
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
