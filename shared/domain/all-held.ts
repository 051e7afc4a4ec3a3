// Many conditional writes at once, a few in flight at any time.

const writesAtOnce = 16;

/** False as soon as one is refused: those in flight are waited for, and no more are begun. */
export async function allHeld<T>(things: Iterable<T>, write: (thing: T) => Promise<boolean>): Promise<boolean> {
  const waiting = things[Symbol.iterator]();
  let held = true;
  const worker = async () => {
    for (let next = waiting.next(); held && !next.done; next = waiting.next())
      if (!(await write(next.value))) held = false;
  };
  await Promise.all(Array.from({ length: writesAtOnce }, worker));
  return held;
}
