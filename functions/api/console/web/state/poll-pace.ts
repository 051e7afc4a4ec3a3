// How long a page waits before it reads again: often while something changes or the reader is active,
// ever more seldom while neither is so, and later still after a failure.

export interface PollOutcome {
  hasChanged: boolean;
  failure: { retryAfterSeconds?: number | undefined } | undefined;
}

export interface PollPace {
  /** The reader used the page. Returns the shorter pause if the next read may come sooner for it. */
  wake(): number | undefined;
  /** How long the server still asks not to be called; usually 0. */
  msUntilAllowed(): number;
  /** The pause after a read, in milliseconds. */
  pauseAfter(outcome: PollOutcome): number;
}

interface PaceOptions {
  /** The shortest pause. */
  pauseSeconds?: number;
  now?: () => number;
  random?: () => number;
}

const defaultPauseSeconds = 3;
const maxPauseMs = 30_000;
const maxFailurePauseMs = 120_000;
/** A reader without input for this long counts as away. */
const awayAfterMs = 60_000;

export function createPollPace({
  pauseSeconds = defaultPauseSeconds,
  now = Date.now,
  random = Math.random,
}: PaceOptions = {}): PollPace {
  const shortestMs = pauseSeconds * 1000;
  let pauseMs = shortestMs;
  let failures = 0;
  let lastInputMs = now();
  let notBeforeMs = 0;
  return {
    wake() {
      lastInputMs = now();
      // After a failure the server decides, or the backoff.
      if (failures > 0 || pauseMs <= shortestMs) return undefined;
      pauseMs = shortestMs;
      return pauseMs;
    },
    msUntilAllowed: () => Math.max(0, notBeforeMs - now()),
    pauseAfter({ hasChanged, failure }) {
      if (failure) {
        failures += 1;
        const backoffMs = Math.min(shortestMs * 2 ** failures, Math.max(maxFailurePauseMs, shortestMs));
        // Half of it is random, so that the tabs of a team do not return at the same moment.
        const jitteredMs = backoffMs * (0.5 + random() / 2);
        const requestedMs = (failure.retryAfterSeconds ?? 0) * 1000;
        notBeforeMs = now() + requestedMs;
        return Math.max(jitteredMs, requestedMs);
      }
      failures = 0;
      const isAway = now() - lastInputMs >= awayAfterMs;
      pauseMs = hasChanged || !isAway ? shortestMs : Math.min(pauseMs * 2, Math.max(maxPauseMs, shortestMs));
      return pauseMs;
    },
  };
}
