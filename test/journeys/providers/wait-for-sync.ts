// Waits until a user's connected device has read all that it is owed.
import type { ProviderSystem } from '../../harness/provider-system.ts';

const maxRounds = 60;

/** For whoever waits for a first sync beside other tests. */
export const historyTimeoutMs = 180_000;

/** Vendors' limits are kept by the clock, so it has to move. */
export async function waitForSync(world: ProviderSystem, user: string, device: string): Promise<void> {
  for (let round = 0; round < maxRounds; round++) {
    await world.system.host.runSchedule('poll');
    await world.system.settle();
    const { state } = (await findDevice(world, user, device))?.sync ?? {};
    if (state === 'current') return;
  }
  throw new Error(`the sync did not end: ${JSON.stringify(await findDevice(world, user, device))}`);
}

export async function findDevice(world: ProviderSystem, user: string, device: string) {
  const { body } = await world.get(user, 'devices');
  return body.data.find(({ id }: { id: string }) => id === device);
}

/** The days' values of these metrics, those that have one. */
export async function readDaily(
  world: ProviderSystem,
  user: string,
  query: string,
): Promise<Record<string, Record<string, number>>> {
  const { body } = await world.get(user, `daily?${query}`);
  const days: Record<string, Record<string, number>> = {};
  for (const [metric, values] of Object.entries<(number | null)[]>(body.series))
    values.forEach((value, at) => {
      if (value === null) return;
      const date: string = body.dates[at];
      days[date] = { ...days[date], [metric]: value };
    });
  return days;
}
