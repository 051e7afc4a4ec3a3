// Clocks that can be advanced. Each reading is later than the previous one, as on a real clock,
// which exposes code that reads the time twice and expects the same value. A test of exact instants
// freezes its clock.
import type { Clock } from '../../shared/platform/ports.ts';

export interface TestClock extends Clock {
  advance(milliseconds: number): void;
  /** Stops the clock, so that nothing takes any time, until the returned function is called. */
  freeze(): () => void;
}

/** Follows the system clock. */
export const testClock = (): TestClock => createClock(() => Date.now());

/**
 * Advances the clock past the next full hour if that is less than a minute away. Days begin at a
 * full hour, so none ends during a short test that computes today from the clock.
 */
export function avoidMidnight(clock: TestClock): void {
  const leftMs = hourMs - (clock.now() % hourMs);
  if (leftMs < minuteMs) clock.advance(leftMs);
}
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Advances by a millisecond with each reading, and through `advance`. */
export const tickingClock = (startMs: number): TestClock => createClock(() => startMs);

/** Advances only through `advance`. */
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
