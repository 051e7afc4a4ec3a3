// The colleague who made a credential. What an API key makes ends with the key; what a colleague
// makes ends with their access.
import * as z from 'zod';

export const Maker = z.object({
  account: z.string(),
  colleague: z.string(),
  /** The colleague's `makerEpoch` at that time. */
  epoch: z.number(),
});
export type Maker = z.infer<typeof Maker>;
