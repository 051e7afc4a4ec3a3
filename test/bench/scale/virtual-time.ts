// Virtual time that advances only when all work is waiting, so hours of a busy deployment take only
// as long as their computation.
import type { Clock } from '../../../shared/platform/ports.ts';

export interface VirtualTime extends Clock {
  sleep(milliseconds: number): Promise<void>;
  /** Counts the work as in progress until it settles. */
  track<T>(work: Promise<T>): Promise<T>;
  /** Advances time until `untilMs`, or until no work is in progress. */
  run(untilMs?: number): Promise<void>;
}

interface Sleeper {
  atMs: number;
  order: number;
  resolve(): void;
}

export function virtualTime(startMs: number): VirtualTime {
  let nowMs = startMs;
  let order = 0;
  let running = 0;
  const heap: Sleeper[] = [];

  async function run(untilMs = Number.POSITIVE_INFINITY): Promise<void> {
    for (;;) {
      // Everything that can run without waiting runs first.
      await new Promise(setImmediate);
      const next = heap[0];
      if (next && next.atMs <= untilMs) {
        nowMs = Math.max(nowMs, next.atMs);
        for (let due = heap[0]; due && due.atMs <= nowMs; due = heap[0]) {
          takeFirst(heap);
          due.resolve();
        }
      } else if (running === 0 || next) {
        if (untilMs !== Number.POSITIVE_INFINITY) nowMs = Math.max(nowMs, untilMs);
        return;
      }
      // Otherwise some work waits for something real, such as a thread that signs.
    }
  }

  return {
    now: () => Math.floor(nowMs),
    sleep: (milliseconds) =>
      new Promise((resolve) => add(heap, { atMs: nowMs + Math.max(0, milliseconds), order: order++, resolve })),
    async track(work) {
      running++;
      try {
        return await work;
      } finally {
        running--;
      }
    },
    run,
  };
}

const isBefore = (a: Sleeper, b: Sleeper): boolean => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);

/** Inserts into a binary heap with the earliest sleeper first. */
function add(heap: Sleeper[], waiting: Sleeper): void {
  let at = heap.push(waiting) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = heap[parent];
    if (!above || isBefore(above, waiting)) break;
    heap[at] = above;
    at = parent;
  }
  heap[at] = waiting;
}

function takeFirst(heap: Sleeper[]): void {
  const last = heap.pop();
  if (!last || heap.length === 0) return;
  let at = 0;
  for (;;) {
    const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]];
    const child = right && left && isBefore(right, left) ? 2 * at + 2 : 2 * at + 1;
    const below = heap[child];
    if (!below || isBefore(last, below)) break;
    heap[at] = below;
    at = child;
  }
  heap[at] = last;
}
