// One drain for several lives at once: it runs when every life that goes on has come to wait for it.

export interface Settler {
  /** Returns when the service has nothing left to do. */
  settle(): Promise<void>;
  /** Said once by every life that has ended. */
  leave(): void;
}

export function settlerFor(lives: number, drain: () => Promise<void>): Settler {
  let going = lives;
  let waiting: { resolve(): void; reject(reason: unknown): void }[] = [];
  function look(): void {
    if (waiting.length === 0 || waiting.length < going) return;
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
        look();
      }),
    leave() {
      going -= 1;
      look();
    },
  };
}
