// The rate limit as a table write: a row keeps the mark of its bucket, and one conditional update checks the row and draws on it.
import type * as z from 'zod';
import { BoundedCache } from './bounded-cache.ts';
import { writeConditionally } from './conditional-write.ts';
import type { Item, Key, Table } from './ports.ts';
import { computeCeilingMs, type RatePolicy, rateLimit } from './rate-limit.ts';

/** `fullAtMs` is the theoretical arrival time of the generic cell rate algorithm: the moment the bucket is full again. */
interface BucketRow {
  fullAtMs: number;
}

export interface BucketsOptions<Row extends BucketRow> {
  table: Table;
  row: z.ZodType<Row>;
  /** The attribute that keeps the mark; a row without it has a full bucket. */
  markAttribute?: string;
}

export interface DrawRequest<Row> {
  key: Key;
  /** That of an API key by default. */
  policy?: RatePolicy;
  /** What must hold beside the limit; `:now` is when the request came. */
  condition: string;
  values: Item;
  /** The same, of a row that was read. */
  matches(row: Row): boolean;
  /** An assignment that goes with the draw. */
  set?: string;
}

export type DrawResult<Row> =
  | { outcome: 'admitted' | 'limited'; row: Row }
  | { outcome: 'refused'; row: Row | undefined };

/** How many of a kind a process keeps in mind. */
export const maxCachedRows = 10_000;

export function createRowBuckets<Row extends BucketRow>(options: BucketsOptions<Row>) {
  const { table, markAttribute = 'fullAtMs' } = options;
  const cachedRows = new BoundedCache<string, Row>(maxCachedRows);
  const formatCacheKey = ({ pk, sk }: Key): string => `${pk} ${sk}`;

  return {
    /** A request counts by when it came: one that has to try again must not find the bucket refilled by its own waiting. */
    async draw(nowMs: number, request: DrawRequest<Row>): Promise<DrawResult<Row>> {
      const { key, policy = rateLimit, condition, values, matches, set } = request;
      const name = formatCacheKey(key);
      for (;;) {
        const last = cachedRows.get(name);
        // The bucket's mark only moves forward, so a remembered mark that refuses is still a refusal: no call is spent on a flood.
        if (last && last.fullAtMs > computeCeilingMs(nowMs, policy)) return { outcome: 'limited', row: last };
        const draw = buildDrawExpression(last?.fullAtMs ?? 0, nowMs, policy, markAttribute);
        const { applied, item } = await writeConditionally(table, {
          kind: 'update',
          key,
          update: `SET ${set ? `${draw.set}, ${set}` : draw.set}`,
          condition: `${condition} AND ${draw.condition}`,
          values: { ...values, ...draw.values },
        });
        const row = item && options.row.parse(item);
        if (!row || (!applied && !matches(row))) {
          cachedRows.delete(name);
          return { outcome: 'refused', row };
        }
        cachedRows.set(name, row);
        if (applied) return { outcome: 'admitted', row };
      }
    },
    /** As this process last drew on it. */
    lastSeen: (key: Key): Row | undefined => cachedRows.get(formatCacheKey(key)),
  };
}

/** `fullAtMs` is the mark as it was last seen; a wrong guess is refused by the condition and tells the right one. */
function buildDrawExpression(fullAtMs: number, nowMs: number, policy: RatePolicy, markAttribute: string) {
  return fullAtMs > nowMs
    ? {
        set: `#${markAttribute} = #${markAttribute} + :interval`,
        condition: `#${markAttribute} > :now AND #${markAttribute} <= :ceiling`,
        values: { now: nowMs, interval: policy.intervalMs, ceiling: computeCeilingMs(nowMs, policy) },
      }
    : {
        set: `#${markAttribute} = :next`,
        condition: `(attribute_not_exists(#${markAttribute}) OR #${markAttribute} <= :now)`,
        values: { now: nowMs, next: nowMs + policy.intervalMs },
      };
}
