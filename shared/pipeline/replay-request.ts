// What a request to process a device's stored data again returns.
import * as z from 'zod';
import { Timestamp } from '../platform/time/time.ts';

/** How long a device's data is not processed again at a caller's request after the last time. */
export const replayCooldownMinutes = 15;

export const ReplayRequest = z
  .object({
    accepted: z.boolean().meta({
      description: `True if stored uploads are processed again. False if nothing of the device is stored, if its history is still being imported, or if a replay of it was requested less than ${replayCooldownMinutes} minutes ago; this request then has no effect.`,
      examples: [true],
    }),
    uploads: z.int().meta({ description: 'How many stored uploads are processed again.', examples: [412] }),
    next_at: Timestamp.meta({ description: 'When the next request can have an effect.' }),
  })
  .meta({ id: 'ReplayRequest', description: "Whether a device's stored data is processed again." });
export type ReplayRequest = z.infer<typeof ReplayRequest>;
