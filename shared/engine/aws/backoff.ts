// Exponential backoff with full jitter: callers that failed together do not come back together.
import { setTimeout as wait } from 'node:timers/promises';

const longestMs = 2_000;

/** Waits a random time of up to `startMs`, doubled for every failure after the first. */
export async function backoff(startMs: number, failures: number): Promise<void> {
  await wait(Math.random() * Math.min(longestMs, startMs * 2 ** (failures - 1)));
}
