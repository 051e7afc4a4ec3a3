import { expect, test } from 'vitest';
import { connectDevice } from '../../../../shared/connections/connect/begin-connection.ts';
import { acceptPush } from '../../../../shared/connections/push/accept-push.ts';
import { recordNotifications } from '../../../../shared/connections/push/record-notifications.ts';
import { maxAccountLength } from '../../../../shared/providers/kit/grant.ts';
import { listDevices } from '../../../../shared/users/devices.ts';
import { completeCallback } from '../../../harness/browser.ts';
import { measuredTable } from '../../../harness/measured-table.ts';
import { signPush, syncWorld } from '../../../harness/sync-world.ts';

const origin = 'https://day.example';

async function consented(account: string) {
  const world = syncWorld();
  const user = await world.user();
  const { auth_url } = await connectDevice(world.deps, world.caller, user, { provider: 'oura' }, origin);
  const code = world.fakeProvider.code('oura', 'ann', `${origin}/connect/callback/oura`);
  const text = JSON.stringify({ id: account });
  world.fakeProvider.fault(({ path }) => path.endsWith('personal_info'), { status: 200, headers: {}, text });
  const deps = world.withTable(measuredTable(world.table).table);
  return { world, deps, user, outcome: await completeCallback(deps, auth_url, { code }) };
}

test('an account name that does not fit a key is not connected, and its consent is revoked', async () => {
  const { world, user, outcome } = await consented('p'.repeat(2_000_000));
  expect(outcome.problem).toBe('code_refused');
  expect((await listDevices(world.deps, world.caller, user))[0]).toMatchObject({
    status: 'failed',
    error: 'code_refused',
  });
  await world.processQueue();
  expect(world.fakeProvider.requests.filter(({ path }) => path.includes('revoke'))).toHaveLength(1);
});

test('the longest account name that fits is connected, and its pushes are accepted', async () => {
  const account = 'ä'.repeat(maxAccountLength);
  const { world, deps, outcome } = await consented(account);
  expect(outcome.problem).toBeUndefined();
  const note = { event_type: 'update', data_type: 'sleep', object_id: 'n1' };
  await world.processQueue();
  await world.push({ ...note, user_id: account });
  expect(world.queued).toHaveLength(1);
  world.queued.length = 0;
  const tooLong = { ...note, user_id: `${account}a`.repeat(100) };
  const push = signPush(world.fakeProvider.credentials.clientSecret, tooLong, world.clock.now());
  expect(await acceptPush(deps, 'oura', push)).toEqual({ status: 200 });
  expect(world.queued).toEqual([]);
});

test('a notification with an id that does not fit is not recorded', async () => {
  const world = syncWorld();
  const user = await world.user();
  const device = await world.connect(user, 'ann');
  await world.processQueue();
  const named = (id: string) => ({ account: 'ann', what: 'object', resource: 'sleep', id }) as const;
  await recordNotifications(world.deps, 'oura', { user, device }, [named('n'.repeat(300_000)), named('n1')]);
  expect((await world.readConnection(user, device))?.inbox).toEqual([{ what: 'object', resource: 'sleep', id: 'n1' }]);
});

test('a notification with an id of up to 1,024 characters, such as a URL with a token, is recorded', async () => {
  const world = syncWorld();
  const user = await world.user();
  const device = await world.connect(user, 'ann');
  await world.processQueue();
  const named = (length: number) =>
    ({ account: 'ann', what: 'object', resource: 'sleep', id: 'n'.repeat(length) }) as const;
  await recordNotifications(world.deps, 'oura', { user, device }, [named(1025), named(1024)]);
  expect((await world.readConnection(user, device))?.inbox.map((note) => 'id' in note && note.id.length)).toEqual([
    1024,
  ]);
});
