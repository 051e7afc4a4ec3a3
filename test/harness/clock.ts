// Clocks that can be put forward: one runs with the real one, one stands still.
import type { Clock } from '../../shared/engine/ports.ts';

export interface TestClock extends Clock {
  advance(milliseconds: number): void;
}

export function testClock(): TestClock {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    advance(milliseconds) {
      ahead += milliseconds;
    },
  };
}

/** It moves only when it is told to. */
export function stillClock(startMs = Date.now()): TestClock {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    advance(milliseconds) {
      nowMs += milliseconds;
    },
  };
}
