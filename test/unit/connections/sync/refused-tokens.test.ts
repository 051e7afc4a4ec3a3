// When a provider refuses a token: which refusals count, and whose connection ends.
import { expect, test } from 'vitest';
import type { CloudProviderId } from '../../../../shared/catalog/provider.ts';
import { grantContext } from '../../../../shared/connections/connection-rows.ts';
import { syncConnection } from '../../../../shared/connections/sync/sync-connection.ts';
import { type ConnectionSnapshot, syncRows } from '../../../../shared/connections/sync-rows.ts';
import { isRefreshCall } from '../../../harness/fake-provider.ts';
import { hours, type SyncWorld, syncWorld } from '../../../harness/sync-world.ts';

const reply = (body: object, status = 200) => ({ status, headers: {}, text: JSON.stringify(body) });
const invalidToken = reply({ error: 'invalid_grant' }, 400);

async function readConnection({ deps }: SyncWorld, user: string, device: string): Promise<ConnectionSnapshot> {
  const found = await syncRows(deps.store).read(user, device);
  if (!found) throw new Error('The connection is missing.');
  return found;
}

/** A connection whose access token has expired, and whose refresh token was refused before. */
async function connectRefused(provider: CloudProviderId, count: number, agoMs: number) {
  const world = syncWorld({ provider });
  const user = await world.user();
  const device = await world.connect(user, 'ann');
  await world.processQueue();
  world.clock.advance(hours(24 * 40));
  const lastMs = world.clock.now() - agoMs;
  const { plan, device: row } = await readConnection(world, user, device);
  if (!row?.sync) throw new Error('The connection has not been synced.');
  const commit = { plan: { ...plan, tokenRefusals: { count, lastMs } }, progress: row.sync };
  await world.table.write(syncRows(world.deps.store).buildCommit(user, device, commit));
  const run = async () => {
    await syncConnection(world.deps, user, device);
    return world.readConnection(user, device);
  };
  return { world, user, device, lastMs, run };
}

test('a refusal soon after the last one does not count, and the next attempt waits until it would', async () => {
  const { world, lastMs, run } = await connectRefused('oura', 2, hours(5));
  world.fakeProvider.fault(isRefreshCall, invalidToken);
  const tokenRefusals = { count: 2, lastMs };
  expect(await run()).toMatchObject({ tokenRefusals, notBeforeMs: lastMs + hours(6) });
});

test('a refusal that the provider does not confirm is discarded, and the next one is confirmed again', async () => {
  const { world, run } = await connectRefused('coros', 1, hours(2));
  const isConfirmation = ({ path }: { path: string }) => path.endsWith('/bindState');
  world.fakeProvider.fault(isConfirmation, reply({ result: '0000', message: 'OK', data: { bindState: 1 } }));
  world.fakeProvider.fault((call) => !isConfirmation(call), reply({ result: '5006', message: 'invalid' }));
  for (const times of [1, 2]) {
    const startMs = world.clock.now();
    const found = await run();
    expect(world.fakeProvider.requests.filter(isConfirmation)).toHaveLength(times);
    expect(found).toMatchObject({ status: 'active', tokenRefusals: { count: 1 } });
    expect(found?.tokenRefusals?.lastMs).toBeGreaterThanOrEqual(startMs);
    expect(found?.notBeforeMs).toBe((found?.tokenRefusals?.lastMs ?? 0) + hours(1));
    world.clock.advance(hours(2));
  }
});

test('tokens that arrive while the old ones are refused stay, and the run starts over with them', async () => {
  const { world, user, device, run } = await connectRefused('oura', 2, hours(7));
  world.fakeProvider.fault(isRefreshCall, invalidToken, 1);
  let hasArrived = false;
  world.fakeProvider.beforeReply = async (call) => {
    if (!isRefreshCall(call) || hasArrived) return;
    hasArrived = true;
    const { connection } = await readConnection(world, user, device);
    const { grant: before, grantExpiresMs, scopes } = connection;
    const tokens = await world.deps.vault.open(before ?? '', grantContext(connection));
    const grant = await world.deps.vault.seal(tokens ?? '', grantContext(connection));
    await syncRows(world.deps.store).renewGrant(connection, before ?? '', { grant, grantExpiresMs, scopes });
  };
  expect(await run()).toMatchObject({ status: 'active', tokenRefusals: null });
  expect(world.fakeProvider.requests.filter(isRefreshCall)).toHaveLength(2);
  expect(world.log.filter(({ message }) => message === 'consent_ended')).toEqual([]);
});
