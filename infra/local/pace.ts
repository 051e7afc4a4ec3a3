// The waits between tries: a drain skips them and a stop ends them, so nothing in the host sleeps longer than it must.

export interface Pace {
  readonly stopped: boolean;
  /** Returns after the time has passed, or at once when somebody drains or the host stops. */
  wait(milliseconds: number): Promise<void>;
  /** As `wait`, but only a stop ends it early: for a background that a drain does not depend on. */
  rest(milliseconds: number): Promise<void>;
  /** While the work runs, no `wait` waits. */
  hurry<T>(work: () => Promise<T>): Promise<T>;
  stop(): void;
}

export function makePace(): Pace {
  const waiting = new Set<() => void>();
  const resting = new Set<() => void>();
  let hurrying = 0;
  let stopped = false;
  const pause = (milliseconds: number, among: Set<() => void>) =>
    new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        among.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, milliseconds);
      among.add(wake);
    });
  const wakeAll = (among: Set<() => void>) => {
    for (const wake of among) wake();
  };
  // Even without a wait the event loop gets its turn, so that a retry loop starves nobody.
  const yieldOnce = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    get stopped() {
      return stopped;
    },
    wait: (milliseconds) => (hurrying > 0 || stopped ? yieldOnce() : pause(milliseconds, waiting)),
    rest: (milliseconds) => (stopped ? yieldOnce() : pause(milliseconds, resting)),
    async hurry(work) {
      hurrying += 1;
      wakeAll(waiting);
      try {
        return await work();
      } finally {
        hurrying -= 1;
      }
    },
    stop() {
      stopped = true;
      wakeAll(waiting);
      wakeAll(resting);
    },
  };
}
