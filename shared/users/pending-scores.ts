// Which days of a person wait for their scores: one value on the user's row, which only the person's writer changes.
import * as z from 'zod';

const PendingDays = z.object({
  from: z.string(),
  to: z.string(),
  /** From when on they may be scored; 0 for the next pass. */
  dueMs: z.number(),
  /** Settings changed, and not what was measured: nothing of these days waits for its turn. */
  atOnce: z.boolean(),
});
export type PendingDays = z.infer<typeof PendingDays>;

const UnannouncedScores = z.object({ scores: z.array(z.string()), from: z.string(), to: z.string() });
/** What passes have changed and not yet announced, because more of the same is to come. */
export type UnannouncedScores = z.infer<typeof UnannouncedScores>;

export const PendingScores = z.object({
  days: z.array(PendingDays),
  announced: UnannouncedScores.nullable(),
  /** While the person is moved to new formulas: every day before this one is. */
  moved: z.object({ generation: z.number(), before: z.string() }).nullable(),
  /** From this day on rows also hold what was shown before a move; from then on nobody reads it. */
  earlier: z.object({ from: z.string(), dueMs: z.number() }).nullable(),
});
export type PendingScores = z.infer<typeof PendingScores>;

export const noPendingScores: PendingScores = { days: [], announced: null, moved: null, earlier: null };

/** When the next pass is to look after them; undefined when nothing is left to do. */
export function findScoresDueMs({ days, earlier }: PendingScores): number | undefined {
  const times = [...days.map(({ dueMs }) => dueMs), ...(earlier ? [earlier.dueMs] : [])];
  return times.length === 0 ? undefined : Math.min(...times);
}
