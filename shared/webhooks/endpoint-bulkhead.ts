// A bulkhead per endpoint: limits its concurrent requests in one process, so that an endpoint that
// hangs leaves room for the others.

export interface EndpointBulkhead {
  /** True: proceed, and call `leave` afterwards. False: the endpoint is stuck, try again later. */
  enter(endpoint: string): Promise<boolean>;
  /**
   * `quick` means that the endpoint responds, so that the next waiting request may proceed. It is
   * undefined if nothing was sent.
   */
  leave(endpoint: string, quick: boolean | undefined): void;
}

interface EndpointQueue {
  inFlight: number;
  waiting: ((go: boolean) => void)[];
  /** How many more may queue before the endpoint has to respond. */
  room: number;
  /** Ends the waiting. Runs only while requests wait. */
  timer?: NodeJS.Timeout;
}

const maxInFlight = 16;
const maxQueuedBetweenResponses = 256;
/** An endpoint that responds faster than this shows no sign of being stuck. */
export const maxQuickMs = 2_000;

export function createEndpointBulkhead(): EndpointBulkhead {
  const endpoints = new Map<string, EndpointQueue>();

  /** A host with one process has a worker less for each request that waits. */
  function startTimer(queue: EndpointQueue): void {
    clearTimeout(queue.timer);
    queue.timer = setTimeout(() => {
      queue.room = 0;
      refuseWaiting(queue);
    }, maxQuickMs);
  }
  function refuseWaiting(queue: EndpointQueue): void {
    clearTimeout(queue.timer);
    for (const proceed of queue.waiting.splice(0)) proceed(false);
  }
  function admitNext(queue: EndpointQueue): void {
    const next = queue.waiting.shift();
    if (!next) return;
    queue.inFlight += 1;
    next(true);
    if (queue.waiting.length === 0) clearTimeout(queue.timer);
  }

  return {
    async enter(endpoint) {
      const queue = endpoints.get(endpoint) ?? { inFlight: 0, waiting: [], room: maxQueuedBetweenResponses };
      endpoints.set(endpoint, queue);
      if (queue.inFlight < maxInFlight) {
        queue.inFlight += 1;
        return true;
      }
      if (queue.room === 0) return false;
      queue.room -= 1;
      return new Promise((resolve) => {
        if (queue.waiting.push(resolve) === 1) startTimer(queue);
      });
    },
    leave(endpoint, quick) {
      const queue = endpoints.get(endpoint);
      if (!queue) return;
      queue.inFlight -= 1;
      if (quick === false) refuseWaiting(queue);
      else {
        if (quick) {
          queue.room = maxQueuedBetweenResponses;
          if (queue.waiting.length > 0) startTimer(queue);
        }
        admitNext(queue);
      }
      if (queue.inFlight === 0) endpoints.delete(endpoint);
    },
  };
}
