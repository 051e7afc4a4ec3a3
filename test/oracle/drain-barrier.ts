// One drain for several scenarios at once. It runs when every active scenario waits for it.

export interface DrainBarrier {
  /** Resolves when the service has no work left. */
  settle(): Promise<void>;
  /** Called once by every scenario that has ended. */
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
