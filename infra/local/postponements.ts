// Which messages a function has hidden for a while after a failure, so that the pump brings each of them back in time.
import type { Queue } from '../../shared/platform/ports.ts';

export interface Postponements {
  around(queue: Queue): Queue;
  /** For how many seconds this message was hidden, if it was; said once. */
  take(receiptHandle: string): number | undefined;
}

export function rememberPostponements(): Postponements {
  const secondsOf = new Map<string, number>();
  return {
    around: (queue) => ({
      ...queue,
      async postpone(name, receiptHandle, seconds) {
        await queue.postpone(name, receiptHandle, seconds);
        secondsOf.set(receiptHandle, seconds);
      },
    }),
    take(receiptHandle) {
      const seconds = secondsOf.get(receiptHandle);
      secondsOf.delete(receiptHandle);
      return seconds;
    },
  };
}
