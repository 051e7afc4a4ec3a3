// Defers messages until everything that they refer to is stored.
import type { Deps } from '../../system/deps.ts';
import type { QueueName } from '../../system/jobs.ts';

export interface DeferredMessages {
  deps: Deps;
  /**
   * Sends each deferred message once, except those of the named queues. The sweep finds lost ones,
   * because pending work is stored in the table.
   */
  release(except: readonly QueueName[]): Promise<void>;
}

export function deferMessages(baseDeps: Deps): DeferredMessages {
  const deferred = new Map<QueueName, Map<string, unknown>>();
  const defer = async (queue: QueueName, bodies: readonly unknown[]): Promise<void> => {
    const queued = deferred.get(queue) ?? new Map<string, unknown>();
    for (const body of bodies) queued.set(JSON.stringify(body), body);
    deferred.set(queue, queued);
  };
  return {
    deps: {
      ...baseDeps,
      queue: {
        send: (queue, body, options) =>
          options?.delaySeconds ? baseDeps.queue.send(queue, body, options) : defer(queue, [body]),
        sendAll: defer,
        postpone: baseDeps.queue.postpone,
      },
    },
    async release(except) {
      for (const [queue, bodies] of deferred)
        if (!except.includes(queue)) await baseDeps.queue.sendAll(queue, [...bodies.values()]);
    },
  };
}
