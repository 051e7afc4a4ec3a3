// Every day is to be made anew: the time zone or the day rule changed and the days have not followed yet, or a worker gave up among too many others.
import * as z from 'zod';
import type { Item, Write } from '../engine/ports.ts';
import { Announced, nothingAnnounced } from './announced.ts';
import { conditionalWrite } from './conditional-write.ts';
import { due } from './due.ts';
import { keys } from './keys.ts';
import { repository } from './store.ts';

const Progress = z.object({
  work: z.number(),
  /** The last day that is made. */
  through: z.string(),
  /** The days that want their scores anew; null without any. */
  from: z.string().nullable(),
  to: z.string().nullable(),
});
export type Progress = z.infer<typeof Progress>;

const Rezoning = z.object({
  asked: z.string(),
  /** Null until the days have followed; then the time from which they are looked after once more. */
  againMs: z.number().nullable().default(null),
  /** How far a worker came that had to stop, while nothing else has changed since (`work`). */
  progress: Progress.nullable().default(null),
  /** What it has changed so far, noted before it is written. */
  announced: Announced.default(nothingAnnounced),
});
export type Rezoning = z.infer<typeof Rezoning>;

export const rezoningRows = repository(({ table }) => {
  return {
    fromWaiting(user: string, items: readonly Item[]): Rezoning | undefined {
      const item = items.find(({ sk }) => sk === keys.rezoning(user).sk);
      return item && Rezoning.parse(item);
    },
    /** `asked` is different for every change. What an earlier one has begun to change stays to be told. */
    asking: (user: string, asked: string, atMs: number): Write => ({
      kind: 'update',
      key: keys.rezoning(user),
      update: 'SET #asked = :asked, #duePk = :duePk, #dueSk = :dueSk REMOVE #againMs, #progress',
      values: { asked, ...due('ingest', user, atMs) },
    }),
    /** False when the zone was changed again meanwhile. */
    async note(user: string, { asked }: Rezoning, announced: Announced): Promise<boolean> {
      const { held } = await conditionalWrite(table, {
        kind: 'update',
        key: keys.rezoning(user),
        update: 'SET #announced = :announced',
        condition: '#asked = :asked',
        values: { asked, announced },
      });
      return held;
    },
    /** False when the zone was changed again meanwhile. */
    async progress(user: string, { asked }: Rezoning, progress: Progress): Promise<boolean> {
      const { held } = await conditionalWrite(table, {
        kind: 'update',
        key: keys.rezoning(user),
        update: 'SET #progress = :progress',
        condition: '#asked = :asked',
        values: { asked, progress },
      });
      return held;
    },
    /** The days have followed, and are owed a second look. Refused when the zone was changed again meanwhile. */
    followed: (user: string, { asked }: Rezoning, againMs: number): Write => ({
      kind: 'update',
      key: keys.rezoning(user),
      update: 'SET #againMs = :again, #duePk = :duePk, #dueSk = :dueSk REMOVE #progress, #announced',
      condition: '#asked = :asked',
      values: { asked, again: againMs, ...due('ingest', user, againMs) },
    }),
    /** Refused when the zone was changed again meanwhile. */
    finishing: (user: string, { asked }: Rezoning): Write => ({
      kind: 'delete',
      key: keys.rezoning(user),
      condition: '#asked = :asked',
      values: { asked },
    }),
  };
});
