// Clocks that can be put forward: one runs with the real one, one stands still.
import type { Clock } from '../../shared/engine/ports.ts';

export interface TestClock extends Clock {
  advance(milliseconds: number): void;
}

export interface RunningClock extends TestClock {
  /** It stands still, so that nothing takes any time by it, until what this returns is called. */
  hold(): () => void;
}

export function testClock(): RunningClock {
  let ahead = 0;
  let heldMs: number | undefined;
  return {
    now: () => (heldMs ?? Date.now()) + ahead,
    advance(milliseconds) {
      ahead += milliseconds;
    },
    hold() {
      heldMs = Date.now();
      return () => {
        heldMs = undefined;
      };
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
