// Exponential backoff with full jitter, so that callers that failed together do not retry together.
import { setTimeout as wait } from 'node:timers/promises';

const maxBackoffMs = 2_000;

/** A random delay of up to `startMs`, doubled for every failure after the first. */
export const jitteredDelayMs = (startMs: number, failures: number): number =>
  Math.random() * Math.min(maxBackoffMs, startMs * 2 ** (failures - 1));

export const backoff = (startMs: number, failures: number): Promise<void> => wait(jitteredDelayMs(startMs, failures));
