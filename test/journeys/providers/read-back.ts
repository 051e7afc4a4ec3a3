// Reads a user's days through the API after a provider was synced.
import type { ProviderSystem } from '../../harness/provider-system.ts';

/** Returns every metric that the day has. */
export async function readDay({ get }: ProviderSystem, user: string, date: string): Promise<Record<string, number>> {
  const { body } = await get(user, `daily?from_date=${date}&to_date=${date}`);
  const series: [string, (number | null)[]][] = Object.entries(body.series);
  return Object.fromEntries(
    series.flatMap(([metric, [value]]) => (typeof value === 'number' ? [[metric, value]] : [])),
  );
}

const march = 'from_date=2026-03-01&to_date=2026-03-31';

/** Returns the nights oldest first, in the profile's local time. */
export async function readSleep({ get }: ProviderSystem, user: string): Promise<Record<string, unknown>[]> {
  return (await get(user, `sleep?${march}`)).body.data.toReversed();
}

export async function readWorkouts({ get }: ProviderSystem, user: string): Promise<Record<string, unknown>[]> {
  return (await get(user, `workouts?${march}`)).body.data.toReversed();
}

export async function readFirstDevice({ get }: ProviderSystem, user: string): Promise<Record<string, unknown>> {
  const [device] = (await get(user, 'devices')).body.data;
  return device;
}

/** Advances the clock minute by minute, because a provider's rate limit may delay the sync. */
export async function catchUp({ system }: ProviderSystem, minutes = 3): Promise<void> {
  await system.host.drain();
  for (let minute = 0; minute < minutes; minute++) {
    system.clock.advance(61_000);
    await system.host.runSchedule('poll');
    await system.host.drain();
  }
}
