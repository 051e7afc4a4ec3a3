import { expect, test } from 'vitest';
import { providerLimitRows } from '../../../../shared/connections/provider-limit-rows.ts';
import { deleteUser } from '../../../../shared/erasure/delete-user.ts';
import { EngineUnavailable } from '../../../../shared/platform/ports.ts';
import type { ProviderCall } from '../../../../shared/sandbox/provider-server/provider-call.ts';
import { listDevices } from '../../../../shared/users/devices.ts';
import { hours, minutes, type SyncWorld, syncWorld } from '../../../harness/sync-world.ts';

const isRevocationCall = ({ path }: ProviderCall): boolean => path.endsWith('/oauth/revoke');
const isExchangeCall = ({ form }: ProviderCall): boolean => form['grant_type'] === 'authorization_code';
/** Named as in the request budget. */
const limit = { name: 'oura#all#5000/300#0', burst: 2_000, intervalMs: 111 };

const marks = ({ table }: SyncWorld): number[] =>
  table.rows().flatMap(({ pk, fullAtMs }) => (pk === `LIMIT#${limit.name}` ? [Number(fullAtMs)] : []));

test('every request made to connect is counted', async () => {
  const world = syncWorld();
  world.clock.freeze();
  await world.connect(await world.user(), 'ann');
  const requestCount = world.fakeProvider.requests.length;
  expect(requestCount).toBeGreaterThan(1);
  const [fullAtMs = 0] = marks(world);
  const intervalMs = (fullAtMs - world.clock.now()) / requestCount;
  expect(intervalMs).toBeGreaterThan(0);
  expect(Number.isInteger(intervalMs)).toBe(true);
  await world.connect(await world.user(), 'bob');
  expect(marks(world)).toEqual([fullAtMs + intervalMs * requestCount]);
});

test('a user who connects while the limit is used up is connected, and data requests wait longer', async () => {
  const world = syncWorld();
  await providerLimitRows(world.deps.store).blockUntil(limit, world.clock.now() + minutes(5));
  const [markBefore = 0] = marks(world);
  const user = await world.user();
  await world.connect(user, 'ann');
  expect((await listDevices(world.deps, world.caller, user))[0]?.status).toBe('active');
  const [after = 0] = marks(world);
  expect(after).toBeGreaterThan(markBefore);
  const requestCount = world.fakeProvider.requests.length;
  await world.processQueue();
  expect(world.fakeProvider.requests).toHaveLength(requestCount);
});

test('a user is connected even if the requests cannot be counted', async () => {
  const world = syncWorld();
  const user = await world.user();
  const { table } = world;
  const write = table.write.bind(table);
  table.write = async (each) => {
    const { pk } = each.kind === 'put' ? each.item : each.key;
    if (String(pk).startsWith('LIMIT#')) throw new EngineUnavailable('throttled');
    return write(each);
  };
  await world.connect(user, 'ann');
  expect((await listDevices(world.deps, world.caller, user))[0]?.status).toBe('active');
  expect(world.log.map(({ message }) => message)).toContain('provider_request_not_counted');
});

/** Deletes the user while the code is exchanged. */
async function deleteDuringExchange(world: SyncWorld): Promise<string> {
  const user = await world.user();
  world.fakeProvider.beforeReply = async (call) => {
    if (isExchangeCall(call)) await deleteUser(world.deps, world.caller, user);
  };
  await expect(world.connect(user, 'ann')).rejects.toThrow('the user no longer exists');
  world.fakeProvider.beforeReply = async () => {};
  return user;
}

test('a consent whose user is gone is revoked, even hours later', async () => {
  const world = syncWorld();
  const end = world.fakeProvider.fault(isRevocationCall, 'timeout');
  await deleteDuringExchange(world);
  await world.passTime(hours(3));
  end();
  await world.passTime(hours(2));
  const revocationCount = world.fakeProvider.requests.filter(isRevocationCall).length;
  expect(revocationCount).toBeGreaterThan(1);
  await world.passTime(hours(2));
  expect(world.fakeProvider.requests.filter(isRevocationCall)).toHaveLength(revocationCount);
  expect(world.table.rows().filter(({ sk }) => sk === 'REVOKE')).toEqual([]);
});

test('the consent of another user with the same account is not revoked', async () => {
  const world = syncWorld();
  await world.connect(await world.user(), 'ann');
  await deleteDuringExchange(world);
  await world.passTime(minutes(1));
  expect(world.fakeProvider.requests.filter(isRevocationCall)).toEqual([]);
  expect(world.table.rows().filter(({ sk }) => sk === 'REVOKE')).toEqual([]);
});
