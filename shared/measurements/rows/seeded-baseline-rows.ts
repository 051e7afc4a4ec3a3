// Stores the baseline of a sandbox user from before its first day. Scores compare with it; no read
// returns it as days.
import * as z from 'zod';
import type { Write } from '../../platform/ports.ts';
import { keys } from '../../system/keys.ts';
import { repository } from '../../system/store.ts';
import {
  type CanonicalDay,
  type CanonicalRow,
  encodeCanonicalDay,
  unpackCanonicalRow,
} from '../codec/canonical-day.ts';

/** Keyed by date. */
export type SeededBaseline = ReadonlyMap<string, CanonicalRow>;
export const noBaseline: SeededBaseline = new Map();

const Row = z.object({ days: z.array(z.object({ date: z.string(), v: z.instanceof(Uint8Array) })) });

export const seededBaselineRows = repository(({ table }) => ({
  async get(user: string): Promise<SeededBaseline> {
    const item = await table.get(keys.seededBaseline(user), { consistent: true });
    return item ? new Map(Row.parse(item).days.map(({ date, v }) => [date, unpackCanonicalRow(v)])) : noBaseline;
  },
  buildPut: (user: string, days: ReadonlyMap<string, CanonicalDay>): Write => ({
    kind: 'put',
    item: {
      ...keys.seededBaseline(user),
      days: Array.from(days, ([date, day]) => ({ date, v: encodeCanonicalDay(day) })),
    },
  }),
}));
