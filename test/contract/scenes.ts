// What happens once and is then looked at by several cases.
import { oncePerWorld } from './people.ts';
import type { World } from './world.ts';

/** The device of each metric's value on a day. */
export async function sourcesOf(
  world: World,
  user: string,
  date: string,
  types: string,
): Promise<Record<string, string | undefined>> {
  const path = `/v1/users/${user}/daily?types=${types}&from_date=${date}&to_date=${date}&include_sources=true`;
  const sources: Record<string, ({ device_id: string } | null)[]> = (await world.get(path)).body.sources;
  return Object.fromEntries(Object.entries(sources).map(([metric, [source]]) => [metric, source?.device_id]));
}

/** A day as Ultrahuman tells it; reading a month of them takes five requests. */
const walked = (date: string, total: number) => ({
  date,
  metric_data: [{ type: 'steps', object: { day_start_timestamp: Date.parse(date) / 1000, values: [], total } }],
});

/** A person whose ring's maker tells of these days, all of it read. */
export async function connected(world: World, account: string, days: Record<string, number>) {
  const id = await world.user({ timezone: 'Europe/Berlin' });
  return { id, device: await connectAnother(world, id, account, days) };
}

export function tells(world: World, account: string, days: Record<string, number>): void {
  const metrics = Object.entries(days).map(([date, steps]) => walked(date, steps));
  world.vendor.fixtures.write('ultrahuman', account, { metrics });
}

async function connectAnother(world: World, id: string, account: string, days: Record<string, number>) {
  tells(world, account, days);
  const device = await world.connect(id, 'ultrahuman', account);
  await world.settle();
  // The maker's limit may hold some of it back.
  for (let minutes = 0; minutes < 5; minutes++) {
    const { data } = (await world.get(`/v1/users/${id}/devices`)).body;
    if (data.find((each: { id: string }) => each.id === device)?.sync?.state === 'current') return device;
    await world.pass(61_000);
  }
  throw new Error(`the history of ${account} was not read`);
}

export async function stepsOf(world: World, user: string, date: string): Promise<number | null> {
  const path = `/v1/users/${user}/daily?types=steps&from_date=${date}&to_date=${date}`;
  return (await world.get(path)).body.series.steps[0];
}

/** Somebody whose ring told of the 5th, and who then connected another one, which tells of the 8th. */
export const replaced = oncePerWorld('replaced', async (world) => {
  const { id, device: former } = await connected(world, 'former', { '2026-03-05': 9120 });
  const next = await connectAnother(world, id, 'next', { '2026-03-08': 5000 });
  return { id, former, next };
});
