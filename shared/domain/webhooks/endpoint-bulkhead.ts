// How many requests one endpoint may have under way in one process, so that one that hangs leaves room for the others.

export interface EndpointBulkhead {
  /** True: go, and leave afterwards. False: the endpoint is stuck, come again later. */
  enter(endpoint: string): Promise<boolean>;
  /** `quick` says that the endpoint answers, so that whoever waits may go. */
  leave(endpoint: string, quick: boolean): void;
}

interface Line {
  underWay: number;
  waiting: ((go: boolean) => void)[];
  /** How many more may line up before the endpoint must answer somebody. */
  room: number;
}

const mostUnderWay = 16;
const mostBetweenAnswers = 256;

export function endpointBulkhead(): EndpointBulkhead {
  const endpoints = new Map<string, Line>();
  return {
    async enter(endpoint) {
      const queue = endpoints.get(endpoint) ?? { underWay: 0, waiting: [], room: mostBetweenAnswers };
      endpoints.set(endpoint, queue);
      if (queue.underWay < mostUnderWay) {
        queue.underWay += 1;
        return true;
      }
      if (queue.room === 0) return false;
      queue.room -= 1;
      return new Promise((resolve) => queue.waiting.push(resolve));
    },
    leave(endpoint, quick) {
      const queue = endpoints.get(endpoint);
      if (!queue) return;
      queue.underWay -= 1;
      queue.room = mostBetweenAnswers;
      if (quick) {
        const next = queue.waiting.shift();
        if (next) queue.underWay += 1;
        next?.(true);
      } else {
        for (const waiting of queue.waiting.splice(0)) waiting(false);
      }
      if (queue.underWay === 0) endpoints.delete(endpoint);
    },
  };
}
