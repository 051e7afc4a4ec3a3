// A bulkhead for each endpoint: how many requests it may have under way in one process, so that one that hangs leaves room for the others.

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
      const line = endpoints.get(endpoint) ?? { underWay: 0, waiting: [], room: mostBetweenAnswers };
      endpoints.set(endpoint, line);
      if (line.underWay < mostUnderWay) {
        line.underWay += 1;
        return true;
      }
      if (line.room === 0) return false;
      line.room -= 1;
      return new Promise((resolve) => line.waiting.push(resolve));
    },
    leave(endpoint, quick) {
      const line = endpoints.get(endpoint);
      if (!line) return;
      line.underWay -= 1;
      line.room = mostBetweenAnswers;
      if (quick) {
        const next = line.waiting.shift();
        if (next) line.underWay += 1;
        next?.(true);
      } else {
        for (const waiting of line.waiting.splice(0)) waiting(false);
      }
      if (line.underWay === 0) endpoints.delete(endpoint);
    },
  };
}
