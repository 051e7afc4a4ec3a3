// Which days of a person wait for their scores: one value on the user's row, which only the person's writer changes.
import * as z from 'zod';

const OwedDays = z.object({
  from: z.string(),
  to: z.string(),
  /** From when on they may be scored; 0 for the next pass. */
  dueMs: z.number(),
  /** Settings changed, and not what was measured: nothing of these days waits for its turn. */
  atOnce: z.boolean(),
});
export type OwedDays = z.infer<typeof OwedDays>;

const AnnouncedScores = z.object({ scores: z.array(z.string()), from: z.string(), to: z.string() });
/** What passes have changed and not yet announced, because more of the same is to come. */
export type AnnouncedScores = z.infer<typeof AnnouncedScores>;

export const OwedScores = z.object({
  days: z.array(OwedDays),
  announced: AnnouncedScores.nullable(),
  /** While the person is moved to new formulas: every day before this one is. */
  moved: z.object({ generation: z.number(), before: z.string() }).nullable(),
  /** From this day on rows also hold what was shown before a move; from then on nobody reads it. */
  earlier: z.object({ from: z.string(), dueMs: z.number() }).nullable(),
});
export type OwedScores = z.infer<typeof OwedScores>;

export const noOwedScores: OwedScores = { days: [], announced: null, moved: null, earlier: null };

/** When the next pass is to look after them; undefined when nothing is left to do. */
export function scoresDueMs({ days, earlier }: OwedScores): number | undefined {
  const times = [...days.map(({ dueMs }) => dueMs), ...(earlier ? [earlier.dueMs] : [])];
  return times.length === 0 ? undefined : Math.min(...times);
}
