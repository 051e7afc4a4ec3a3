// The stages of sleep, one vocabulary for all sources.
import * as z from 'zod';

export const sleepStages = ['awake', 'light', 'deep', 'rem', 'asleep', 'out_of_bed', 'unknown'] as const;
export type SleepStage = (typeof sleepStages)[number];

/** Which total a stage counts toward. Time out of bed counts as awake. */
export const totalOfStage: Readonly<Record<SleepStage, 'asleep' | 'awake' | null>> = {
  awake: 'awake',
  light: 'asleep',
  deep: 'asleep',
  rem: 'asleep',
  asleep: 'asleep',
  out_of_bed: 'awake',
  unknown: null,
};

export const SleepStageId = z.enum(sleepStages).meta({
  id: 'SleepStage',
  description:
    'A stage of sleep. `asleep`: sleep whose stage the source does not report. `unknown`: the source could not determine the stage. New stages may be added.',
  examples: ['deep'],
});
