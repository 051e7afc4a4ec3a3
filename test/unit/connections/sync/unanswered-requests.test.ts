import { expect, test } from 'vitest';
import { listDevices } from '../../../../shared/users/devices.ts';
import { isDataCall } from '../../../harness/fake-provider.ts';
import { hours, minutes, ouraNight, syncWorld } from '../../../harness/sync-world.ts';

const broken = { status: 500, headers: {}, text: '' };
const sleepNotification = (id: string) => ({
  event_type: 'update',
  data_type: 'sleep',
  object_id: id,
  user_id: 'ann',
  event_time: '2026-03-12T12:00:00Z',
});

async function connectUser() {
  const world = syncWorld();
  const user = await world.user();
  const device = await world.connect(user, 'ann');
  await world.processQueue();
  world.fakeProvider.requests.length = 0;
  return { world, user, device };
}

test('an object that the provider never answers for holds up nothing else and is given up', async () => {
  const { world, user, device } = await connectUser();
  world.fakeProvider.fault(({ path }) => path.endsWith('/sleep/bad'), broken);
  await world.push(sleepNotification('bad'));
  await world.processQueue();
  world.fakeProvider.fixtures.write('oura', 'ann', { sleep: [ouraNight('good', '2026-02-12')] });
  await world.push(sleepNotification('good'));
  for (let i = 0; i < 3; i++) await world.passTime(minutes(1));
  expect((await world.nights(user)).map(({ id }) => id)).toEqual(['good']);
  for (let i = 0; i < 60; i++) await world.passTime(minutes(1));
  expect((await world.readConnection(user, device))?.inbox).toEqual([]);
  expect(world.fakeProvider.requests.filter(({ path }) => path.endsWith('/sleep/bad'))).toHaveLength(5);
  world.fakeProvider.requests.length = 0;
  await world.passTime(hours(7));
  expect(world.fakeProvider.requests.filter(isDataCall).length).toBeGreaterThan(0);
});

test('announced data is not given up while the provider answers nothing', async () => {
  const { world, user } = await connectUser();
  const end = world.fakeProvider.fault(isDataCall, broken);
  world.fakeProvider.fixtures.write('oura', 'ann', { sleep: [ouraNight('old', '2026-01-12')] });
  await world.push(sleepNotification('old'));
  for (let i = 0; i < 48; i++) await world.passTime(hours(1));
  end();
  for (let i = 0; i < 20; i++) await world.passTime(minutes(10));
  expect((await world.nights(user)).map(({ id }) => id)).toEqual(['old']);
});

test('a day that the provider fails on is quarantined and retried daily, and older days still arrive', async () => {
  const world = syncWorld();
  const user = await world.user();
  const device = await world.connect(user, 'ann');
  const nights = ['2026-03-10', '2026-01-15', '2026-01-01', '2025-09-20'].map((day) => ouraNight(day, day));
  world.fakeProvider.fixtures.write('oura', 'ann', { sleep: nights });
  const end = world.fakeProvider.fault(
    ({ path, query }) =>
      path.endsWith('/workout') && `${query['start_date']}` <= '2026-01-15' && `${query['end_date']}` >= '2026-01-15',
    broken,
  );
  for (let i = 0; i < 90; i++) await world.passTime(minutes(1));
  expect((await world.nights(user)).map(({ id }) => id)).toEqual(['2025-09-20', '2026-01-01', '2026-03-10']);
  const [shown] = await listDevices(world.deps, world.caller, user);
  expect(shown?.sync?.state).toBe('waiting');
  expect(shown?.sync?.done).toBeGreaterThan(0.95);
  expect(shown?.sync?.done).toBeLessThan(1);
  const { quarantineMs = 0 } = (await world.readConnection(user, device)) ?? {};
  await world.passTime(quarantineMs - world.clock.now() - minutes(1));
  world.fakeProvider.requests.length = 0;
  await world.passTime(minutes(2));
  expect(world.fakeProvider.requests.filter(({ path }) => path.endsWith('/workout')).length).toBeGreaterThan(0);
  world.fakeProvider.requests.length = 0;
  await world.passTime(hours(30));
  expect(world.fakeProvider.requests.filter(({ path }) => path.endsWith('/workout')).length).toBeGreaterThan(0);
  expect(world.fakeProvider.requests.length).toBeLessThan(60);
  end();
  for (let i = 0; i < 3; i++) await world.passTime(hours(15));
  expect((await world.nights(user)).map(({ id }) => id)).toContain('2026-01-15');
  expect(await world.readConnection(user, device)).toMatchObject({ quarantined: [], history: null, failures: 0 });
  const [after] = await listDevices(world.deps, world.caller, user);
  expect(after?.sync).toMatchObject({ state: 'current', done: 1 });
});

test('a provider too slow for a single window is called less and less often', async () => {
  const world = syncWorld();
  const user = await world.user();
  const device = await world.connect(user, 'ann');
  world.fakeProvider.beforeReply = async () => void world.clock.advance(9_500);
  for (let i = 0; i < 120; i++) {
    await world.passTime(minutes(1));
    // Without backoff it is woken again and again.
    if (world.fakeProvider.requests.filter(isDataCall).length > 100) break;
  }
  expect(await world.readConnection(user, device)).toMatchObject({ stride: 1 });
  expect(world.fakeProvider.requests.filter(isDataCall).length).toBeLessThan(60);
  expect((await world.readConnection(user, device))?.failures).toBeGreaterThan(3);
});

test('announced data is not given up because of a rate limit', async () => {
  const { world, user } = await connectUser();
  const tooMany = { status: 429, headers: { 'retry-after': '60' }, text: '' };
  const end = world.fakeProvider.fault(({ path }) => path.endsWith('/sleep/old'), tooMany);
  world.fakeProvider.fixtures.write('oura', 'ann', { sleep: [ouraNight('old', '2026-01-12')] });
  await world.push(sleepNotification('old'));
  for (let i = 0; i < 24; i++) await world.passTime(hours(1));
  end();
  for (let i = 0; i < 20; i++) await world.passTime(minutes(10));
  expect((await world.nights(user)).map(({ id }) => id)).toEqual(['old']);
});
