// How often a vendor may still be asked, over all workers: a row for each limit keeps the mark of its bucket, and several are drawn on together or not at all.
import * as z from 'zod';
import { ConditionFailed, TransactionRefused, type Update } from '../engine/ports.ts';
import { conditionalWrite } from './conditional-write.ts';
import { keys } from './keys.ts';
import { repository } from './store.ts';

export interface VendorPace {
  burst: number;
  intervalMs: number;
}

/** One limit, by a name that every worker gives it. */
export interface VendorLimit extends VendorPace {
  name: string;
}

/** The theoretical arrival time of the generic cell rate algorithm: when the bucket is full again. */
const Marked = z.object({ fullAtMs: z.number() });

export type VendorDraw = { drawn: true } | { drawn: false; againMs: number };

/** Of those who draw at once each may find another mark than it knew. */
const mostTries = 20;
const keptSeconds = 86_400;

const ttlOf = (ms: number): number => Math.ceil(ms / 1000) + keptSeconds;

export const vendorLimitRows = repository(({ table }) => {
  async function write(writes: Update[]): Promise<(ConditionFailed | undefined)[]> {
    const [first, ...more] = writes;
    if (first && more.length === 0) {
      const { held, item } = await conditionalWrite(table, first);
      return [held ? undefined : new ConditionFailed(item)];
    }
    try {
      await table.transact(writes);
      return [];
    } catch (error) {
      if (error instanceof TransactionRefused) return error.failed;
      throw error;
    }
  }

  return {
    /** So many requests of every limit, or of none; else when to ask again. */
    async draw(limits: readonly VendorLimit[], requests: number, nowMs: number): Promise<VendorDraw> {
      const marks = limits.map(() => 0);
      for (let tries = 0; tries < mostTries; tries++) {
        const refused = await write(limits.map((limit, at) => drawing(limit, marks[at] ?? 0, requests, nowMs)));
        if (refused.every((each) => each === undefined)) return { drawn: true };
        for (const [at, failed] of refused.entries())
          if (failed) marks[at] = failed.item ? Marked.parse(failed.item).fullAtMs : 0;
        const againMs = Math.max(...limits.map((limit, at) => passesAt(limit, marks[at] ?? 0, requests)));
        if (againMs > nowMs) return { drawn: false, againMs };
      }
      return { drawn: false, againMs: nowMs + 1_000 };
    },
    /** The vendor wants no more before then, whatever we have counted. It never allows anything earlier than before. */
    async hold({ name, burst, intervalMs }: VendorLimit, untilMs: number): Promise<void> {
      const fullAtMs = untilMs + (burst - 1) * intervalMs;
      await conditionalWrite(table, {
        kind: 'update',
        key: keys.vendorLimit(name),
        update: 'SET #fullAtMs = :mark, #ttl = :ttl',
        condition: 'attribute_not_exists(#fullAtMs) OR #fullAtMs < :mark',
        values: { mark: fullAtMs, ttl: ttlOf(fullAtMs) },
      });
    },
  };
});

const passesAt = ({ burst, intervalMs }: VendorPace, fullAtMs: number, requests: number): number =>
  fullAtMs - (burst - requests) * intervalMs;

/** `fullAtMs` is the mark as it was last seen; a wrong guess is refused by the condition and tells the right one. */
function drawing(limit: VendorLimit, fullAtMs: number, requests: number, nowMs: number): Update {
  const { name, burst, intervalMs } = limit;
  const costMs = requests * intervalMs;
  const key = keys.vendorLimit(name);
  return fullAtMs > nowMs
    ? {
        kind: 'update',
        key,
        update: 'SET #fullAtMs = #fullAtMs + :cost, #ttl = :ttl',
        condition: '#fullAtMs > :now AND #fullAtMs <= :ceiling',
        values: {
          cost: costMs,
          now: nowMs,
          ceiling: nowMs + (burst - requests) * intervalMs,
          ttl: ttlOf(nowMs + burst * intervalMs),
        },
      }
    : {
        kind: 'update',
        key,
        update: 'SET #fullAtMs = :next, #ttl = :ttl',
        condition: 'attribute_not_exists(#fullAtMs) OR #fullAtMs <= :now',
        values: { next: nowMs + costMs, now: nowMs, ttl: ttlOf(nowMs + costMs) },
      };
}
