// Delays by the host's own clock: a test advances its clock instead of waiting, and messages become
// due with it.
import type { Clock, Queue } from '../../shared/platform/ports.ts';

export interface DelayedSends {
  /** Wraps the queue to hold back messages with a delay. */
  wrap(queue: Queue): Queue;
  /** Sends the messages that have become due. Returns whether there were any. */
  release(): Promise<boolean>;
}

/**
 * The queue engine only knows real time, so messages are held here until the given clock says that
 * they are due.
 */
export function createDelayedSends(queue: Queue, clock: Clock): DelayedSends {
  let delayed: { dueAt: number; target: string; body: unknown }[] = [];
  return {
    wrap: ({ send, sendAll, postpone }) => ({
      async send(target, body, { delaySeconds = 0, ...options } = {}) {
        if (delaySeconds === 0) await send(target, body, options);
        else delayed.push({ dueAt: clock.now() + delaySeconds * 1000, target, body: structuredClone(body) });
      },
      sendAll,
      postpone,
    }),
    async release() {
      const now = clock.now();
      const due = delayed.filter(({ dueAt }) => dueAt <= now).sort((a, b) => a.dueAt - b.dueAt);
      delayed = delayed.filter(({ dueAt }) => dueAt > now);
      for (const { target, body } of due) await queue.send(target, body);
      return due.length > 0;
    },
  };
}
