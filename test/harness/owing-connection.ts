// A connection that is told by a test what it is still owed: everything else has come in, and no look is due.
import { syncDevice } from '../../shared/domain/sync/sync-device.ts';
import { type SyncChange, type SyncRow, syncRows } from '../../shared/store/syncs.ts';
import { hours, minutes, type SyncWorld, syncWorld } from './sync-world.ts';

export interface OwingConnection {
  world: SyncWorld;
  user: string;
  now: number;
  /** One worker's run, and how the connection stands after it. */
  run(): Promise<SyncRow | undefined>;
}

export async function owingConnection(owed: SyncChange): Promise<OwingConnection> {
  const world = syncWorld();
  const user = await world.user();
  const device = await world.connect(user, 'ann');
  await world.work();
  world.clock.advance(hours(7));
  const now = world.clock.now();
  const { claim, releasing } = syncRows(world.deps.store);
  const mine = await claim(user, device, now, now + minutes(1));
  if (!mine) throw new Error('it was due');
  const stood = { pollMs: now + hours(6), lookedMs: now, ...owed };
  await world.table.write(releasing(mine, stood, now));
  world.vendor.requests.length = 0;
  const run = async () => {
    await syncDevice(world.deps, user, device);
    return world.row(user, device);
  };
  return { world, user, now, run };
}
