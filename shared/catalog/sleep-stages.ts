// The stages of sleep, one vocabulary for all sources.
import * as z from 'zod';

export const sleepStages = ['awake', 'light', 'deep', 'rem', 'asleep', 'out_of_bed', 'unknown'] as const;
export type SleepStage = (typeof sleepStages)[number];

export const SleepStageId = z.enum(sleepStages).meta({
  id: 'SleepStage',
  description:
    'A stage of sleep. `asleep` is sleep whose stage the source does not tell, `unknown` a time in which it could not tell anything.',
  examples: ['deep'],
});
