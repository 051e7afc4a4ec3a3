// Keeps messages back until all is there that they wake somebody for.
import type { Deps } from '../../system/deps.ts';
import type { QueueName } from '../../system/jobs.ts';

export interface HoldingBack {
  deps: Deps;
  /** Each once, but those of that queue. What is lost is found by the sweep: what is owed stands in the table. */
  release(except: QueueName): Promise<void>;
}

export function holdingBack(given: Deps): HoldingBack {
  const held = new Map<QueueName, Map<string, unknown>>();
  const hold = async (queue: QueueName, bodies: readonly unknown[]): Promise<void> => {
    const kept = held.get(queue) ?? new Map<string, unknown>();
    for (const body of bodies) kept.set(JSON.stringify(body), body);
    held.set(queue, kept);
  };
  return {
    deps: {
      ...given,
      queue: {
        send: (queue, body, options) =>
          options?.delaySeconds ? given.queue.send(queue, body, options) : hold(queue, [body]),
        sendAll: hold,
        postpone: given.queue.postpone,
      },
    },
    async release(except) {
      for (const [queue, bodies] of held) if (queue !== except) await given.queue.sendAll(queue, [...bodies.values()]);
    },
  };
}
