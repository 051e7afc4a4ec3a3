// A recent run whose commit conflicts starts over with the current state, a limited number of
// times.
import { expect, test } from 'vitest';
import { Superseded } from '../../../../shared/connections/client/sync-errors.ts';
import { syncRows } from '../../../../shared/connections/sync-rows.ts';
import { type PlannedConnection, plannedConnection } from '../../../harness/planned-connection.ts';

/** Lets another run commit during a read, the given number of times. */
function supersede({ world, user, device }: PlannedConnection, times: number): () => number {
  let left = times;
  let runs = 0;
  world.fakeProvider.beforeReply = async ({ path }) => {
    if (!path.endsWith('/daily_activity')) return;
    runs += 1;
    if (left-- <= 0) return;
    const { read, buildCommit: committing } = syncRows(world.deps.store);
    const now = await read(user, device);
    if (!now?.device?.sync) throw new Error('The device has no sync state.');
    await world.table.write(committing(user, device, { plan: now.plan, progress: now.device.sync }));
  };
  return () => runs;
}

const days = { from: '2026-03-01', to: '2026-03-02' };

test.each([1, 2])('a run superseded %i times starts over and reads what is due', async (times) => {
  const planned = await plannedConnection({ rereadDays: [days] });
  const runs = supersede(planned, times);
  expect(await planned.run()).toMatchObject({ rereadDays: [], failures: 0 });
  expect(runs()).toBe(times + 1);
});

test('a run superseded three times fails and is left to the queue to retry', async () => {
  const planned = await plannedConnection({ rereadDays: [days] });
  const runs = supersede(planned, 10);
  await expect(planned.run()).rejects.toBeInstanceOf(Superseded);
  expect(runs()).toBe(3);
});
