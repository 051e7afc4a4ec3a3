// What a request to process a device's stored data again returns.
import * as z from 'zod';

export const ReplayRequest = z
  .object({
    uploads: z.int().meta({
      description:
        'How many stored uploads are processed again. 0 if nothing of the device is stored, or if a replay of it is already waiting.',
      examples: [412],
    }),
  })
  .meta({ id: 'ReplayRequest', description: "What is processed again of a device's data." });
export type ReplayRequest = z.infer<typeof ReplayRequest>;
