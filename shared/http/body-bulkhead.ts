// A bulkhead around large bodies: parsed, one takes ten times its size, and many at once would take everybody's memory.
import { Failure } from '../system/failure.ts';

const heavyBytes = 1_000_000;
const unpackedAtOnce = 2;
const heavyWaiting = 4;

export type BodyBulkhead = <T>(
  unpack: () => Promise<Uint8Array>,
  work: (bytes: Uint8Array) => Promise<T>,
) => Promise<T>;

export function bodyBulkhead(): BodyBulkhead {
  const unpacking = bulkhead(unpackedAtOnce, Number.POSITIVE_INFINITY);
  const heavy = bulkhead(1, heavyWaiting);
  return async (unpack, work) => {
    const bytes = await unpacking(unpack);
    return bytes.byteLength <= heavyBytes ? work(bytes) : heavy(() => work(bytes));
  };
}

function bulkhead(most: number, mostWaiting: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= most) {
      if (waiting.length >= mostWaiting)
        throw new Failure('unavailable', 'Too many large requests at once. Try again in a few seconds.', {
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
