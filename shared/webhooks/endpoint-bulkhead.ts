// A bulkhead per endpoint: limits its concurrent requests in one process, so that an endpoint that
// hangs leaves room for the others.

export interface EndpointBulkhead {
  /** True: proceed, and call `leave` afterwards. False: the endpoint is stuck, try again later. */
  enter(endpoint: string): Promise<boolean>;
  /** `quick` means that the endpoint responds, so that the next waiting request may proceed. */
  leave(endpoint: string, quick: boolean): void;
}

interface EndpointQueue {
  inFlight: number;
  waiting: ((go: boolean) => void)[];
  /** How many more may queue before the endpoint has to respond. */
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
