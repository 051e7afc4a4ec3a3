// Many conditional writes at once, a few in flight at any time.

const writesAtOnce = 16;

/** False as soon as one is refused. After a refusal or a failure no more are begun, and those in flight are waited for. */
export async function allHeld<T>(things: Iterable<T>, write: (thing: T) => Promise<boolean>): Promise<boolean> {
  const waiting = things[Symbol.iterator]();
  let held = true;
  const worker = async () => {
    try {
      for (let next = waiting.next(); held && !next.done; next = waiting.next())
        if (!(await write(next.value))) held = false;
    } catch (error) {
      held = false;
      throw error;
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: writesAtOnce }, worker));
  for (const worker of workers) if (worker.status === 'rejected') throw worker.reason;
  return held;
}
