// What the API tells of a person's days once a vendor was read.
import type { ProviderSystem } from '../../harness/provider-system.ts';

/** Every metric that the day has. */
export async function readDay({ get }: ProviderSystem, user: string, date: string): Promise<Record<string, number>> {
  const { body } = await get(user, `daily?from_date=${date}&to_date=${date}`);
  const series: [string, (number | null)[]][] = Object.entries(body.series);
  return Object.fromEntries(
    series.flatMap(([metric, [value]]) => (typeof value === 'number' ? [[metric, value]] : [])),
  );
}

const march = 'from_date=2026-03-01&to_date=2026-03-31';

/** Oldest first, as they are read on the clocks of the profile. */
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

/** A vendor's limits may hold some of it back: minutes go by until nothing is owed any more. */
export async function catchUp({ system }: ProviderSystem, minutes = 3): Promise<void> {
  await system.host.drain();
  for (let minute = 0; minute < minutes; minute++) {
    system.clock.advance(61_000);
    await system.host.runSchedule('poll');
    await system.host.drain();
  }
}
