// When each provider last answered successfully, which an operator wants to know after an outage. Processes
// store it together with the requests that they draw from the provider's limit.
import { repository } from '../../system/store.ts';

/** A process stores the time of an answer no more often than this. */
const storeEveryMs = 5 * 60_000;

export const providerAnswers = repository(() => {
  const lastMs = new Map<string, number>();
  const storedMs = new Map<string, number>();
  return {
    record: (provider: string, answeredMs: number): void => void lastMs.set(provider, answeredMs),
    /** Returns undefined when there is nothing to store yet. */
    findUnstored(provider: string): number | undefined {
      const answeredMs = lastMs.get(provider);
      if (answeredMs === undefined) return undefined;
      return answeredMs - (storedMs.get(provider) ?? Number.NEGATIVE_INFINITY) >= storeEveryMs ? answeredMs : undefined;
    },
    markStored: (provider: string, answeredMs: number): void => void storedMs.set(provider, answeredMs),
    hasStored: (provider: string): boolean => storedMs.has(provider),
  };
});
