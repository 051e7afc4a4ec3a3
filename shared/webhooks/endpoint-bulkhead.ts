// A bulkhead for each endpoint: how many requests it may have under way in one process, so that one that hangs leaves room for the others.

export interface EndpointBulkhead {
  /** True: go, and leave afterwards. False: the endpoint is stuck, come again later. */
  enter(endpoint: string): Promise<boolean>;
  /** `quick` says that the endpoint answers, so that whoever waits may go. */
  leave(endpoint: string, quick: boolean): void;
}

interface EndpointQueue {
  inFlight: number;
  waiting: ((go: boolean) => void)[];
  /** How many more may line up before the endpoint must answer somebody. */
  room: number;
}

const maxInFlight = 16;
const maxQueuedBetweenAnswers = 256;

export function createEndpointBulkhead(): EndpointBulkhead {
  const endpoints = new Map<string, EndpointQueue>();
  return {
    async enter(endpoint) {
      const queue = endpoints.get(endpoint) ?? { inFlight: 0, waiting: [], room: maxQueuedBetweenAnswers };
      endpoints.set(endpoint, queue);
      if (queue.inFlight < maxInFlight) {
        queue.inFlight += 1;
        return true;
      }
      if (queue.room === 0) return false;
      queue.room -= 1;
      return new Promise((resolve) => queue.waiting.push(resolve));
    },
    leave(endpoint, quick) {
      const queue = endpoints.get(endpoint);
      if (!queue) return;
      queue.inFlight -= 1;
      queue.room = maxQueuedBetweenAnswers;
      if (quick) {
        const next = queue.waiting.shift();
        if (next) queue.inFlight += 1;
        next?.(true);
      } else {
        for (const waiting of queue.waiting.splice(0)) waiting(false);
      }
      if (queue.inFlight === 0) endpoints.delete(endpoint);
    },
  };
}
