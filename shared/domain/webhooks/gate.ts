// How many requests one endpoint may have under way in one process, so that one that hangs leaves room for the others.

export interface Gate {
  /** True: go, and leave afterwards. False: the endpoint is stuck, come again later. */
  enter(endpoint: string): Promise<boolean>;
  /** `quick` says that the endpoint answers, so that whoever waits may go. */
  leave(endpoint: string, quick: boolean): void;
}

const mostUnderWay = 16;

export function openGate(): Gate {
  const endpoints = new Map<string, { underWay: number; waiting: ((go: boolean) => void)[] }>();
  return {
    async enter(endpoint) {
      const state = endpoints.get(endpoint) ?? { underWay: 0, waiting: [] };
      endpoints.set(endpoint, state);
      if (state.underWay >= mostUnderWay) return new Promise((resolve) => state.waiting.push(resolve));
      state.underWay += 1;
      return true;
    },
    leave(endpoint, quick) {
      const state = endpoints.get(endpoint);
      if (!state) return;
      state.underWay -= 1;
      if (quick) {
        const next = state.waiting.shift();
        if (next) state.underWay += 1;
        next?.(true);
      } else {
        for (const waiting of state.waiting.splice(0)) waiting(false);
      }
      if (state.underWay === 0) endpoints.delete(endpoint);
    },
  };
}
