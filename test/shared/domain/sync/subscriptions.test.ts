import { expect, test } from 'vitest';
import { keepSubscribed } from '../../../../shared/domain/sync/keep-subscribed.ts';
import type { VendorCall } from '../../../../shared/sandbox/cloud/call.ts';
import { hours, minutes, syncWorld } from '../../../harness/sync-world.ts';

const subscribing = ({ path, method }: VendorCall): boolean =>
  path.includes('/webhook/subscription') && method === 'POST';
const days = (count: number): number => hours(24 * count);

test('a vendor is asked for pushes once for everybody, when the first person is connected, and again in time', async () => {
  const world = syncWorld();
  const [ann, bob] = [await world.user(), await world.user()];
  await world.connect(ann, 'ann');
  await world.work();
  const made = world.vendor.requests.filter(subscribing);
  expect(made).toHaveLength(18);
  expect(made[0]?.json).toMatchObject({ callback_url: 'https://day.example/v1/providers/oura/push' });
  await world.connect(bob, 'bob');
  await world.work();
  await Promise.all([1, 2, 3].map(() => keepSubscribed(world.deps, 'oura', 'live')));
  expect(world.vendor.requests.filter(subscribing)).toHaveLength(18);
  await world.later(days(61));
  expect(world.vendor.requests.filter(({ path }) => path.includes('/webhook/subscription')).length).toBeGreaterThan(30);
});

test('a vendor that refuses to be asked is asked later, and its people are polled meanwhile', async () => {
  const world = syncWorld();
  const user = await world.user();
  const end = world.vendor.fault(({ path }) => path.includes('/webhook/'), { status: 500, headers: {}, text: '' });
  await world.connect(user, 'ann');
  await world.work();
  for (let i = 0; i < 120; i++) await world.later(minutes(5));
  const tried = world.vendor.requests.filter(({ path }) => path.includes('/webhook/')).length;
  expect([tried > 5, tried < 30]).toEqual([true, true]);
  expect(world.vendor.requests.filter(({ path }) => path.endsWith('/sleep')).length).toBeGreaterThan(13);
  end();
  for (let i = 0; i < 30; i++) await world.later(minutes(5));
  expect(world.vendor.requests.filter(subscribing)).toHaveLength(18);
});
