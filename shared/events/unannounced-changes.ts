// What a long command (recount, rebuild) has changed so far and not announced yet.
import * as z from 'zod';

export const UnannouncedChanges = z.object({
  metrics: z.array(z.string()),
  /** The first and last changed day; null if there is none yet. */
  from: z.string().nullable(),
  to: z.string().nullable(),
});
export type UnannouncedChanges = z.infer<typeof UnannouncedChanges>;

export const noUnannouncedChanges: UnannouncedChanges = { metrics: [], from: null, to: null };

/** Adds what changed on another day. */
export const addChangedDay = (
  { metrics, from, to }: UnannouncedChanges,
  date: string,
  changed: readonly string[],
): UnannouncedChanges => ({
  metrics: [...new Set([...metrics, ...changed])].sort(),
  from: from === null || date < from ? date : from,
  to: to === null || date > to ? date : to,
});
