// Which messages a function has hidden for a while after a failure, so that the pump brings each of them back in time.
import type { Queue } from '../../shared/platform/ports.ts';

export interface Postponements {
  wrap(queue: Queue): Queue;
  /** For how many seconds this message was hidden, if it was; said once. */
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
