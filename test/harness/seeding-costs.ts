// What it costs to create a sandbox user with a history, message by message until nothing is left
// to do: table calls, write units and events.
import { seedSandboxWorker } from '../../functions/workers/seed-sandbox.ts';
import { syncWorker } from '../../functions/workers/sync.ts';
import type { Table, Write } from '../../shared/platform/ports.ts';
import { jobs } from '../../shared/system/jobs.ts';
import { createUser } from '../../shared/users/users.ts';
import { tickingClock } from './clock.ts';
import { openDomainWorld } from './domain-world.ts';
import { itemBytes } from './measured-table.ts';
import { runWriter } from './run-writer.ts';
import { seededRandom } from './seeded-random.ts';

interface TableCosts {
  calls: number;
  /** Counted as DynamoDB does, except that an update or a deletion counts as one unit. */
  writeUnits: number;
}

export interface SeedingCosts extends TableCosts {
  /** One per message, in order. */
  runs: (TableCosts & { queue: string })[];
  /** How many there are of each type. */
  events: Record<string, number>;
}

/** The days of a sandbox user depend on its id, and so do the costs. */
export async function measureSeeding(profile: object): Promise<SeedingCosts> {
  const world = await openDomainWorld({
    clock: tickingClock(Date.UTC(2026, 2, 10, 12)),
    random: seededRandom('costs'),
  });
  const total: TableCosts = { calls: 0, writeUnits: 0 };
  const deps = world.withTable(countCalls(world.localTable.table, total));
  await createUser(deps, { ...world.caller, env: 'sandbox' }, { profile });
  const runs: SeedingCosts['runs'] = [];
  for (let message = world.sent.shift(); message; message = world.sent.shift()) {
    const before = { ...total };
    const { queue, body } = message;
    if (queue === 'seed') await seedSandboxWorker(deps)(jobs.seed.parse(body));
    if (queue === 'user') await runWriter(deps, jobs.user.parse(body).user_id);
    if (queue === 'connection') await syncWorker(deps)(jobs.connection.parse(body));
    runs.push({ queue, calls: total.calls - before.calls, writeUnits: total.writeUnits - before.writeUnits });
  }
  const events: Record<string, number> = {};
  for (const { type } of await world.events()) events[type] = (events[type] ?? 0) + 1;
  return { ...total, runs, events };
}

function countCalls(table: Table, counted: TableCosts): Table {
  const count = (writes: readonly Write[] = [], unitsPerKilobyte = 1): Table => {
    counted.calls++;
    for (const write of writes)
      counted.writeUnits += unitsPerKilobyte * (write.kind === 'put' ? Math.ceil(itemBytes(write.item) / 1024) : 1);
    return table;
  };
  return {
    get: (...request) => count().get(...request),
    batchGet: (...request) => count().batchGet(...request),
    query: (...request) => count().query(...request),
    queryAll: (...request) => count().queryAll(...request),
    write: (write) => count([write]).write(write),
    transact: (writes) => count(writes, 2).transact(writes),
    batchWrite: (writes) => count(writes).batchWrite(writes),
  };
}
