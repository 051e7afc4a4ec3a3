// Wakes whoever looks for something now and then, at the moment there is something to find.
import type { Queue, Table, Write } from '../../shared/platform/ports.ts';
import type { Pace } from './pace.ts';

export interface Nudge {
  now(): void;
  /** Until the next nudge, or so long at most; a stop ends it. */
  orAfter(milliseconds: number): Promise<void>;
}

/** One for each name. */
export function makeNudges(pace: Pace): (name: string) => Nudge {
  const nudges = new Map<string, Nudge>();
  return (name) => {
    const nudge = nudges.get(name) ?? makeNudge(pace);
    nudges.set(name, nudge);
    return nudge;
  };
}

function makeNudge(pace: Pace): Nudge {
  let nudged = false;
  let wake = () => {};
  return {
    now() {
      nudged = true;
      wake();
    },
    async orAfter(milliseconds) {
      if (!nudged)
        await Promise.race([
          pace.rest(milliseconds),
          new Promise<void>((resolve) => {
            wake = resolve;
          }),
        ]);
      nudged = false;
    },
  };
}

/** The queues, each of which nudges its reader after every message. */
export const nudgingQueue = (queue: Queue, nudgeOf: (name: string) => Nudge): Queue => ({
  async send(name, body, options) {
    await queue.send(name, body, options);
    nudgeOf(name).now();
  },
  async sendAll(name, bodies, options) {
    await queue.sendAll(name, bodies, options);
    nudgeOf(name).now();
  },
  postpone: queue.postpone,
});

/** The table, which nudges after every write that may give an item one of these attributes. */
export function nudging(table: Table, attributes: readonly string[], nudge: Nudge): Table {
  const isOfInterest = (write: Write): boolean =>
    attributes.some((name) =>
      write.kind === 'put' ? name in write.item : write.kind === 'update' && write.update.includes(`#${name}`),
    );
  const after = async <T>(writes: readonly Write[], done: Promise<T>): Promise<T> => {
    const result = await done;
    if (writes.some(isOfInterest)) nudge.now();
    return result;
  };
  return {
    ...table,
    write: (write) => after([write], table.write(write)),
    transact: (writes) => after(writes, table.transact(writes)),
    batchWrite: (writes) => after(writes, table.batchWrite(writes)),
  };
}
