// Waits until a user's connected device has completed its sync.
import type { ProviderSystem } from '../../harness/provider-system.ts';

const maxRounds = 60;

/** The timeout for a first sync while other tests run. */
export const historyTimeoutMs = 180_000;

/** Advances the clock, because the providers' rate limits depend on it. */
export async function waitForSync(world: ProviderSystem, user: string, device: string): Promise<void> {
  for (let round = 0; round < maxRounds; round++) {
    await world.system.host.runSchedule('poll');
    await world.system.settle();
    const { state } = (await findDevice(world, user, device))?.sync ?? {};
    if (state === 'current') return;
  }
  throw new Error(`the sync did not complete: ${JSON.stringify(await findDevice(world, user, device))}`);
}

export async function findDevice(world: ProviderSystem, user: string, device: string) {
  const { body } = await world.get(user, 'devices');
  return body.data.find(({ id }: { id: string }) => id === device);
}

/** Returns the daily values of these metrics, without missing ones. */
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
