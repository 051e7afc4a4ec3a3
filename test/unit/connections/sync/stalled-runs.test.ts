// A run stalls until its message is redelivered. Another run overtakes it, and what the stalled run
// still writes does not count.
import { expect, test } from 'vitest';
import { syncConnection } from '../../../../shared/connections/sync/sync-connection.ts';
import type { ProviderCall } from '../../../../shared/sandbox/provider-server/provider-call.ts';
import { listDevices } from '../../../../shared/users/devices.ts';
import { isRefreshCall } from '../../../harness/fake-provider.ts';
import { hours, minutes, ouraNight, type SyncWorld } from '../../../harness/sync-world.ts';
import { connectWithNights, expectedNights, listStoredNights } from './crashed-workers.ts';
import { sleepNotification } from './pushed-nights.ts';

/** Longer than a run may take, and than its message stays invisible. */
const stalledMs = minutes(2);

/** Stalls the run that sends a matching request until another run has finished. */
function stallAt(
  { world, user, device }: Awaited<ReturnType<typeof connectWithNights>>,
  at: (call: ProviderCall) => boolean,
) {
  let stalls = 0;
  world.fakeProvider.beforeReply = async (call) => {
    if (stalls > 0 || !at(call)) return;
    stalls += 1;
    world.clock.advance(stalledMs);
    await syncConnection(world.deps, user, device);
  };
  return () => stalls;
}

const shown = async (world: SyncWorld, user: string) => (await listDevices(world.deps, world.caller, user))[0];
const tokensOf = ({ table }: SyncWorld) =>
  table.rows().flatMap(({ grant }) => (typeof grant === 'string' ? [grant] : []));

test('nothing is lost or duplicated, whichever backfill request a run stalls at', async () => {
  for (let nth = 1; ; nth += 9) {
    const each = await connectWithNights();
    const { world, user } = each;
    let requests = 0;
    const stalls = stallAt(each, () => ++requests === nth);
    await world.processQueue();
    world.fakeProvider.beforeReply = async () => {};
    for (let i = 0; i < 3; i++) await world.passTime(minutes(1));
    expect(await listStoredNights(world, user), `stalled at request ${nth}`).toEqual(expectedNights);
    expect((await shown(world, user))?.sync).toMatchObject({ state: 'current', done: 1 });
    expect(world.events('device.connected')).toHaveLength(1);
    if (stalls() === 0) return expect(nth).toBeGreaterThan(40);
  }
});

/** The connection as the other run left it while this run stalled at its first matching request. */
async function leftByOther(each: Awaited<ReturnType<typeof connectWithNights>>, at: (call: ProviderCall) => boolean) {
  const { world, user, device } = each;
  const stalls = stallAt(each, at);
  const stall = world.fakeProvider.beforeReply;
  let left: Awaited<ReturnType<SyncWorld['readConnection']>>;
  world.fakeProvider.beforeReply = async (call) => {
    const before = stalls();
    await stall(call);
    if (stalls() > before) left = await world.readConnection(user, device);
  };
  await syncConnection(world.deps, user, device);
  return left;
}

test('a stalled run commits nothing after the other run has committed', async () => {
  const each = await connectWithNights();
  const { world, user, device } = each;
  await world.processQueue();
  world.clock.advance(hours(7));
  const left = await leftByOther(each, () => true);
  expect(left).toMatchObject({ rereadDays: [], failures: 0 });
  expect(await world.readConnection(user, device)).toEqual(left);
});

test('a stalled run does not start over while the other run has more to do, and does not supersede it', async () => {
  const each = await connectWithNights();
  const { world, user, device } = each;
  const left = await leftByOther(each, ({ path }) => path.endsWith('/sleep'));
  expect(left).toMatchObject({ history: { from: '2025-09-13' }, failures: 0 });
  expect(await world.readConnection(user, device)).toEqual(left);
});

test('the notifications of a stalled run are read by the other run, and so are those that arrive in the meantime', async () => {
  const each = await connectWithNights();
  const { world, user, device } = each;
  await world.processQueue();
  const sleep = [...expectedNights.map((night) => night.slice(0, 10)), '2026-03-11', '2026-03-10'];
  world.fakeProvider.fixtures.write('oura', 'ann', { sleep: sleep.map((day) => ouraNight(`n-${day}`, day)) });
  await world.push(sleepNotification('ann', 'n-2026-03-11'));
  const stalls = stallAt(each, ({ path }) => path.endsWith('/daily_activity'));
  await syncConnection(world.deps, user, device);
  expect(stalls()).toBe(1);
  await world.push(sleepNotification('ann', 'n-2026-03-10'));
  await world.processQueue();
  expect(await listStoredNights(world, user)).toEqual(sleep.map((day) => `${day} n-${day}`).sort());
  expect(await world.readConnection(user, device)).toMatchObject({
    inbox: [],
    rereadDays: [],
    deferred: [],
    failures: 0,
  });
});

test('a refresh that a stalled run sends with a used token ends nothing, and the tokens of the other run stay', async () => {
  const each = await connectWithNights();
  const { world, user } = each;
  await world.processQueue();
  world.clock.advance(hours(30));
  world.fakeProvider.requests.length = 0;
  const stalls = stallAt(each, isRefreshCall);
  let tokens: string[] = [];
  const stall = world.fakeProvider.beforeReply;
  world.fakeProvider.beforeReply = async (call) => {
    await stall(call);
    tokens = tokensOf(world);
  };
  await syncConnection(world.deps, user, each.device);
  expect([stalls(), world.fakeProvider.requests.filter(isRefreshCall).length]).toEqual([1, 2]);
  expect(tokensOf(world)).toEqual(tokens);
  expect(await world.readConnection(user, each.device)).toMatchObject({ tokenRefusals: null, failures: 0 });
  world.fakeProvider.requests.length = 0;
  await world.passTime(hours(7));
  expect(world.fakeProvider.requests.filter(isRefreshCall)).toEqual([]);
  expect(await shown(world, user)).toMatchObject({ status: 'active', sync: { state: 'current' } });
});

test('tokens that only the stalled run received are stored, even if the other run was refused in the meantime', async () => {
  const { world, user, device } = await connectWithNights();
  await world.processQueue();
  world.clock.advance(hours(30));
  world.fakeProvider.requests.length = 0;
  const { vault } = world.deps;
  let sealed = 0;
  const slow = {
    ...vault,
    async seal(text: string, context: string) {
      sealed += 1;
      // The first call tests the vault before the provider is called; the second one seals the new
      // tokens.
      if (sealed === 2) {
        world.clock.advance(stalledMs);
        await syncConnection(world.deps, user, device);
      }
      return vault.seal(text, context);
    },
  };
  await syncConnection({ ...world.deps, vault: slow }, user, device);
  expect(world.fakeProvider.requests.filter(isRefreshCall)).toHaveLength(2);
  expect(await shown(world, user)).toMatchObject({ status: 'active', sync: { state: 'waiting' } });
  for (let i = 0; i < 3; i++) await world.passTime(hours(7));
  expect(await shown(world, user)).toMatchObject({ status: 'active', sync: { state: 'current' } });
  expect(world.events('device.disconnected')).toEqual([]);
});
