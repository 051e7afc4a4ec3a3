// The days of a user that wait to be scored, stored as one value on the user's row that only the
// user's writer changes.
import * as z from 'zod';

const PendingDays = z.object({
  from: z.string(),
  to: z.string(),
  /** The earliest time at which they may be scored; 0 for the next pass. */
  dueMs: z.number(),
  /** Settings changed rather than measurements, so changes to these days are not throttled. */
  atOnce: z.boolean(),
});
export type PendingDays = z.infer<typeof PendingDays>;

const UnannouncedScores = z.object({ scores: z.array(z.string()), from: z.string(), to: z.string() });
/** Changes of earlier passes that are not announced yet, because more of them follow. */
export type UnannouncedScores = z.infer<typeof UnannouncedScores>;

export const PendingScores = z.object({
  days: z.array(PendingDays),
  unannounced: UnannouncedScores.nullable(),
  /** While the user is migrated to new formulas: every day before this one is done. */
  migration: z.object({ generation: z.number(), before: z.string() }).nullable(),
  /**
   * From this day on, rows also hold the scores of the previous formulas, which no reader uses
   * after `dueMs`.
   */
  previousFormulas: z.object({ from: z.string(), dueMs: z.number() }).nullable(),
});
export type PendingScores = z.infer<typeof PendingScores>;

export const noPendingScores: PendingScores = { days: [], unannounced: null, migration: null, previousFormulas: null };

/** Returns when the next pass must process them; undefined when nothing is left to do. */
export function findScoresDueMs({ days, previousFormulas }: PendingScores): number | undefined {
  const times = [...days.map(({ dueMs }) => dueMs), ...(previousFormulas ? [previousFormulas.dueMs] : [])];
  return times.length === 0 ? undefined : Math.min(...times);
}
