import { expect, test } from 'vitest';
import { disconnectDevice } from '../../../../shared/connections/disconnect.ts';
import { providerLimitRows } from '../../../../shared/connections/provider-limit-rows.ts';
import { revocationRows } from '../../../../shared/connections/revocation-rows.ts';
import { revokeConsent } from '../../../../shared/connections/sync/revoke-consent.ts';
import { deleteUser } from '../../../../shared/erasure/delete-user.ts';
import { eraseUser } from '../../../../shared/erasure/erase-user.ts';
import { EngineUnavailable } from '../../../../shared/platform/ports.ts';
import type { ProviderCall } from '../../../../shared/sandbox/provider-server/provider-call.ts';
import { userPartition } from '../../../../shared/system/keys.ts';
import { isRefreshCall } from '../../../harness/fake-provider.ts';
import { printLog } from '../../../harness/print-log.ts';
import { hours, minutes, ouraNight, type SyncWorld, syncWorld } from '../../../harness/sync-world.ts';

const isRevocationCall = ({ path }: ProviderCall): boolean => path.endsWith('/oauth/revoke');
const countRevocations = ({ fakeProvider }: SyncWorld): number => fakeProvider.requests.filter(isRevocationCall).length;

async function connectAccount(world: SyncWorld, account: string) {
  world.fakeProvider.fixtures.write('oura', account, { sleep: [ouraNight('n1', '2026-03-12')] });
  const user = await world.user();
  const device = await world.connect(user, account);
  await world.processQueue();
  return { user, device };
}

async function connectUser() {
  const world = syncWorld();
  const ann = await connectAccount(world, 'ann@oura');
  world.fakeProvider.requests.length = 0;
  return { world, ...ann };
}

/** Erases as the queue and the sweep do: at once, and again when no worker can still be running. */
async function runErasure({ deps, caller, clock, events, processQueue: work }: SyncWorld, user: string): Promise<void> {
  await deleteUser(deps, caller, user);
  await eraseUser(deps, user);
  await work();
  clock.advance(minutes(2));
  await eraseUser(deps, user);
  expect(events('user.deleted')).toHaveLength(1);
}

test('a consent is revoked hours later if the provider was unavailable during the erasure', async () => {
  const { world, user, device } = await connectUser();
  const end = world.fakeProvider.fault(isRevocationCall, 'timeout');
  await runErasure(world, user);
  expect(world.table.rows().filter(({ pk }) => pk === userPartition(user))).toEqual([]);
  for (let hour = 0; hour < 10; hour++) await world.passTime(hours(1));
  expect(await world.pendingRevocation(user, device)).toBeDefined();
  end();
  await world.passTime(hours(2));
  world.fakeProvider.requests.length = 0;
  expect(await world.pendingRevocation(user, device)).toBeUndefined();
  await world.passTime(hours(2));
  expect(countRevocations(world)).toBe(0);
  expect(world.events('user.deleted')).toHaveLength(1);
});

test('an erased user leaves only what the revocation of the consent needs', async () => {
  const { world, user, device } = await connectUser();
  world.fakeProvider.fault(isRevocationCall, 'timeout');
  await runErasure(world, user);
  const [remainingRow, ...more] = world.table.rows().filter((row) => JSON.stringify(row).includes('ann@oura'));
  expect(more).toEqual([]);
  const work = ['duePk', 'dueSk', 'endedMs', 'failures', 'nextMs', 'pk', 'sk', 'ttl', 'turn'];
  expect(Object.keys(remainingRow ?? {}).sort()).toEqual(
    [...work, 'device', 'env', 'grant', 'provider', 'user', 'providerAccount'].sort(),
  );
  // A revocation that is never processed expires after about 25 hours.
  const endedMs = (await world.pendingRevocation(user, device))?.endedMs ?? 0;
  expect(Number(remainingRow?.['ttl']) * 1000 - endedMs).toBeLessThanOrEqual(hours(25) + 1_000);
});

test('no revocation is left after a day, whether or not it succeeded', async () => {
  const { world, user, device } = await connectUser();
  world.fakeProvider.fault(isRevocationCall, { status: 500, headers: {}, text: '' });
  const startedMs = world.clock.now();
  await runErasure(world, user);
  while (world.clock.now() - startedMs < hours(24) + minutes(1)) {
    expect(await world.pendingRevocation(user, device)).toBeDefined();
    await world.passTime(minutes(20));
  }
  expect(await world.pendingRevocation(user, device)).toBeUndefined();
  expect(JSON.stringify(world.table.rows())).not.toContain('ann@oura');
  // Retries settle at one an hour.
  expect(countRevocations(world)).toBeLessThan(45);
});

test.each(['before', 'after'])(
  'an account that another user linked %s the deletion keeps its consent',
  async (when) => {
    const { world, user, device } = await connectUser();
    if (when === 'before') await connectAccount(world, 'ann@oura');
    const end = world.fakeProvider.fault(isRevocationCall, 'timeout');
    await runErasure(world, user);
    if (when === 'after') await connectAccount(world, 'ann@oura');
    const before = countRevocations(world);
    end();
    for (let hour = 0; hour < 3; hour++) await world.passTime(hours(1));
    expect([countRevocations(world) - before, await world.pendingRevocation(user, device)]).toEqual([0, undefined]);
  },
);

test.each(['disconnected', 'deleted'])(
  'tokens that arrive while a device is being %s are the ones revoked',
  async (how) => {
    const { world, user, device } = await connectUser();
    world.clock.advance(hours(30));
    let isFirst = true;
    world.fakeProvider.beforeReply = async (call) => {
      if (!isFirst || !isRefreshCall(call)) return;
      isFirst = false;
      if (how === 'disconnected') await disconnectDevice(world.deps, world.caller, user, device);
      else {
        await deleteUser(world.deps, world.caller, user);
        await eraseUser(world.deps, user);
      }
    };
    await world.passTime(minutes(1));
    expect([world.fakeProvider.requests.filter(isRefreshCall).length, countRevocations(world)]).toEqual([1, 1]);
    expect(await world.pendingRevocation(user, device)).toBeUndefined();
  },
);

test('a connection is ended only with its current tokens', async () => {
  const { world, user, device } = await connectUser();
  const row = await world.readConnection(user, device);
  if (!row) throw new Error('nobody is connected');
  const stale = { ...row, grant: 'the one before' };
  const { store } = world.deps;
  await expect(store.commit(revocationRows(store).buildReplaceConnection(stale, 0))).rejects.toThrow();
  await store.commit(revocationRows(store).buildReplaceConnection(row, 0));
  expect(await world.pendingRevocation(user, device)).toMatchObject({ grant: row.grant });
});

test('when the rate limit is used up, a revocation goes before data requests and does not count as a failure', async () => {
  const { world, user, device } = await connectUser();
  const limit = { name: 'oura#all#5000/300#0', burst: 2_000, intervalMs: 111 };
  await providerLimitRows(world.deps.store).blockUntil(limit, world.clock.now() + minutes(5));
  await disconnectDevice(world.deps, world.caller, user, device);
  await world.processQueue();
  expect([countRevocations(world), (await world.pendingRevocation(user, device))?.failures]).toEqual([0, 0]);
  await world.passTime(minutes(6));
  expect([countRevocations(world), await world.pendingRevocation(user, device)]).toEqual([1, undefined]);
});

test('a revocation is not given up while tokens cannot be opened, and is sent once they can', async () => {
  const { world, user, device } = await connectUser();
  await disconnectDevice(world.deps, world.caller, user, device);
  world.queued.length = 0;
  const open = () => Promise.reject(new EngineUnavailable('the vault is unavailable'));
  const unavailableDeps = { ...world.deps, vault: { ...world.deps.vault, open } };
  for (let hour = 0; hour < 24; hour += 5) {
    await expect(revokeConsent(unavailableDeps, user, device)).rejects.toBeInstanceOf(EngineUnavailable);
    world.clock.advance(hours(5));
  }
  expect(world.fakeProvider.requests).toEqual([]);
  await world.passTime(minutes(5));
  expect(countRevocations(world)).toBe(1);
  expect(await world.pendingRevocation(user, device)).toBeUndefined();
});

test('the log about a failed revocation never quotes the stored tokens', async () => {
  const { world, user, device } = await connectUser();
  await disconnectDevice(world.deps, world.caller, user, device);
  const vault = { ...world.deps.vault, open: async () => 'token61 that is not JSON' };
  await revokeConsent({ ...world.deps, vault }, user, device);
  const [line, ...others] = world.log.filter(({ message }) => message === 'revocation_failed');
  expect(others).toEqual([]);
  expect(line?.fields).toMatchObject({ device_id: device, detail: 'SyntaxError' });
  expect(printLog(world.log)).not.toContain('token61');
});
