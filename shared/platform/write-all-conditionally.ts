// Makes many conditional writes, a few at a time.

const concurrentWrites = 16;

/**
 * Returns false if a condition fails. After that, or after an error, no further writes are started,
 * and those in flight are awaited.
 */
export async function writeAllConditionally<T>(
  items: Iterable<T>,
  write: (thing: T) => Promise<boolean>,
): Promise<boolean> {
  const iterator = items[Symbol.iterator]();
  let allApplied = true;
  const worker = async () => {
    try {
      for (let next = iterator.next(); allApplied && !next.done; next = iterator.next())
        if (!(await write(next.value))) allApplied = false;
    } catch (error) {
      allApplied = false;
      throw error;
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: concurrentWrites }, worker));
  for (const worker of workers) if (worker.status === 'rejected') throw worker.reason;
  return allApplied;
}
