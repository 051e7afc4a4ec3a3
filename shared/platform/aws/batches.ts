// Splits long lists into the batches that a service accepts, and sends a few at a time.
import { awaitAll } from '../await-all.ts';

export interface BatchLimits<T> {
  maxCount: number;
  /** With `sizeOf`, a batch also stays within this many bytes. */
  maxBytes?: number;
  sizeOf?: (element: T) => number;
}

const maxConcurrentBatches = 8;

export function splitIntoBatches<T>(elements: readonly T[], limits: BatchLimits<T>): T[][] {
  const { maxCount, maxBytes = Number.POSITIVE_INFINITY, sizeOf = () => 0 } = limits;
  const batches: T[][] = [];
  let batch: T[] = [];
  let bytes = 0;
  for (const element of elements) {
    const size = sizeOf(element);
    if (batch.length === maxCount || (batch.length > 0 && bytes + size > maxBytes)) {
      batches.push(batch);
      batch = [];
      bytes = 0;
    }
    batch.push(element);
    bytes += size;
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}

/**
 * Sends every batch, a few at a time. After a failure, no further batch is started, and those on
 * their way are awaited: each call has a timeout.
 */
export async function sendBatches<T>(batches: readonly T[][], send: (batch: T[]) => Promise<void>): Promise<void> {
  const remaining = batches.values();
  let hasFailed = false;
  const sender = async () => {
    for (const batch of remaining) {
      if (hasFailed) return;
      try {
        await send(batch);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await awaitAll(Array.from({ length: Math.min(maxConcurrentBatches, batches.length) }, sender));
}
