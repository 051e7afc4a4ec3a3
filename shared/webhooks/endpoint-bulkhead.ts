// A bulkhead per endpoint: limits its concurrent requests in one process, so that an endpoint that
// hangs leaves room for the others.
import { maxQuickMs } from './attempt-delivery.ts';

export interface EndpointBulkhead {
  /** True: proceed, and call `leave` afterwards. False: the endpoint is stuck, try again later. */
  enter(endpoint: string): Promise<boolean>;
  /** `quick` means that the endpoint responds, so that the next waiting requests may proceed. */
  leave(endpoint: string, quick: boolean): void;
}

interface EndpointQueue {
  inFlight: number;
  maxInFlight: number;
  waiting: ((go: boolean) => void)[];
  /** How many more may queue before the endpoint has to respond. */
  room: number;
  /** Ends the waiting. Only set while requests wait. */
  timer?: NodeJS.Timeout;
}

/** Each quick response lets one more request proceed at a time, up to the maximum. */
const firstInFlight = 4;
export const mostInFlight = 16;
const maxQueuedBetweenAnswers = 256;

export function createEndpointBulkhead({ minInFlight = firstInFlight } = {}): EndpointBulkhead {
  const endpoints = new Map<string, EndpointQueue>();

  /** A request that waits holds up its worker, so it waits only while the endpoint responds. */
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
  function admitWaiting(queue: EndpointQueue): void {
    while (queue.inFlight < queue.maxInFlight && queue.waiting.length > 0) {
      queue.inFlight += 1;
      queue.waiting.shift()?.(true);
    }
    if (queue.waiting.length > 0) startTimer(queue);
    else clearTimeout(queue.timer);
  }

  return {
    async enter(endpoint) {
      const queue = endpoints.get(endpoint) ?? {
        inFlight: 0,
        maxInFlight: minInFlight,
        waiting: [],
        room: maxQueuedBetweenAnswers,
      };
      endpoints.set(endpoint, queue);
      if (queue.inFlight < queue.maxInFlight) {
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
      if (quick) {
        queue.room = maxQueuedBetweenAnswers;
        queue.maxInFlight = Math.min(mostInFlight, queue.maxInFlight + 1);
        admitWaiting(queue);
      } else {
        queue.maxInFlight = minInFlight;
        refuseWaiting(queue);
      }
      if (queue.inFlight === 0) endpoints.delete(endpoint);
    },
  };
}
