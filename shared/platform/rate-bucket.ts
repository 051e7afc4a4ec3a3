// The rate limit as a table write: a row stores its bucket's mark, and one conditional update
// checks the row and draws on the bucket.
import type * as z from 'zod';
import { BoundedCache } from './bounded-cache.ts';
import { writeConditionally } from './conditional-write.ts';
import type { Clock, Item, Key, Table } from './ports.ts';
import { computeCeilingMs, type RatePolicy, rateLimit } from './rate-limit.ts';

/**
 * `fullAtMs` is the theoretical arrival time of the generic cell rate algorithm: the moment at
 * which the bucket is full again.
 */
interface BucketRow {
  fullAtMs: number;
}

export interface BucketsOptions<Row extends BucketRow> {
  table: Table;
  clock: Clock;
  row: z.ZodType<Row>;
  /** The attribute that stores the mark; a row without it has a full bucket. */
  markAttribute?: string;
}

export interface DrawRequest<Row> {
  key: Key;
  /** The policy of an API key by default. */
  policy?: RatePolicy;
  /** What must be true in addition to the limit; `:now` is when the draw is tried. */
  condition: string;
  values: Item;
  /** The same condition, for a row that was read. */
  matches(row: Row, nowMs: number): boolean;
  /** An assignment to make with the draw. */
  set?: string;
}

/** `nowMs` is when the outcome was decided, which `row.fullAtMs` is to be compared with. */
export type DrawResult<Row> =
  | { outcome: 'admitted' | 'limited'; row: Row; nowMs: number }
  | { outcome: 'refused'; row: Row | undefined; nowMs: number };

/** How many rows of a kind a process caches. */
export const maxCachedRows = 10_000;

export function createRowBuckets<Row extends BucketRow>(options: BucketsOptions<Row>) {
  const { table, clock, markAttribute = 'fullAtMs' } = options;
  const cachedRows = new BoundedCache<string, Row>(maxCachedRows);
  const formatCacheKey = ({ pk, sk }: Key): string => `${pk} ${sk}`;

  return {
    /**
     * A draw may wait for seconds, for the table or for a busy process, while later requests move
     * the mark. It is therefore limited as of the decision, never as of its arrival.
     */
    async draw(arrivalMs: number, request: DrawRequest<Row>): Promise<DrawResult<Row>> {
      const { key, policy = rateLimit, condition, values, matches, set } = request;
      const name = formatCacheKey(key);
      for (let nowMs = arrivalMs; ; nowMs = clock.now()) {
        const last = cachedRows.get(name);
        // The bucket's mark only moves forward, so a cached mark that is over the limit still is: a
        // flood costs no table calls.
        if (last && last.fullAtMs > computeCeilingMs(nowMs, policy)) return { outcome: 'limited', row: last, nowMs };
        const draw = buildDrawExpression(last?.fullAtMs ?? 0, nowMs, policy, markAttribute);
        const { applied, item } = await writeConditionally(table, {
          kind: 'update',
          key,
          update: `SET ${set ? `${draw.set}, ${set}` : draw.set}`,
          condition: `${condition} AND ${draw.condition}`,
          values: { ...values, ...draw.values },
        });
        const row = item && options.row.parse(item);
        if (!row || (!applied && !matches(row, nowMs))) {
          cachedRows.delete(name);
          return { outcome: 'refused', row, nowMs };
        }
        cachedRows.set(name, row);
        if (applied) return { outcome: 'admitted', row, nowMs };
      }
    },
    /** The row as this process last drew on it. */
    lastSeen: (key: Key): Row | undefined => cachedRows.get(formatCacheKey(key)),
  };
}

/**
 * `fullAtMs` is the mark as last seen. If it is outdated, the condition fails and returns the
 * current one.
 */
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
