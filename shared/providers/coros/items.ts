// COROS' items as far as they are read.
import * as z from 'zod';

const amount = z.number().nullish();
const id = z.union([z.string().min(1), z.number()]);

const timed = {
  mode: amount,
  subMode: amount,
  sportType: amount,
  distance: amount,
  duration: amount,
  startTime: amount,
  endTime: amount,
};

/** Of a multisport workout; what else it has differs. */
export const CorosPart = z.looseObject(timed);
export type CorosPart = z.infer<typeof CorosPart>;

export const CorosWorkout = z.looseObject({
  ...timed,
  labelId: id,
  startTime: z.number(),
  /** In quarters of an hour. */
  startTimezone: amount,
  calorie: amount,
  step: amount,
  triathlonItemList: z.array(z.unknown()).nullish(),
});
export type CorosWorkout = z.infer<typeof CorosWorkout>;

export const CorosDay = z.looseObject({
  /** 20260311 */
  happenDay: id,
  sleepStartTime: z.string().nullish(),
  sleepEndTime: z.string().nullish(),
  startTimezone: amount,
  endTimezone: amount,
  step: amount,
  rhr: amount,
  ppgHrv: amount,
  sleepAvgHr: amount,
  hrvList: z.array(z.unknown()).nullish(),
});
export type CorosDay = z.infer<typeof CorosDay>;

export const CorosBeat = z.looseObject({ timestamp: z.number(), hrv: amount, hr: amount });

export const corosOffset = (quarters: number | null | undefined): number | null =>
  typeof quarters === 'number' ? quarters * 15 : null;
