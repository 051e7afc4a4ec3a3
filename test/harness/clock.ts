// Clocks that can be put forward. Each shows a later time with every reading, as a real one may:
// code that reads the time twice and expects the same is found by it. A test of exact instants says
// so by holding its clock.
import type { Clock } from '../../shared/platform/ports.ts';

export interface TestClock extends Clock {
  advance(milliseconds: number): void;
  /** It stands still, so that nothing takes any time by it, until what this returns is called. */
  freeze(): () => void;
}

/** It runs with the real one. */
export const testClock = (): TestClock => createClock(() => Date.now());

/** It moves by its readings, a millisecond each, and when it is told to. */
export const tickingClock = (startMs: number): TestClock => createClock(() => startMs);

/** It moves only when it is told to. */
export function frozenClock(startMs = Date.now()): TestClock {
  const clock = tickingClock(startMs);
  clock.freeze();
  return clock;
}

function createClock(sourceMs: () => number): TestClock {
  let aheadMs = 0;
  let nextMs = Number.NEGATIVE_INFINITY;
  let isFrozen = false;
  return {
    now() {
      const nowMs = isFrozen ? nextMs : Math.max(nextMs, sourceMs() + aheadMs);
      nextMs = isFrozen ? nowMs : nowMs + 1;
      return nowMs;
    },
    advance(milliseconds) {
      aheadMs += milliseconds;
      nextMs += milliseconds;
    },
    freeze() {
      nextMs = Math.max(nextMs, sourceMs() + aheadMs);
      isFrozen = true;
      return () => {
        isFrozen = false;
      };
    },
  };
}
