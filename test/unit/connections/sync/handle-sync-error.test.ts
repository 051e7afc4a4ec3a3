// How a sync that could not continue is handled, by its reason.
import { expect, test } from 'vitest';
import { providerLimitRows } from '../../../../shared/connections/provider-limit-rows.ts';
import { keys } from '../../../../shared/system/keys.ts';
import { listDevices } from '../../../../shared/users/devices.ts';
import { isDataCall } from '../../../harness/fake-provider.ts';
import { type PlannedConnection, plannedConnection } from '../../../harness/planned-connection.ts';
import { hours, minutes } from '../../../harness/sync-world.ts';

const history = { from: '2026-01-10', to: '2026-01-15' };
const ouraLimit = { name: 'oura#all#5000/300#0', burst: 2_000, intervalMs: 111 };
const answer = (status: number) => ({ status, headers: {}, text: '' });
const shown = async ({ world, user }: PlannedConnection) =>
  (await listDevices(world.deps, world.caller, user))[0]?.sync?.state;

test.each([
  ['is unavailable', answer(500), { stride: 3, failures: 1 }, 'waiting'],
  ['sends an unexpected status', answer(418), { stride: 3, failures: 1 }, 'failed'],
  ['rate-limits the request', answer(429), { failures: 1, stride: 6 }, 'waiting'],
])(
  'when a provider %s, fewer days are requested only if their number may be the cause',
  async (_how, fault, row, state) => {
    const connection = await plannedConnection({ history, stride: 6 });
    connection.world.fakeProvider.fault(({ path }) => path.endsWith('/workout'), fault);
    expect(await connection.run()).toMatchObject({ ...row, history });
    expect(await shown(connection)).toBe(state);
  },
);

test('a run that had no time for any work is not started again at once', async () => {
  const { world, now, run } = await plannedConnection({ history });
  world.fakeProvider.beforeReply = async () => void world.clock.advance(46_000);
  const row = await run();
  expect(row).toMatchObject({ failures: 1, history });
  expect(row?.notBeforeMs).toBeGreaterThan(now + minutes(1));
});

test.each([
  [minutes(5), 'backfilling'],
  [minutes(30), 'waiting'],
])('a pause of %i ms is shown as %s', async (pauseMs, state) => {
  const connection = await plannedConnection({ history });
  const { world, now, run } = connection;
  await providerLimitRows(world.deps.store).blockUntil(ouraLimit, now + pauseMs);
  expect(await run()).toMatchObject({ failures: 0, turn: 'come' });
  expect([await shown(connection), world.fakeProvider.requests.filter(isDataCall)]).toEqual([state, []]);
});

test('a run without requests left for the next window keeps its window size', async () => {
  const { world, now, run } = await plannedConnection({ history: { from: '2026-01-01', to: '2026-01-28' } });
  world.fakeProvider.beforeReply = async ({ path }) => {
    if (path.endsWith('/heartrate')) await providerLimitRows(world.deps.store).blockUntil(ouraLimit, now + minutes(5));
  };
  expect(await run()).toMatchObject({ history: { to: '2026-01-14' }, stride: 14, turn: 'come' });
});

test('when no more turns are promised, each connection comes back at a time of its own', async () => {
  const again = new Set<number>();
  for (let at = 0; at < 3; at++) {
    const { world, now, run } = await plannedConnection({ history });
    const marks = { fullAtMs: now + hours(7), promisedMs: now + hours(7) };
    await world.table.write({ kind: 'put', item: { ...keys.providerLimit(ouraLimit.name), ...marks } });
    const row = await run();
    expect(row).toMatchObject({ failures: 0, turn: 'none' });
    const inMs = (row?.notBeforeMs ?? 0) - now;
    expect([inMs > hours(3), inMs < hours(7)]).toEqual([true, true]);
    again.add(inMs);
  }
  expect(again.size).toBe(3);
});
