// The rate limit as a table write: a row keeps the mark of its bucket, and one conditional update checks the row and draws on it.
import type * as z from 'zod';
import { BoundedCache } from './bounded-cache.ts';
import { conditionalWrite } from './conditional-write.ts';
import type { Item, Key, Table } from './ports.ts';
import { ceilingOf, type RatePolicy, rateLimit } from './rate-limit.ts';

/** `fullAtMs` is the theoretical arrival time of the generic cell rate algorithm: the moment the bucket is full again. */
interface Marked {
  fullAtMs: number;
}

export interface BucketsOptions<Row extends Marked> {
  table: Table;
  row: z.ZodType<Row>;
  /** The attribute that keeps the mark; a row without it has a full bucket. */
  mark?: string;
}

export interface Asking<Row> {
  key: Key;
  /** That of an API key by default. */
  policy?: RatePolicy;
  /** What must hold beside the limit; `:now` is when the request came. */
  condition: string;
  values: Item;
  /** The same, of a row that was read. */
  fits(row: Row): boolean;
  /** An assignment that goes with the draw. */
  set?: string;
}

export type Drawn<Row> = { outcome: 'admitted' | 'limited'; row: Row } | { outcome: 'refused'; row: Row | undefined };

/** How many of a kind a process keeps in mind. */
export const mostRemembered = 10_000;

export function rowBuckets<Row extends Marked>(options: BucketsOptions<Row>) {
  const { table, mark = 'fullAtMs' } = options;
  const seen = new BoundedCache<string, Row>(mostRemembered);
  const nameOf = ({ pk, sk }: Key): string => `${pk} ${sk}`;

  return {
    /** A request counts by when it came: one that has to try again must not find the bucket refilled by its own waiting. */
    async draw(nowMs: number, asking: Asking<Row>): Promise<Drawn<Row>> {
      const { key, policy = rateLimit, condition, values, fits, set } = asking;
      const name = nameOf(key);
      for (;;) {
        const last = seen.get(name);
        // The bucket's mark only moves forward, so a remembered mark that refuses is still a refusal: no call is spent on a flood.
        if (last && last.fullAtMs > ceilingOf(nowMs, policy)) return { outcome: 'limited', row: last };
        const draw = drawFrom(last?.fullAtMs ?? 0, nowMs, policy, mark);
        const { held, item } = await conditionalWrite(table, {
          kind: 'update',
          key,
          update: `SET ${set ? `${draw.set}, ${set}` : draw.set}`,
          condition: `${condition} AND ${draw.condition}`,
          values: { ...values, ...draw.values },
        });
        const row = item && options.row.parse(item);
        if (!row || (!held && !fits(row))) {
          seen.delete(name);
          return { outcome: 'refused', row };
        }
        seen.set(name, row);
        if (held) return { outcome: 'admitted', row };
      }
    },
    /** As this process last drew on it. */
    lastSeen: (key: Key): Row | undefined => seen.get(nameOf(key)),
  };
}

/** `fullAtMs` is the mark as it was last seen; a wrong guess is refused by the condition and tells the right one. */
function drawFrom(fullAtMs: number, nowMs: number, policy: RatePolicy, mark: string) {
  return fullAtMs > nowMs
    ? {
        set: `#${mark} = #${mark} + :interval`,
        condition: `#${mark} > :now AND #${mark} <= :ceiling`,
        values: { now: nowMs, interval: policy.intervalMs, ceiling: ceilingOf(nowMs, policy) },
      }
    : {
        set: `#${mark} = :next`,
        condition: `(attribute_not_exists(#${mark}) OR #${mark} <= :now)`,
        values: { now: nowMs, next: nowMs + policy.intervalMs },
      };
}
