// A bulkhead around large bodies: a parsed body takes ten times its size, and many at once would
// exhaust the memory.
import { Failure } from '../system/failure.ts';

const largeBodyBytes = 1_000_000;
const maxConcurrentDecompressions = 2;
const maxWaitingLargeBodies = 4;

export type BodyBulkhead = <T>(
  decompress: () => Promise<Uint8Array>,
  work: (bytes: Uint8Array) => Promise<T>,
) => Promise<T>;

export function createBodyBulkhead(): BodyBulkhead {
  const decompressions = createBulkhead(maxConcurrentDecompressions, Number.POSITIVE_INFINITY);
  const largeBodies = createBulkhead(1, maxWaitingLargeBodies);
  return async (decompress, work) => {
    const bytes = await decompressions(decompress);
    return bytes.byteLength <= largeBodyBytes ? work(bytes) : largeBodies(() => work(bytes));
  };
}

function createBulkhead(maxRunning: number, maxWaiting: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= maxRunning) {
      if (waiting.length >= maxWaiting)
        throw new Failure('unavailable', 'Too many large requests at the same time. Try again in a few seconds.', {
          retryAfterSeconds: 5,
        });
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
