// Controls the waits between retries: a drain skips them and a stop ends them, so nothing in the
// host sleeps longer than necessary.

export interface WaitControl {
  readonly stopped: boolean;
  /** Returns after the given time, or immediately when a drain starts or the host stops. */
  wait(milliseconds: number): Promise<void>;
  /**
   * Like `wait`, but only a stop ends it early. For background work that a drain does not depend
   * on.
   */
  waitThroughDrain(milliseconds: number): Promise<void>;
  /** While `work` runs, `wait` returns immediately. */
  skipWaitsDuring<T>(work: () => Promise<T>): Promise<T>;
  stop(): void;
}

export function createWaitControl(): WaitControl {
  const waiting = new Set<() => void>();
  const waitingThroughDrain = new Set<() => void>();
  let drainCount = 0;
  let stopped = false;
  const pause = (milliseconds: number, wakers: Set<() => void>) =>
    new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        wakers.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, milliseconds);
      wakers.add(wake);
    });
  const wakeAll = (wakers: Set<() => void>) => {
    for (const wake of wakers) wake();
  };
  // Even without a wait, the event loop gets a turn, so that a retry loop does not starve other
  // work.
  const yieldOnce = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    get stopped() {
      return stopped;
    },
    wait: (milliseconds) => (drainCount > 0 || stopped ? yieldOnce() : pause(milliseconds, waiting)),
    waitThroughDrain: (milliseconds) => (stopped ? yieldOnce() : pause(milliseconds, waitingThroughDrain)),
    async skipWaitsDuring(work) {
      drainCount += 1;
      wakeAll(waiting);
      try {
        return await work();
      } finally {
        drainCount -= 1;
      }
    },
    stop() {
      stopped = true;
      wakeAll(waiting);
      wakeAll(waitingThroughDrain);
    },
  };
}
