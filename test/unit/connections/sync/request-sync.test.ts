import { expect, test } from 'vitest';
import { requestSync } from '../../../../shared/connections/sync/request-sync.ts';
import { syncRows } from '../../../../shared/connections/sync-rows.ts';
import { formatTimestamp } from '../../../../shared/platform/time/time.ts';
import { deviceRows } from '../../../../shared/users/device-rows.ts';
import { addDevice } from '../../../harness/stored-data.ts';
import { hours, minutes, ouraNight, syncWorld } from '../../../harness/sync-world.ts';

async function connectAnn() {
  const world = syncWorld();
  world.fakeProvider.fixtures.write('oura', 'ann', { sleep: [ouraNight('n1', '2026-03-11')] });
  const user = await world.user();
  const device = await world.connect(user, 'ann');
  await world.processQueue();
  await world.passTime(minutes(30));
  world.fakeProvider.requests.length = 0;
  const request = () => requestSync(world.deps, world.caller, user, device);
  return { world, user, device, request };
}

const dataRequests = ({ fakeProvider }: Awaited<ReturnType<typeof connectAnn>>['world']): number =>
  fakeProvider.requests.filter(({ path }) => path.includes('/usercollection/')).length;

test('a requested sync reads the newest days at once and polls no later than before', async () => {
  const { world, user, device, request } = await connectAnn();
  const before = await world.readConnection(user, device);
  world.fakeProvider.fixtures.write('oura', 'ann', {
    sleep: [ouraNight('n1', '2026-03-11'), ouraNight('n2', '2026-03-12')],
  });
  const resume = world.clock.freeze();
  expect(await request()).toEqual({ accepted: true, next_at: formatTimestamp(world.clock.now() + minutes(5)) });
  resume();
  expect(world.queued).toEqual([{ queue: 'connection', body: { user_id: user, device_id: device } }]);
  await world.processQueue();
  expect((await world.nights(user)).map(({ date }) => date)).toEqual(['2026-03-11', '2026-03-12']);
  const after = await world.readConnection(user, device);
  expect(after?.inbox).toEqual([]);
  expect(after?.pollMs).toBeGreaterThan(world.clock.now());
  expect(after?.pollMs).toBeLessThanOrEqual(before?.pollMs ?? 0);
  expect(after?.lastPollMs).toBeGreaterThan(before?.lastPollMs ?? 0);
});

test('a second request within five minutes asks nobody and says when the next one counts', async () => {
  const { world, request } = await connectAnn();
  const first = await request();
  await world.processQueue();
  const asked = dataRequests(world);
  expect(asked).toBeGreaterThan(0);
  world.clock.advance(minutes(4));
  expect(await request()).toEqual({ accepted: false, next_at: first.next_at });
  await world.processQueue();
  expect([dataRequests(world), world.queued]).toEqual([asked, []]);
  world.clock.advance(minutes(1));
  expect(await request()).toMatchObject({ accepted: true });
  await world.processQueue();
  expect(dataRequests(world)).toBe(2 * asked);
});

test('a request at the very moment that was named counts, and one millisecond earlier does not', async () => {
  const { world, user, device, request } = await connectAnn();
  world.clock.freeze();
  const { next_at } = await request();
  await world.processQueue();
  world.clock.advance(Date.parse(next_at) - world.clock.now() - 1);
  expect(await request()).toEqual({ accepted: false, next_at });
  world.clock.advance(1);
  expect(await request()).toMatchObject({ accepted: true });
  expect((await world.readConnection(user, device))?.inbox).toHaveLength(1);
});

test('a request whose message is lost is found by the schedule', async () => {
  const { world, request } = await connectAnn();
  await request();
  world.queued.length = 0;
  await world.passTime(minutes(4));
  expect(dataRequests(world)).toBeGreaterThan(0);
});

test('requests do not accumulate while the provider is unavailable', async () => {
  const { world, user, device, request } = await connectAnn();
  world.fakeProvider.fault(() => true, 'timeout');
  for (let at = 0; at < 60; at++) {
    expect(await request()).toMatchObject({ accepted: true });
    world.clock.advance(minutes(6));
  }
  expect((await world.readConnection(user, device))?.inbox).toHaveLength(50);
});

test.each([
  ['uploads_itself', { provider: 'apple_health', connection: 'sdk' }],
  ['push_only', { provider: 'garmin' }],
  ['pending', { status: 'pending' }],
  ['failed', { status: 'failed' }],
  ['disconnected', { status: 'disconnected' }],
  ['replaced', { status: 'replaced' }],
] as const)('a device that cannot be asked is a 409 that says why: %s', async (reason, overrides) => {
  const { world, user } = await connectAnn();
  const { id } = await addDevice(world.deps, user, overrides);
  await expect(requestSync(world.deps, world.caller, user, id)).rejects.toMatchObject({
    code: 'sync_not_possible',
    details: { reason },
  });
  expect(world.queued).toEqual([]);
});

test('a connection that ended in the meantime counts as disconnected', async () => {
  const { world, user, device, request } = await connectAnn();
  const row = await world.readConnection(user, device);
  if (!row) throw new Error('there is no connection');
  await world.table.write({ kind: 'delete', key: { pk: `U#${user.slice(4)}`, sk: `C#${device}` } });
  await expect(request()).rejects.toMatchObject({ code: 'sync_not_possible', details: { reason: 'disconnected' } });
  expect(await syncRows(world.deps.store).recordRequest({ user, device }, world.clock.now(), hours(1))).toBe(false);
});

test('a connection that is paused counts as disconnected, and keeps no request', async () => {
  const { world, user, device, request } = await connectAnn();
  const row = await world.readConnection(user, device);
  if (!row) throw new Error('there is no connection');
  expect(await syncRows(world.deps.store).pause(row, world.clock.now())).toBe(true);
  await expect(request()).rejects.toMatchObject({ code: 'sync_not_possible', details: { reason: 'disconnected' } });
  expect((await world.readConnection(user, device))?.inbox ?? []).toEqual([]);
});

test('a device that is being removed is not found', async () => {
  const { world, user } = await connectAnn();
  const row = await addDevice(world.deps, user, {});
  await world.deps.store.commit([deviceRows(world.deps.store).buildClose(user, row)]);
  await expect(requestSync(world.deps, world.caller, user, row.id)).rejects.toMatchObject({ code: 'not_found' });
});
