// The rate limit as a table write: one draw on a bucket, in the form that the bucket's last known mark calls for.
import type { Item } from '../engine/ports.ts';
import { rateLimit } from '../model/rate-limit.ts';

export interface Draw {
  /** An assignment for a SET. */
  set: string;
  /** Holds when the form fits the bucket as it is and the bucket has something left. */
  condition: string;
  values: Item;
}

/** Beyond this mark a bucket is empty. */
export const ceilingOf = (nowMs: number): number => nowMs + (rateLimit.burst - 1) * rateLimit.intervalMs;

/** `fullAtMs` is the mark as it was last seen; a wrong guess is refused by the condition and tells the right one. */
export function drawFrom(fullAtMs: number, nowMs: number): Draw {
  return fullAtMs > nowMs
    ? {
        set: '#fullAtMs = #fullAtMs + :interval',
        condition: '#fullAtMs > :now AND #fullAtMs <= :ceiling',
        values: { now: nowMs, interval: rateLimit.intervalMs, ceiling: ceilingOf(nowMs) },
      }
    : {
        set: '#fullAtMs = :next',
        condition: '#fullAtMs <= :now',
        values: { now: nowMs, next: nowMs + rateLimit.intervalMs },
      };
}
