// Tracks what the host is doing, so that a drain can tell "nothing is happening" from "nothing is
// happening yet".

export interface Activity {
  /** Increases whenever work starts or ends. */
  readonly changes: number;
  readonly running: number;
  track<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves once no work is running. */
  idle(): Promise<void>;
}

export function makeActivity(): Activity {
  let changes = 0;
  let running = 0;
  let waiting: (() => void)[] = [];
  return {
    get changes() {
      return changes;
    },
    get running() {
      return running;
    },
    async track(work) {
      changes += 1;
      running += 1;
      try {
        return await work();
      } finally {
        changes += 1;
        running -= 1;
        if (running === 0) {
          for (const resolve of waiting) resolve();
          waiting = [];
        }
      }
    },
    idle: () => (running === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}
