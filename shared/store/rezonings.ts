// Every day is to be made anew: the time zone changed and the days have not followed yet, or a worker gave up among too many others.
import * as z from 'zod';
import type { Table, Write } from '../engine/ports.ts';
import { dues, keys } from './keys.ts';

const Rezoning = z.object({
  asked: z.string(),
  /** Null until the days have followed; then the time from which they are looked after once more. */
  againMs: z.number().nullable().default(null),
});
export type Rezoning = z.infer<typeof Rezoning>;

export function rezoningRows(table: Table) {
  return {
    async of(user: string): Promise<Rezoning | undefined> {
      const item = await table.get(keys.rezoning(user), { consistent: true });
      return item && Rezoning.parse(item);
    },
    /** `asked` is different for every change. */
    asking: (user: string, asked: string): Write => ({
      kind: 'put',
      item: { ...keys.rezoning(user), asked, duePk: dues.ingest, dueSk: user },
    }),
    /** The days have followed, and are owed a second look. Refused when the zone was changed again meanwhile. */
    followed: (user: string, { asked }: Rezoning, againMs: number): Write => ({
      kind: 'update',
      key: keys.rezoning(user),
      update: 'SET #againMs = :again',
      condition: '#asked = :asked',
      values: { asked, again: againMs },
    }),
    /** Refused when the zone was changed again meanwhile. */
    finishing: (user: string, { asked }: Rezoning): Write => ({
      kind: 'delete',
      key: keys.rezoning(user),
      condition: '#asked = :asked',
      values: { asked },
    }),
  };
}
