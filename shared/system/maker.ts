// The colleague who made a credential. What an API key makes ends with the key; what a colleague
// makes ends with their access.
import * as z from 'zod';
import type { ColleagueRole } from './caller.ts';

export const Maker = z.object({
  account: z.string(),
  colleague: z.string(),
  /** The colleague's `makerEpoch` at that time. */
  epoch: z.number(),
});
export type Maker = z.infer<typeof Maker>;

/** Whether colleagues with this role make credentials: connect links, tokens and SDK sessions. */
export const canMakeCredentials = (role: ColleagueRole): boolean => role !== 'support';
