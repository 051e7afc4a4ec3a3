// Cuts long lists into the batches a service takes and sends some of them at a time.

export interface BatchLimits<T> {
  most: number;
  /** With `sizeOf`, a batch also stays within so many bytes. */
  mostBytes?: number;
  sizeOf?: (element: T) => number;
}

const atOnce = 8;

export function batchesOf<T>(elements: readonly T[], limits: BatchLimits<T>): T[][] {
  const { most, mostBytes = Number.POSITIVE_INFINITY, sizeOf = () => 0 } = limits;
  const batches: T[][] = [];
  let batch: T[] = [];
  let bytes = 0;
  for (const element of elements) {
    const size = sizeOf(element);
    if (batch.length === most || (batch.length > 0 && bytes + size > mostBytes)) {
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

/** Sends every batch, a few at once; after a failure no further batch is begun. */
export async function sendBatches<T>(batches: readonly T[][], send: (batch: T[]) => Promise<void>): Promise<void> {
  const waiting = batches.values();
  let failed = false;
  const sender = async () => {
    for (const batch of waiting) {
      if (failed) return;
      try {
        await send(batch);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, batches.length) }, sender));
}
