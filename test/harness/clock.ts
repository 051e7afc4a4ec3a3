// Clocks that can be put forward. Each shows a later time with every reading, as a real one may:
// code that reads the time twice and expects the same is found by it. A test of exact instants says
// so by holding its clock.
import type { Clock } from '../../shared/platform/ports.ts';

export interface TestClock extends Clock {
  advance(milliseconds: number): void;
  /** It stands still, so that nothing takes any time by it, until what this returns is called. */
  hold(): () => void;
}

/** It runs with the real one. */
export const testClock = (): TestClock => clockOver(() => Date.now());

/** It moves by its readings, a millisecond each, and when it is told to. */
export const movingClock = (startMs: number): TestClock => clockOver(() => startMs);

/** It moves only when it is told to. */
export function stillClock(startMs = Date.now()): TestClock {
  const clock = movingClock(startMs);
  clock.hold();
  return clock;
}

function clockOver(sourceMs: () => number): TestClock {
  let aheadMs = 0;
  let nextMs = Number.NEGATIVE_INFINITY;
  let isHeld = false;
  return {
    now() {
      const nowMs = isHeld ? nextMs : Math.max(nextMs, sourceMs() + aheadMs);
      nextMs = isHeld ? nowMs : nowMs + 1;
      return nowMs;
    },
    advance(milliseconds) {
      aheadMs += milliseconds;
      nextMs += milliseconds;
    },
    hold() {
      nextMs = Math.max(nextMs, sourceMs() + aheadMs);
      isHeld = true;
      return () => {
        isHeld = false;
      };
    },
  };
}
