// Every day is to be made anew: the time zone changed and the days have not followed yet, or a worker gave up among too many others.
import * as z from 'zod';
import type { Table, Write } from '../engine/ports.ts';
import { dues, keys } from './keys.ts';

const Rezoning = z.object({ asked: z.string() });
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
    /** Refused when the zone was changed again meanwhile. */
    finishing: (user: string, { asked }: Rezoning): Write => ({
      kind: 'delete',
      key: keys.rezoning(user),
      condition: '#asked = :asked',
      values: { asked },
    }),
  };
}
