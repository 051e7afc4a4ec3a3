// One drain for several lives at once: it runs when every life that goes on has come to wait for it.

export interface DrainBarrier {
  /** Returns when the service has nothing left to do. */
  settle(): Promise<void>;
  /** Said once by every life that has ended. */
  leave(): void;
}

export function drainBarrier(scenarioCount: number, drain: () => Promise<void>): DrainBarrier {
  let active = scenarioCount;
  let waiting: { resolve(): void; reject(reason: unknown): void }[] = [];
  function drainWhenAllWait(): void {
    if (waiting.length === 0 || waiting.length < active) return;
    const released = waiting;
    waiting = [];
    drain().then(
      () => {
        for (const { resolve } of released) resolve();
      },
      (reason: unknown) => {
        for (const { reject } of released) reject(reason);
      },
    );
  }
  return {
    settle: () =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        drainWhenAllWait();
      }),
    leave() {
      active -= 1;
      drainWhenAllWait();
    },
  };
}
