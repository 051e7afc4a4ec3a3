// A provider that sends nothing by itself: how often it is asked.
import { expect, test } from 'vitest';
import { hours, minutes, type SyncWorld, syncWorld } from '../../../harness/sync-world.ts';

const steps = (date: string, total: number) => ({
  date,
  metric_data: [{ type: 'steps', object: { values: [], total } }],
});

async function wearer() {
  const world = syncWorld({ provider: 'ultrahuman' });
  const write = (total: number) =>
    world.fakeProvider.fixtures.write('ultrahuman', 'ann', { metrics: [steps('2026-03-12', total)] });
  write(100);
  const user = await world.user();
  const device = await world.connect(user, 'ann');
  // The history of weeks, in several runs.
  for (let runs = 0; runs < 6; runs++) await world.passTime(minutes(1));
  return { world, user, device, write };
}

/** At which minutes from now on it was asked, looking every minute. */
async function polls(world: SyncWorld, forMinutes: number, meanwhile: (minute: number) => void = () => {}) {
  const found: number[] = [];
  for (let minute = 1; minute <= forMinutes; minute++) {
    meanwhile(minute);
    const before = world.fakeProvider.requests.length;
    await world.passTime(minutes(1));
    if (world.fakeProvider.requests.length > before) found.push(minute);
  }
  return found;
}
const gaps = (at: readonly number[]) => at.slice(1).map((minute, i) => minute - (at[i] ?? 0));

test('it is asked every 15 minutes while its answers change, and its data is in by then', async () => {
  const { world, user, write } = await wearer();
  const at = await polls(world, 120, (minute) => write(100 + minute));
  expect(at.length).toBeGreaterThanOrEqual(7);
  for (const gap of gaps(at)) expect([gap >= 13, gap <= 16], `${gaps(at)}`).toEqual([true, true]);
  const events = world.events('data.updated').filter((event) => event['user'] === user);
  expect(events.length).toBeGreaterThanOrEqual(7);
});

test('one that has been silent for two days is asked every hour until it brings something, and then often again', async () => {
  const { world, user, device, write } = await wearer();
  // Two days and some hours later, by day.
  for (let hour = 0; hour < 51; hour++) await world.passTime(hours(1));
  const silent = await polls(world, 150);
  for (const gap of gaps(silent)) expect(gap).toBeGreaterThanOrEqual(53);
  write(20_000);
  const [, ...after] = await polls(world, 150);
  expect(after.length).toBeGreaterThanOrEqual(4);
  for (const gap of gaps(after)) expect(gap).toBeLessThanOrEqual(16);
  expect((await world.readConnection(user, device))?.newsMs).toBeGreaterThan(world.clock.now() - hours(3));
});

test('a new date alone is no news', async () => {
  const { world, user, device } = await wearer();
  const before = (await world.readConnection(user, device))?.newsMs;
  for (let hour = 0; hour < 30; hour++) await world.passTime(hours(1));
  expect((await world.readConnection(user, device))?.newsMs).toBe(before);
});
