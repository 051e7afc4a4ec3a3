// How much one run takes on, and how it recovers from too much.
import { expect, test } from 'vitest';
import { syncConnection } from '../../../../shared/connections/sync/sync-connection.ts';
import { daysBetween } from '../../../../shared/platform/time/local-day.ts';
import { isDataCall } from '../../../harness/fake-provider.ts';
import { plannedConnection } from '../../../harness/planned-connection.ts';
import { type SyncWorld, syncWorld } from '../../../harness/sync-world.ts';

/** The number of days in each window; Oura is queried for two extra days on either side. */
const windows = ({ fakeProvider }: SyncWorld): number[] =>
  fakeProvider.requests
    .filter(({ path }) => path.endsWith('/daily_activity'))
    .map(({ query }) => daysBetween(`${query['start_date']}`, `${query['end_date']}`) - 3);

test('a long backfill is handed on after some windows, so that other connections get a turn', async () => {
  const world = syncWorld();
  const user = await world.user();
  const device = await world.connect(user, 'ann');
  world.queued.length = 0;
  await syncConnection(world.deps, user, device);
  expect(windows(world)).toHaveLength(8);
  expect(world.queued).toContainEqual({ queue: 'connection', body: { user_id: user, device_id: device } });
});

test('no window is started that might not finish in time', async () => {
  const { world, run } = await plannedConnection({ history: { from: '2026-01-01', to: '2026-02-01' } });
  world.fakeProvider.beforeReply = async (call) => void world.clock.advance(isDataCall(call) ? 5_200 : 0);
  expect(await run()).toMatchObject({ history: { to: '2026-01-18' }, failures: 0 });
  expect(windows(world)).toEqual([14]);
});

test('the window size grows again after smaller windows', async () => {
  const { world, run } = await plannedConnection({ history: { from: '2026-01-01', to: '2026-02-01' }, stride: 1 });
  expect(await run()).toMatchObject({ history: null, stride: 14 });
  expect(windows(world)).toEqual([1, 2, 4, 8, 14, 3]);
});

test('a provider that returns data clears the suspicion of a dead token', async () => {
  const { run } = await plannedConnection({
    rereadDays: [{ from: '2026-03-01', to: '2026-03-02' }],
    tokenRefusals: { count: 2, lastMs: 1 },
  });
  expect(await run()).toMatchObject({ rereadDays: [], tokenRefusals: null });
});
