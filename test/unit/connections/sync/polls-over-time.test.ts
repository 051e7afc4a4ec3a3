// How often a provider is polled whose pushes do not arrive, or only sometimes.
import { expect, test } from 'vitest';
import { hours, minutes, ouraNight, type SyncWorld, syncWorld } from '../../../harness/sync-world.ts';

const steps = (date: string, total: number) => ({
  date,
  metric_data: [{ type: 'steps', object: { values: [], total } }],
});

async function createWearer() {
  const world = syncWorld({ provider: 'ultrahuman' });
  const write = (total: number) =>
    world.fakeProvider.fixtures.write('ultrahuman', 'ann', { metrics: [steps('2026-03-12', total)] });
  write(100);
  const user = await world.user();
  const device = await world.connect(user, 'ann');
  // The backfill of several weeks takes several runs.
  for (let runs = 0; runs < 6; runs++) await world.passTime(minutes(1));
  return { world, user, device, write };
}

/** The minutes at which the provider was polled, checked every minute. */
async function recordPolls(world: SyncWorld, forMinutes: number, meanwhile: (minute: number) => void = () => {}) {
  const pollTimes: number[] = [];
  for (let minute = 1; minute <= forMinutes; minute++) {
    meanwhile(minute);
    const before = world.fakeProvider.requests.length;
    await world.passTime(minutes(1));
    if (world.fakeProvider.requests.length > before) pollTimes.push(minute);
  }
  return pollTimes;
}
const gaps = (at: readonly number[]) => at.slice(1).map((minute, i) => minute - (at[i] ?? 0));

test('a provider is polled every 15 minutes while its data changes, and the data is stored by then', async () => {
  const { world, user, write } = await createWearer();
  const at = await recordPolls(world, 120, (minute) => write(100 + minute));
  expect(at.length).toBeGreaterThanOrEqual(7);
  for (const gap of gaps(at)) expect([gap >= 13, gap <= 16], `${gaps(at)}`).toEqual([true, true]);
  const events = world.events('data.updated').filter((event) => event['user'] === user);
  expect(events.length).toBeGreaterThanOrEqual(7);
});

test('a provider without new data for two days is polled every hour until it has some, and then often again', async () => {
  const { world, user, device, write } = await createWearer();
  // Two days and some hours later, during the day.
  for (let hour = 0; hour < 51; hour++) await world.passTime(hours(1));
  const silent = await recordPolls(world, 150);
  for (const gap of gaps(silent)) expect(gap).toBeGreaterThanOrEqual(53);
  write(20_000);
  const [, ...after] = await recordPolls(world, 150);
  expect(after.length).toBeGreaterThanOrEqual(4);
  for (const gap of gaps(after)) expect(gap).toBeLessThanOrEqual(16);
  expect((await world.readConnection(user, device))?.lastChangeMs).toBeGreaterThan(world.clock.now() - hours(3));
});

test('a new date alone does not count as new data', async () => {
  const { world, user, device } = await createWearer();
  const before = (await world.readConnection(user, device))?.lastChangeMs;
  for (let hour = 0; hour < 30; hour++) await world.passTime(hours(1));
  expect((await world.readConnection(user, device))?.lastChangeMs).toBe(before);
});

const sleepNotification = (account: string, id: string) => ({
  ...{ event_type: 'update', data_type: 'sleep', object_id: id, user_id: account, event_time: 'now' },
});

async function createOuraWearer() {
  const world = syncWorld();
  const user = await world.user();
  const device = await world.connect(user, 'ann');
  for (let runs = 0; runs < 6; runs++) await world.passTime(minutes(1));
  const push = async (minute: number) => {
    world.fakeProvider.fixtures.write('oura', 'ann', { sleep: [ouraNight(`n${minute}`, '2026-03-12')] });
    await world.push(sleepNotification('ann', `n${minute}`));
    await world.processQueue();
  };
  return { world, user, device, push };
}

test('a connection whose provider should push and never did is polled every 15 minutes', async () => {
  const { world } = await createOuraWearer();
  const at = await recordPolls(world, 361);
  expect(at[0]).toBeLessThanOrEqual(15);
  for (const gap of gaps(at)) expect([gap >= 13, gap <= 16], `${gaps(at)}`).toEqual([true, true]);
});

test('a connection whose pushes arrive is not polled, and is polled every 15 minutes once none arrived for twice their distance', async () => {
  const { world, push } = await createOuraWearer();
  const whilePushed: number[] = [];
  for (let minute = 0; minute < 240; minute += 40) {
    await push(minute);
    whilePushed.push(...(await recordPolls(world, 40)));
  }
  expect(whilePushed).toEqual([]);
  const [first = 0, ...rest] = await recordPolls(world, 150);
  // The usual distance has come down from an hour toward 40 minutes.
  expect(first + 40).toBeGreaterThanOrEqual(80);
  expect(first + 40).toBeLessThanOrEqual(110);
  for (const gap of gaps([first, ...rest])) expect(gap).toBeLessThanOrEqual(16);
  await push(1_000);
  expect(await recordPolls(world, 60)).toEqual([]);
});

test('a day of polls takes 78 runs while the data changes all the time, as infra/decisions.md counts them', async () => {
  const { world, write } = await createWearer();
  const at = await recordPolls(world, 24 * 60, (minute) => write(100 + minute));
  expect(Math.abs(at.length - 78)).toBeLessThanOrEqual(3);
});
