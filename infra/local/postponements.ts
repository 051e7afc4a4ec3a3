// Remembers which messages a function has postponed after a failure, so that the pump returns each
// of them in time.
import type { Queue } from '../../shared/platform/ports.ts';

export interface Postponements {
  wrap(queue: Queue): Queue;
  /** Returns for how many seconds this message was postponed, if it was, and forgets it. */
  take(receiptHandle: string): number | undefined;
}

export function createPostponements(): Postponements {
  const secondsByHandle = new Map<string, number>();
  return {
    wrap: (queue) => ({
      ...queue,
      async postpone(name, receiptHandle, seconds) {
        await queue.postpone(name, receiptHandle, seconds);
        secondsByHandle.set(receiptHandle, seconds);
      },
    }),
    take(receiptHandle) {
      const seconds = secondsByHandle.get(receiptHandle);
      secondsByHandle.delete(receiptHandle);
      return seconds;
    },
  };
}
