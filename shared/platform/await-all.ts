/**
 * Like `Promise.all`, but fails only when all work has ended: what is still on its way must not
 * write after its run reported the failure.
 */
export async function awaitAll<T>(work: readonly Promise<T>[]): Promise<T[]> {
  const outcomes = await Promise.allSettled(work);
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}
