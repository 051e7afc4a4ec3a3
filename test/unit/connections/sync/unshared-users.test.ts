// While a user shares nothing, no provider is polled and no push is stored. When they share again,
// everything missed is read.
import { expect, test } from 'vitest';
import { createAccount } from '../../../../shared/accounts/accounts.ts';
import type { CloudProviderId } from '../../../../shared/catalog/provider.ts';
import { disconnectDevice } from '../../../../shared/connections/disconnect.ts';
import { syncConnection } from '../../../../shared/connections/sync/sync-connection.ts';
import { maxNotifications } from '../../../../shared/connections/sync-rows.ts';
import type { Caller } from '../../../../shared/system/caller.ts';
import { userPartition } from '../../../../shared/system/keys.ts';
import { removeMember } from '../../../../shared/team/members.ts';
import { listDevices } from '../../../../shared/users/devices.ts';
import { isDataCall, isRefreshCall } from '../../../harness/fake-provider.ts';
import { oneTo } from '../../../harness/outbox.ts';
import { runWriter } from '../../../harness/run-writer.ts';
import { hours, minutes, ouraNight, type SyncWorld, syncWorld } from '../../../harness/sync-world.ts';
import { createMember } from '../../../harness/team-members.ts';
import { sleepNotification } from './pushed-nights.ts';

interface SharingUser {
  world: SyncWorld;
  user: string;
  device: string;
  caller: Caller;
  leave(): Promise<void>;
  comeBack(): Promise<void>;
}

/** A member with a connected account, whose history is fetched unless `isSynced` is false. */
async function createSharingUser({
  provider,
  isSynced = true,
}: {
  provider?: CloudProviderId;
  isSynced?: boolean;
} = {}): Promise<SharingUser> {
  const world = syncWorld(provider ? { provider } : {});
  const { account_id: account } = await createAccount(world.deps, { name: 'The Lab' });
  const caller: Caller = { ...world.caller, account };
  let { user, member } = await createMember(world.deps, account);
  const device = await world.connect(user, 'ann');
  if (isSynced) await world.processQueue();
  return {
    world,
    user,
    device,
    caller,
    leave: () => removeMember(world.deps, caller, member),
    async comeBack() {
      ({ user, member } = await createMember(world.deps, account, { user_id: user }));
    },
  };
}

const nightsOf = async ({ world, user }: SharingUser) => (await world.nights(user)).map(({ id }) => id).sort();
const countDataEvents = ({ world }: SharingUser) => world.events('data.updated').length;
/**
 * What the due index holds for the user, except scores and the outbox, which are not processed
 * here.
 */
const listPending = ({ world, user }: SharingUser) =>
  world.table
    .rows()
    .filter(({ pk, duePk }) => pk === userPartition(user) && duePk !== undefined)
    .map(({ sk }) => String(sk))
    .filter((sk) => !/^(A|OUT)#/.test(sk));

test('polls pause: no provider is called, nothing is pending and the sweep finds nothing', async () => {
  const sharingUser = await createSharingUser();
  const { world, user, device } = sharingUser;
  await sharingUser.leave();
  const before = await world.readConnection(user, device);
  world.fakeProvider.requests.length = 0;
  world.fakeProvider.fixtures.write('oura', 'ann', { sleep: [ouraNight('n1', '2026-03-12')] });
  for (const _ of oneTo(12)) await world.passTime(hours(5));
  expect(world.fakeProvider.requests).toEqual([]);
  expect(listPending(sharingUser)).toEqual([]);
  expect((await world.readConnection(user, device))?.fence).toBe(before?.fence);
  expect([await nightsOf(sharingUser), countDataEvents(sharingUser)]).toEqual([[], 0]);
});

test('when the user shares again, data is polled at once from the days before the pause, and an event reports it', async () => {
  const sharingUser = await createSharingUser();
  const { world } = sharingUser;
  await sharingUser.leave();
  await world.passTime(hours(5 * 24));
  const days = ['2026-03-11', '2026-03-12', '2026-03-13', '2026-03-15', '2026-03-17'];
  world.fakeProvider.fixtures.write('oura', 'ann', { sleep: days.map((day) => ouraNight(`n-${day}`, day)) });
  world.fakeProvider.requests.length = 0;
  await sharingUser.comeBack();
  await world.passTime(minutes(1));
  expect(await nightsOf(sharingUser)).toEqual(days.map((day) => `n-${day}`));
  const requested = world.fakeProvider.requests.filter(({ path }) => path.endsWith('/sleep')).map(({ query }) => query);
  expect(requested.map((query) => query['start_date']).sort()[0]).toBe('2026-03-06');
  expect(countDataEvents(sharingUser)).toBe(1);
  world.fakeProvider.requests.length = 0;
  await world.passTime(hours(7));
  expect(world.fakeProvider.requests.length).toBeGreaterThan(0);
});

test('pushes are acknowledged and dropped, and what was announced before the pause is read afterwards', async () => {
  const sharingUser = await createSharingUser();
  const { world, user, device } = sharingUser;
  world.fakeProvider.fixtures.write('oura', 'ann', {
    sleep: [ouraNight('early', '2026-01-20'), ouraNight('late', '2026-03-12')],
  });
  await world.push(sleepNotification('ann', 'early'));
  world.queued.length = 0;
  await sharingUser.leave();
  world.fakeProvider.requests.length = 0;
  await world.push(sleepNotification('ann', 'late'));
  await world.processQueue();
  const before = await world.readConnection(user, device);
  for (const n of oneTo(2 * maxNotifications))
    expect(await world.push(sleepNotification('ann', 'late', { event_time: `t${n}` }))).toEqual({ status: 200 });
  expect(world.queued).toEqual([]);
  expect(await world.readConnection(user, device)).toEqual(before);
  await world.passTime(hours(30));
  expect([world.fakeProvider.requests, await nightsOf(sharingUser)]).toEqual([[], []]);
  await sharingUser.comeBack();
  await world.passTime(minutes(1));
  await world.passTime(minutes(1));
  expect(await nightsOf(sharingUser)).toEqual(['early', 'late']);
});

test('an unfinished backfill resumes where it stopped', async () => {
  const all = ['2026-03-12', '2026-02-20', '2026-01-10', '2025-11-05', '2025-09-20'];
  for (const at of [1, 9, 30, 60]) {
    const sharingUser = await createSharingUser({ isSynced: false });
    const { world, user } = sharingUser;
    world.fakeProvider.fixtures.write('oura', 'ann', { sleep: all.map((day) => ouraNight(`n-${day}`, day)) });
    let responseCount = 0;
    let eventsBefore = 0;
    world.fakeProvider.beforeReply = async (call) => {
      if (!isDataCall(call) || ++responseCount !== at) return;
      await runWriter(world.deps, user);
      await sharingUser.leave();
      eventsBefore = countDataEvents(sharingUser);
    };
    await world.processQueue();
    expect(responseCount, `left at answer ${at}`).toBeGreaterThanOrEqual(at);
    const requested = responseCount;
    for (const _ of oneTo(3)) await world.passTime(hours(5));
    expect([countDataEvents(sharingUser), listPending(sharingUser)], `left at answer ${at}`).toEqual([
      eventsBefore,
      [],
    ]);
    // Requests that were under way are at most the rest of one window.
    expect(responseCount - requested, `left at answer ${at}`).toBe(0);
    expect(requested - at).toBeLessThan(8);
    await sharingUser.comeBack();
    for (const _ of oneTo(4)) await world.passTime(minutes(1));
    expect(await nightsOf(sharingUser), `left at answer ${at}`).toEqual(all.map((day) => `n-${day}`).sort());
    const [shown] = await listDevices(world.deps, sharingUser.caller, user);
    expect(shown, `left at answer ${at}`).toMatchObject({ sync: { state: 'current', done: 1 } });
  }
});

test('a token that was being refreshed is stored, and is valid when the user shares again', async () => {
  const sharingUser = await createSharingUser();
  const { world, user, device } = sharingUser;
  const before = (await world.readConnection(user, device))?.grant;
  world.clock.advance(hours(30));
  let left = false;
  world.fakeProvider.beforeReply = async (call) => {
    if (!isRefreshCall(call) || left) return;
    left = true;
    await sharingUser.leave();
  };
  await world.passTime(0);
  expect(left).toBe(true);
  const storedGrant = (await world.readConnection(user, device))?.grant;
  expect(storedGrant).not.toBe(before);
  for (const _ of oneTo(3)) await world.passTime(hours(1));
  expect((await world.readConnection(user, device))?.grant).toBe(storedGrant);
  world.fakeProvider.requests.length = 0;
  await sharingUser.comeBack();
  await world.passTime(minutes(1));
  expect(world.fakeProvider.requests.filter(isRefreshCall)).toEqual([]);
  expect(world.fakeProvider.requests.length).toBeGreaterThan(0);
  expect(world.events('device.disconnected')).toEqual([]);
});

test('a worker that is about to pause leaves the connection due if the user shares again in the meantime', async () => {
  const sharingUser = await createSharingUser();
  const { world, user, device } = sharingUser;
  await sharingUser.leave();
  world.clock.advance(hours(7));
  let hasComeBack = false;
  const slowDeps = world.withTable({
    ...world.table,
    async write(write) {
      if (!hasComeBack && write.kind === 'update' && write.update.includes('pausedMs')) {
        hasComeBack = true;
        await sharingUser.comeBack();
      }
      return world.table.write(write);
    },
  });
  world.fakeProvider.requests.length = 0;
  await syncConnection(slowDeps, user, device);
  expect(hasComeBack).toBe(true);
  await world.processQueue();
  expect(world.fakeProvider.requests.length).toBeGreaterThan(0);
  expect((await world.readConnection(user, device))?.pausedMs).toBeUndefined();
});

test('a device can be disconnected while polls are paused, and its consent is revoked', async () => {
  const sharingUser = await createSharingUser();
  const { world, user, device, caller } = sharingUser;
  await sharingUser.leave();
  await world.passTime(hours(7));
  await disconnectDevice(world.deps, caller, user, device);
  await world.passTime(minutes(5));
  expect([await world.readConnection(user, device), await world.pendingRevocation(user, device)]).toEqual([
    undefined,
    undefined,
  ]);
  expect(world.events('device.disconnected')).toHaveLength(1);
  await sharingUser.comeBack();
  await world.passTime(hours(7));
  expect(await listDevices(world.deps, caller, user)).toEqual([]);
});

test('an account linked by two users feeds the one who still shares', async () => {
  const sharingUser = await createSharingUser();
  const { world } = sharingUser;
  const other = await world.user();
  await world.connect(other, 'ann');
  await world.processQueue();
  await sharingUser.leave();
  world.fakeProvider.fixtures.write('oura', 'ann', { sleep: [ouraNight('n1', '2026-03-12')] });
  await world.push(sleepNotification('ann', 'n1'));
  await world.processQueue();
  expect([await nightsOf(sharingUser), (await world.nights(other)).map(({ id }) => id)]).toEqual([[], ['n1']]);
});
