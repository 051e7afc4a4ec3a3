import { expect, test } from 'vitest';
import { maxNotifications } from '../../../../shared/connections/sync-rows.ts';
import { Failure } from '../../../../shared/system/failure.ts';
import { listDevices } from '../../../../shared/users/devices.ts';
import { isDataCall } from '../../../harness/fake-provider.ts';
import { hours, minutes, ouraNight, signPush } from '../../../harness/sync-world.ts';
import { connectAccounts, sleepNotification, testOrders } from './pushed-nights.ts';

test('the data that a push announces is read at once, and nothing else', async () => {
  const { world, user } = await connectAccounts();
  world.fakeProvider.fixtures.write('oura', 'ann', { sleep: [ouraNight('n1', '2026-02-20')] });
  expect(await world.push(sleepNotification('ann', 'n1'))).toEqual({ status: 200 });
  await world.processQueue();
  expect((await world.nights(user)).map(({ id }) => id)).toEqual(['n1']);
  const requestedRanges = world.fakeProvider.requests
    .filter(({ path }) => path.endsWith('/daily_activity'))
    .map(({ query }) => query);
  expect(requestedRanges).toEqual([{ start_date: '2026-02-17', end_date: '2026-02-23' }]);
});

test('a push with a wrong, old or missing signature is rejected, and nothing is recorded', async () => {
  const { world } = await connectAccounts();
  const before = structuredClone(world.table.rows());
  const good = signPush(world.fakeProvider.credentials.clientSecret, sleepNotification('ann', 'n1'), world.clock.now());
  const forged = { ...good.headers, 'x-oura-signature': `0${String(good.headers['x-oura-signature']).slice(1)}1` };
  const old = signPush(
    world.fakeProvider.credentials.clientSecret,
    sleepNotification('ann', 'n1'),
    world.clock.now() - hours(5),
  );
  for (const more of [{ headers: forged }, { headers: {} }, { headers: old.headers }, { body: Buffer.from('{}') }]) {
    const refusal = world.push(sleepNotification('ann', 'n1'), more);
    await expect(refusal).rejects.toBeInstanceOf(Failure);
    await expect(refusal).rejects.toMatchObject({ code: 'unauthorized' });
  }
  expect([world.table.rows(), world.queued]).toEqual([before, []]);
});

test('a push for an account that nobody has linked is acknowledged and wakes no worker', async () => {
  const { world } = await connectAccounts();
  expect(await world.push(sleepNotification('stranger', 'n1'))).toEqual({ status: 200 });
  expect(world.queued).toEqual([]);
});

test('a repeated push is ignored', async () => {
  const { world } = await connectAccounts();
  world.fakeProvider.fixtures.write('oura', 'ann', { sleep: [ouraNight('n1', '2026-03-12')] });
  await world.push(sleepNotification('ann', 'n1'));
  await world.processQueue();
  world.fakeProvider.requests.length = 0;
  expect(await world.push(sleepNotification('ann', 'n1'))).toEqual({ status: 200 });
  expect(world.queued).toEqual([]);
  await world.push(sleepNotification('ann', 'n1', { event_time: '2026-03-12T12:01:00Z' }));
  expect(world.queued).toHaveLength(1);
});

test('a push is accepted while the provider is down, and its data arrives once the provider is back', async () => {
  const { world, user } = await connectAccounts();
  const end = world.fakeProvider.fault(isDataCall, 'timeout');
  world.fakeProvider.fixtures.write('oura', 'ann', { sleep: [ouraNight('n1', '2026-01-20')] });
  expect(await world.push(sleepNotification('ann', 'n1'))).toEqual({ status: 200 });
  await world.processQueue();
  for (let i = 0; i < 10; i++) await world.passTime(minutes(1));
  expect(await world.nights(user)).toEqual([]);
  expect((await listDevices(world.deps, world.caller, user))[0]?.sync?.state).toBe('waiting');
  end();
  for (let i = 0; i < 60; i++) await world.passTime(minutes(1));
  expect((await world.nights(user)).map(({ id }) => id)).toEqual(['n1']);
});

test('an account linked by two users feeds both', async () => {
  const { world, users } = await connectAccounts(['ann', 'ann', 'bob']);
  world.fakeProvider.fixtures.write('oura', 'ann', { sleep: [ouraNight('n1', '2026-03-12')] });
  await world.push(sleepNotification('ann', 'n1'));
  await world.processQueue();
  const nights = await Promise.all(users.map((user) => world.nights(user)));
  expect(nights.map((found) => found.length)).toEqual([1, 1, 0]);
});

test('a night deleted at the provider is deleted here, and a night that moved exists once', async () => {
  const { world, user } = await connectAccounts();
  world.fakeProvider.fixtures.write('oura', 'ann', {
    sleep: [ouraNight('n1', '2026-02-20'), ouraNight('n2', '2026-02-25')],
  });
  await world.push(sleepNotification('ann', 'n1'));
  await world.push(sleepNotification('ann', 'n2'));
  await world.processQueue();
  expect(await world.nights(user)).toHaveLength(2);
  const shorter = { total_sleep_duration: 18_000, time_in_bed: 23_400 };
  const moved = ouraNight('n2', '2026-02-25', { bedtime_start: '2026-02-25T00:30:00+00:00', ...shorter });
  world.fakeProvider.fixtures.write('oura', 'ann', { sleep: [moved] });
  await world.push(sleepNotification('ann', 'n1', { event_type: 'delete', event_time: '2026-03-12T12:02:00Z' }));
  await world.push(sleepNotification('ann', 'n2', { event_time: '2026-03-12T12:02:00Z' }));
  await world.processQueue();
  expect(await world.nights(user)).toEqual([{ date: '2026-02-25', start: '2026-02-25T00:30:00.000Z', id: 'n2' }]);
});

test('when a night moves, the day it left is read again too', async () => {
  const { world } = await connectAccounts();
  world.fakeProvider.fixtures.write('oura', 'ann', { sleep: [ouraNight('n1', '2026-02-05')] });
  await world.push(sleepNotification('ann', 'n1'));
  await world.processQueue();
  world.fakeProvider.requests.length = 0;
  world.fakeProvider.fixtures.write('oura', 'ann', { sleep: [ouraNight('n1', '2026-02-25')] });
  await world.push(sleepNotification('ann', 'n1', { event_time: '2026-03-12T12:02:00Z' }));
  await world.processQueue();
  const requestedRanges = world.fakeProvider.requests
    .filter(({ path }) => path.endsWith('/daily_activity'))
    .map(({ query }) => query);
  const isRequested = (day: string) =>
    requestedRanges.some(({ start_date: from = '', end_date: to = '' }) => from <= day && day <= to);
  expect(['2026-02-05', '2026-02-25'].filter(isRequested)).toEqual(['2026-02-05', '2026-02-25']);
});

test('the last days are read after the deletion of an unknown night', async () => {
  const { world } = await connectAccounts();
  await world.push(sleepNotification('ann', 'n1', { event_type: 'delete' }));
  await world.processQueue();
  const requestedRanges = world.fakeProvider.requests
    .filter(({ path }) => path.endsWith('/sleep'))
    .map(({ query }) => query);
  expect(requestedRanges).toEqual([{ start_date: '2026-03-07', end_date: '2026-03-14' }]);
});

test('more pushes than the inbox holds become one read of the last weeks', async () => {
  const { world, user } = await connectAccounts();
  const nights = Array.from({ length: 70 }, (_, at) =>
    ouraNight(`n${at}`, '2026-03-01', {
      bedtime_start: `2026-02-28T20:${String(at % 60).padStart(2, '0')}:${at < 60 ? '00' : '30'}+00:00`,
    }),
  );
  world.fakeProvider.fixtures.write('oura', 'ann', { sleep: nights });
  for (let at = 0; at < 70; at++) await world.push(sleepNotification('ann', `n${at}`));
  await world.processQueue();
  expect(await world.nights(user)).toHaveLength(70);
  expect(world.fakeProvider.requests.length).toBeLessThan(60);
});

test('data pushed during a read is read afterwards', async () => {
  const { world, user } = await connectAccounts();
  world.fakeProvider.fixtures.write('oura', 'ann', { sleep: [ouraNight('n1', '2026-03-12')] });
  await world.push(sleepNotification('ann', 'n1'));
  let isFirst = true;
  world.fakeProvider.beforeReply = async ({ path }) => {
    if (!isFirst || !path.endsWith('/heartrate')) return;
    isFirst = false;
    world.fakeProvider.fixtures.write('oura', 'ann', {
      sleep: [ouraNight('n1', '2026-03-12'), ouraNight('n2', '2026-03-11')],
    });
    await world.push(sleepNotification('ann', 'n2'));
  };
  await world.processQueue();
  expect((await world.nights(user)).map(({ id }) => id).sort()).toEqual(['n1', 'n2']);
});

test('the notification that replaces too many pushes during a read is read afterwards', async () => {
  const { world, user } = await connectAccounts();
  await world.push(sleepNotification('ann', 'n1'));
  let isFirst = true;
  world.fakeProvider.beforeReply = async ({ path }) => {
    if (!isFirst || !path.endsWith('/heartrate')) return;
    isFirst = false;
    world.fakeProvider.fixtures.write('oura', 'ann', { sleep: [ouraNight('weeks ago', '2026-02-20')] });
    for (let at = 0; at < maxNotifications; at++) await world.push(sleepNotification('ann', `x${at}`));
  };
  await world.processQueue();
  expect((await world.nights(user)).map(({ id }) => id)).toEqual(['weeks ago']);
});

testOrders(6);
