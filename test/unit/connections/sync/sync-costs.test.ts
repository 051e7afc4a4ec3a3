import { afterAll, expect, test } from 'vitest';
import { createAccount } from '../../../../shared/accounts/accounts.ts';
import { requestSync } from '../../../../shared/connections/sync/request-sync.ts';
import { syncConnection } from '../../../../shared/connections/sync/sync-connection.ts';
import type { Meter } from '../../../../shared/platform/ports.ts';
import { formatTimestamp } from '../../../../shared/platform/time/time.ts';
import { wakeDue } from '../../../../shared/system/wake-pending.ts';
import { removeMember } from '../../../../shared/team/members.ts';
import { listDevices } from '../../../../shared/users/devices.ts';
import { hours, minutes, ouraNight, syncWorld } from '../../../harness/sync-world.ts';
import { createMember } from '../../../harness/team-members.ts';
import { startTable } from '../../system/engines.ts';

const calls: Parameters<Meter>[0][] = [];
const localTable = await startTable(undefined, (call) => calls.push(call));
afterAll(() => localTable.stop());

function takeCosts() {
  const measuredCalls = calls.splice(0);
  return {
    calls: measuredCalls.map(({ operation }) => operation),
    read: measuredCalls.reduce((sum, { readUnits }) => sum + readUnits, 0),
    write: measuredCalls.reduce((sum, { writeUnits }) => sum + writeUnits, 0),
  };
}

test('a poll that finds nothing new and a push that announces one day stay within their cost', async () => {
  const world = syncWorld({ engine: localTable.table });
  const user = await world.user();
  world.fakeProvider.fixtures.write('oura', 'ann', { sleep: [ouraNight('n1', '2026-03-12')] });
  const device = await world.connect(user, 'ann');
  await world.processQueue();
  // Half an hour into the next day, then seven hours more.
  await world.passTime(hours(12.5));
  world.clock.advance(hours(7));
  const resume = world.clock.freeze();
  await wakeDue(world.deps, 'sync');
  takeCosts();
  await syncConnection(world.deps, user, device);
  const poll = takeCosts();
  expect(poll.calls).toEqual(['BatchGetItem', 'UpdateItem', 'UpdateItem', 'UpdateItem']);
  expect(poll.read).toBeLessThanOrEqual(3);
  // The polls' share of the provider limit, the limit, the device row, and its index entry, which
  // moves.
  expect(poll.write).toBeLessThanOrEqual(5);
  const [shown] = await listDevices(world.deps, world.caller, user);
  expect(shown?.last_sync_at).toBe(formatTimestamp(world.clock.now()));
  resume();
  takeCosts();
  world.queued.length = 0;
  world.fakeProvider.fixtures.write('oura', 'ann', {
    sleep: [ouraNight('n1', '2026-03-12'), ouraNight('n2', '2026-03-11')],
  });
  await world.push({ event_type: 'update', data_type: 'sleep', object_id: 'n2', user_id: 'ann', event_time: 'now' });
  const push = takeCosts();
  expect(push.calls).toEqual(['GetItem', 'Query', 'UpdateItem', 'PutItem']);
  expect(push.write).toBeLessThanOrEqual(4);
  await syncConnection(world.deps, user, device);
  const { read, write } = takeCosts();
  // One of the reads is the wake number of the user.
  expect([read <= 6, write <= 14], `${read} read, ${write} write`).toEqual([true, true]);
});

test('a user who shares nothing costs one check, then nothing, and a rejected write for each push', async () => {
  const world = syncWorld({ engine: localTable.table });
  // The provider limit is stored in the shared table; by now it has refilled.
  world.clock.advance(hours(48));
  const { account_id: account } = await createAccount(world.deps, { name: 'The Lab' });
  const { member, user } = await createMember(world.deps, account);
  const device = await world.connect(user, 'bob');
  await world.processQueue();
  await removeMember(world.deps, { ...world.caller, account }, member);
  world.clock.advance(hours(7));
  takeCosts();
  await syncConnection(world.deps, user, device);
  expect(takeCosts().calls).toEqual(['BatchGetItem', 'UpdateItem', 'UpdateItem']);
  world.clock.advance(hours(48));
  await syncConnection(world.deps, user, device);
  expect(takeCosts().calls).toEqual(['BatchGetItem']);
  await wakeDue(world.deps, 'sync');
  takeCosts();
  await world.push({ event_type: 'update', data_type: 'sleep', object_id: 'n9', user_id: 'bob', event_time: 'now' });
  expect(takeCosts().calls).toEqual(['GetItem', 'Query', 'PutItem']);
  expect(world.queued.filter(({ body }) => JSON.stringify(body).includes(device))).toEqual([]);
  await createMember(world.deps, account, { user_id: user });
  world.fakeProvider.requests.length = 0;
  await world.passTime(hours(0.1));
  expect(world.fakeProvider.requests.length).toBeGreaterThan(0);
});

test('a frequent poll that finds nothing new, of a poll-only provider, stays within its cost', async () => {
  const world = syncWorld({ provider: 'ultrahuman', engine: localTable.table });
  const user = await world.user();
  const metric_data = [{ type: 'steps', object: { values: [], total: 8_000 } }];
  world.fakeProvider.fixtures.write('ultrahuman', 'ann', { metrics: [{ date: '2026-03-12', metric_data }] });
  const device = await world.connect(user, 'ann');
  for (let polls = 0; polls < 8; polls++) await world.passTime(minutes(15));
  world.clock.advance(minutes(15));
  world.queued.length = 0;
  takeCosts();
  world.fakeProvider.requests.length = 0;
  await syncConnection(world.deps, user, device);
  const poll = takeCosts();
  expect(world.fakeProvider.requests.length).toBeGreaterThan(0);
  // No data was accepted, so no writer is woken.
  expect(world.queued).toEqual([]);
  expect(poll.calls).toEqual(['BatchGetItem', 'UpdateItem', 'UpdateItem', 'UpdateItem']);
  expect(poll.read).toBeLessThanOrEqual(3);
  // The polls' share of the provider limit, the limit, the device row, and its index entry, which
  // moves.
  expect(poll.write).toBeLessThanOrEqual(5);
});

test('a requested sync costs one Query and one update, and a repeated one writes nothing', async () => {
  const world = syncWorld({ engine: localTable.table });
  const user = await world.user();
  const device = await world.connect(user, 'rae');
  await world.processQueue();
  takeCosts();
  await requestSync(world.deps, world.caller, user, device);
  const first = takeCosts();
  expect(first.calls).toEqual(['Query', 'UpdateItem']);
  // The connection's row and its new index entry.
  expect([first.read, first.write]).toEqual([1, 3]);
  await requestSync(world.deps, world.caller, user, device);
  expect(takeCosts().write).toBe(0);
});
