import { expect, test } from 'vitest';
import { beginConnection } from '../../../../shared/connections/connect/begin-connection.ts';
import { acceptRecords } from '../../../../shared/pipeline/accept-records.ts';
import { providerDescriptors } from '../../../../shared/providers/catalog.ts';
import { toRawPages } from '../../../../shared/providers/kit/provider-pages.ts';
import { getAuthorizedUserContext } from '../../../../shared/users/authorized-user.ts';
import { listDevices } from '../../../../shared/users/devices.ts';
import { noInitiator } from '../../../harness/browser.ts';
import { isDataCall } from '../../../harness/fake-provider.ts';
import { printLog } from '../../../harness/print-log.ts';
import { hours, minutes, ouraNight, type SyncWorld, syncWorld } from '../../../harness/sync-world.ts';

const readDevice = async ({ deps, caller }: SyncWorld, user: string) => (await listDevices(deps, caller, user))[0];

test('a new connection fetches its history, newest days first, and shows its progress', async () => {
  const world = syncWorld();
  const user = await world.user();
  world.fakeProvider.fixtures.write('oura', 'ann', {
    sleep: [ouraNight('n1', '2026-03-12'), ouraNight('n2', '2025-12-01'), ouraNight('n3', '2025-09-20')],
  });
  const device = await world.connect(user, 'ann');
  const seen: (number | undefined)[] = [];
  world.fakeProvider.beforeReply = async ({ path }) => {
    if (path.endsWith('/sleep')) seen.push((await readDevice(world, user))?.sync?.done);
  };
  await world.processQueue();
  expect(await world.nights(user)).toEqual([
    { date: '2025-09-20', start: '2025-09-19T23:00:00.000Z', id: 'n3' },
    { date: '2025-12-01', start: '2025-11-30T23:00:00.000Z', id: 'n2' },
    { date: '2026-03-12', start: '2026-03-11T23:00:00.000Z', id: 'n1' },
  ]);
  const requested = world.fakeProvider.requests
    .filter(({ path }) => path.endsWith('/sleep'))
    .map(({ query }) => query['end_date']);
  expect(requested).toEqual([...new Set(requested)].sort().reverse());
  const { historyDays, sync } = providerDescriptors.oura;
  const days = historyDays + 1;
  const windows = Array.from({ length: Math.ceil(days / sync.windowDays) }, (_, at) => (at * sync.windowDays) / days);
  expect(seen).toEqual(windows.map((share) => Math.round(share * 100) / 100));
  expect(await readDevice(world, user)).toMatchObject({
    id: device,
    status: 'active',
    sync: { state: 'current', from: '2025-09-13', to: '2026-03-12', done: 1 },
    last_sync_at: expect.stringMatching(/^2026-03-12T12:00:00/),
  });
});

test('a connection that was never pushed anything is polled after 15 minutes, for the last days only', async () => {
  const world = syncWorld();
  const user = await world.user();
  await world.connect(user, 'ann');
  await world.processQueue();
  const before = world.fakeProvider.requests.length;
  await world.passTime(minutes(12));
  expect(world.fakeProvider.requests.length).toBe(before);
  world.fakeProvider.fixtures.write('oura', 'ann', { sleep: [ouraNight('n1', '2026-03-12')] });
  await world.passTime(minutes(3));
  const requested = world.fakeProvider.requests.slice(before).filter(({ path }) => path.endsWith('/sleep'));
  expect(requested.map(({ query }) => query)).toEqual([{ start_date: '2026-03-07', end_date: '2026-03-14' }]);
  expect((await world.nights(user)).map(({ id }) => id)).toEqual(['n1']);
});

test('a poll that finds nothing new updates last_sync_at', async () => {
  const world = syncWorld();
  // Two polls fit into what is left of the day there, and the second returns the same as the first.
  const user = await world.user({ timezone: 'Pacific/Honolulu' });
  await world.connect(user, 'ann');
  await world.processQueue();
  world.clock.freeze();
  for (let poll = 0; poll < 2; poll++) {
    await world.passTime(hours(7));
    expect((await readDevice(world, user))?.last_sync_at).toBe(new Date(world.clock.now()).toISOString());
  }
});

test('an outage loses no window and is retried with growing backoff', async () => {
  const world = syncWorld();
  const user = await world.user();
  world.fakeProvider.fixtures.write('oura', 'ann', {
    sleep: [ouraNight('n1', '2026-03-12'), ouraNight('n2', '2025-10-01')],
  });
  await world.connect(user, 'ann');
  const badGateway = { status: 502, headers: {}, text: '' };
  let isAway = false;
  const end = world.fakeProvider.fault(({ query }) => {
    isAway ||= (query['end_date'] ?? '9') < '2025-12-01';
    return isAway;
  }, badGateway);
  await world.processQueue();
  const { done = 0, state } = (await readDevice(world, user))?.sync ?? {};
  expect([state, done > 0.5, done < 0.7]).toEqual(['waiting', true, true]);
  const answered = (await readDevice(world, user))?.last_sync_at;
  world.fakeProvider.times.length = 0;
  for (let i = 0; i < 300; i++) await world.passTime(minutes(1));
  const { times } = world.fakeProvider;
  const pauses = times.slice(1).map((ms, at) => ms - (times[at] ?? 0));
  expect(Math.max(...pauses)).toBeGreaterThan(minutes(30));
  expect(times.length).toBeLessThan(30);
  expect((await readDevice(world, user))?.last_sync_at).toBe(answered);
  end();
  for (let i = 0; i < 100; i++) await world.passTime(minutes(1));
  expect((await world.nights(user)).map(({ id }) => id)).toEqual(['n2', 'n1']);
  expect((await readDevice(world, user))?.sync).toMatchObject({ state: 'current', done: 1 });
});

test('a rate-limited provider is paused for all connections that share its limit', async () => {
  const world = syncWorld();
  const [ann, bob] = [await world.user(), await world.user()];
  await world.connect(ann, 'ann');
  const tooMany = { status: 429, headers: { 'retry-after': '1800' }, text: '' };
  world.fakeProvider.fault(isDataCall, tooMany, 1);
  await world.processQueue();
  await world.connect(bob, 'bob');
  await world.processQueue();
  expect(
    world.fakeProvider.requests.filter(isDataCall).filter(({ path }) => !path.endsWith('personal_info')),
  ).toHaveLength(1);
  world.fakeProvider.requests.length = 0;
  await world.passTime(minutes(25));
  expect(world.fakeProvider.requests).toEqual([]);
  for (let i = 0; i < 60; i++) await world.passTime(minutes(1));
  expect((await readDevice(world, ann))?.sync?.state).toBe('current');
  expect((await readDevice(world, bob))?.sync?.state).toBe('current');
});

test('a run that could not begin keeps its window size', async () => {
  const world = syncWorld();
  const [ann, bob] = [await world.user(), await world.user()];
  await world.connect(ann, 'ann');
  world.fakeProvider.fault(isDataCall, { status: 429, headers: { 'retry-after': '1800' }, text: '' }, 1);
  await world.processQueue();
  const device = await world.connect(bob, 'bob');
  await world.processQueue();
  for (let i = 0; i < 5; i++) await world.passTime(minutes(5));
  expect(await world.readConnection(bob, device)).toMatchObject({ history: { to: '2026-03-12' } });
  expect((await world.readConnection(bob, device))?.stride).toBeUndefined();
});

test('data that arrives during a poll counts as newer: the poll is repeated, and nothing has failed', async () => {
  const world = syncWorld();
  const user = await world.user();
  await world.connect(user, 'ann');
  await world.processQueue();
  world.fakeProvider.requests.length = 0;
  let left = 3;
  world.fakeProvider.beforeReply = async ({ path }) => {
    if (!path.endsWith('/sleep') || left-- <= 0) return;
    world.clock.advance(1);
    const context = await getAuthorizedUserContext(world.deps, world.caller, user);
    const sent = { requested: null, pages: [{ resource: 'push', text: JSON.stringify({ left }) }] };
    const raw = toRawPages(
      { source: 'oura', format: providerDescriptors.oura.format, timeZone: 'UTC' },
      sent,
      '2026-03-12',
    );
    const batches = context.devices.map((device) => ({ device, raw, scopes: [] }));
    await acceptRecords(world.deps, user, world.clock.now(), batches);
  };
  await world.passTime(hours(7));
  expect(world.fakeProvider.requests.filter(({ path }) => path.endsWith('/sleep'))).toHaveLength(3);
  expect((await readDevice(world, user))?.sync?.state).toBe('current');
  expect(world.log.filter(({ level }) => level === 'error')).toEqual([]);
  await world.passTime(minutes(1));
  expect(world.fakeProvider.requests.filter(({ path }) => path.endsWith('/sleep'))).toHaveLength(4);
});

test('an unexpected response is shown as a failure and retried later, never in a tight loop', async () => {
  const world = syncWorld();
  const user = await world.user();
  await world.connect(user, 'account-of-ann');
  const end = world.fakeProvider.fault(isDataCall, { status: 418, headers: {}, text: '' });
  await world.processQueue();
  expect((await readDevice(world, user))?.sync?.state).toBe('failed');
  for (let i = 0; i < 300; i++) await world.passTime(minutes(1));
  expect(world.fakeProvider.requests.filter(isDataCall).length).toBeLessThan(30);
  expect(printLog(world.log)).not.toContain('account-of-ann');
  end();
  for (let i = 0; i < 100; i++) await world.passTime(minutes(1));
  expect((await readDevice(world, user))?.sync?.state).toBe('current');
});

test('a window whose responses time out is requested in smaller parts', async () => {
  const world = syncWorld();
  const user = await world.user();
  world.fakeProvider.fixtures.write('oura', 'ann', { sleep: [ouraNight('n1', '2026-03-01')] });
  await world.connect(user, 'ann');
  const days = (query: Readonly<Record<string, string>>) =>
    (Date.parse(query['end_date'] ?? '') - Date.parse(query['start_date'] ?? '')) / hours(24);
  world.fakeProvider.fault(({ query }) => days(query) > 20, 'timeout');
  await world.processQueue();
  for (let i = 0; i < 300; i++) await world.passTime(minutes(1));
  expect((await world.nights(user)).map(({ id }) => id)).toEqual(['n1']);
  expect((await readDevice(world, user))?.sync).toMatchObject({ state: 'current', done: 1 });
});

test('an unused link is given up when it expires', async () => {
  const world = syncWorld();
  const user = await world.user();
  await world.connect(user, 'ann');
  const context = await getAuthorizedUserContext(world.deps, world.caller, user);
  const requested = { provider: 'oura', redirectUrl: null, returnTo: null, origin: 'https://day.example' } as const;
  const started = await beginConnection(world.deps, context.user, context.devices, { ...requested, ...noInitiator });
  const { id } = started.pending;
  await world.passTime(minutes(14));
  expect((await listDevices(world.deps, world.caller, user)).find((each) => each.id === id)?.status).toBe('pending');
  await world.passTime(minutes(2));
  const device = (await listDevices(world.deps, world.caller, user)).find((each) => each.id === id);
  expect(device).toMatchObject({ status: 'failed', error: 'link_expired' });
  expect(await world.readConnection(user, id)).toBeUndefined();
});
