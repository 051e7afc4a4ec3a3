// The colleague who made a credential for a user, which ends with the colleague's access. Of what API
// keys make, only connect links end with the key.
import * as z from 'zod';

export const Maker = z.object({
  account: z.string(),
  colleague: z.string(),
  /** The colleague's `makerEpoch` at that time. */
  epoch: z.number(),
});
export type Maker = z.infer<typeof Maker>;
