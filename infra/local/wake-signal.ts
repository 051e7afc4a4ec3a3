// Signals that wake a polling loop as soon as there is something to find.
import type { Queue, Table, Write } from '../../shared/platform/ports.ts';
import type { WaitControl } from './wait-control.ts';

export interface WakeSignal {
  signal(): void;
  /** Waits until the next signal, for at most the given time. A stop ends it. */
  waitAtMost(milliseconds: number): Promise<void>;
}

/** Returns one signal per name. */
export function createWakeSignals(waits: WaitControl): (name: string) => WakeSignal {
  const wakeSignals = new Map<string, WakeSignal>();
  return (name) => {
    const wakeSignal = wakeSignals.get(name) ?? createWakeSignal(waits);
    wakeSignals.set(name, wakeSignal);
    return wakeSignal;
  };
}

function createWakeSignal(waits: WaitControl): WakeSignal {
  let isSignaled = false;
  let wake = () => {};
  return {
    signal() {
      isSignaled = true;
      wake();
    },
    async waitAtMost(milliseconds) {
      if (!isSignaled)
        await Promise.race([
          waits.waitThroughDrain(milliseconds),
          new Promise<void>((resolve) => {
            wake = resolve;
          }),
        ]);
      isSignaled = false;
    },
  };
}

/** The engine makes a delayed message visible a moment after its delay. */
const delaySlackMs = 100;

/** Wraps the queues, so that every send signals the reader, and again when its delay ends. */
export const withQueueSignals = (queue: Queue, signalFor: (name: string) => WakeSignal): Queue => ({
  async send(name, body, options) {
    await queue.send(name, body, options);
    signalFor(name).signal();
    const { delaySeconds = 0 } = options ?? {};
    if (delaySeconds > 0) setTimeout(() => signalFor(name).signal(), delaySeconds * 1000 + delaySlackMs).unref();
  },
  async sendAll(name, bodies, options) {
    await queue.sendAll(name, bodies, options);
    signalFor(name).signal();
  },
  postpone: queue.postpone,
});

/**
 * Wraps the table, so that it signals after every write that may give an item one of these
 * attributes.
 */
export function withTableSignals(table: Table, attributes: readonly string[], wakeSignal: WakeSignal): Table {
  const isRelevant = (write: Write): boolean =>
    attributes.some((name) =>
      write.kind === 'put' ? name in write.item : write.kind === 'update' && write.update.includes(`#${name}`),
    );
  const signalAfter = async <T>(writes: readonly Write[], done: Promise<T>): Promise<T> => {
    const result = await done;
    if (writes.some(isRelevant)) wakeSignal.signal();
    return result;
  };
  return {
    ...table,
    write: (write) => signalAfter([write], table.write(write)),
    transact: (writes) => signalAfter(writes, table.transact(writes)),
    batchWrite: (writes) => signalAfter(writes, table.batchWrite(writes)),
  };
}
