// A connection with a sync plan set by the test. Everything else is already fetched, and no poll is
// due.
import { syncConnection } from '../../shared/connections/sync/sync-connection.ts';
import type { SyncPlan } from '../../shared/connections/sync-plan.ts';
import { syncRows } from '../../shared/connections/sync-rows.ts';
import { hours, type SyncWorld, syncWorld } from './sync-world.ts';

export interface PlannedConnection {
  world: SyncWorld;
  user: string;
  device: string;
  now: number;
  /** Runs the connection's worker once and returns the resulting connection. */
  run(): ReturnType<SyncWorld['readConnection']>;
}

export async function plannedConnection(change: Partial<SyncPlan>): Promise<PlannedConnection> {
  const world = syncWorld();
  const user = await world.user();
  const device = await world.connect(user, 'ann');
  await world.processQueue();
  world.clock.advance(hours(7));
  const now = world.clock.now();
  const { read, buildCommit: committing } = syncRows(world.deps.store);
  const before = await read(user, device);
  if (!before?.device?.sync) throw new Error('the connection has not been synced');
  const plan = { ...before.plan, pollMs: now + hours(6), lastPollMs: now, ...change };
  await world.table.write(committing(user, device, { plan, progress: before.device.sync, nextMs: now }));
  world.fakeProvider.requests.length = 0;
  const run = async () => {
    await syncConnection(world.deps, user, device);
    return world.readConnection(user, device);
  };
  return { world, user, device, now, run };
}
