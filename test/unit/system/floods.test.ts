// Floods: of one user, of one tenant, and with an upload that cannot be processed. Each ends, has a
// proportional cost, and delays no other user.
import { expect, test } from 'vitest';
import { sweepWorker } from '../../../functions/workers/sweep.ts';
import { userWorker } from '../../../functions/workers/write-user.ts';
import { unpackCanonicalRow } from '../../../shared/measurements/codec/canonical-day.ts';
import { dayRows } from '../../../shared/measurements/rows/day-rows.ts';
import { acceptUpload } from '../../../shared/mobile/accept-upload.ts';
import { quarantinedUploadRows } from '../../../shared/pipeline/quarantined-upload-rows.ts';
import type { Table } from '../../../shared/platform/ports.ts';
import { UploadBody } from '../../../shared/providers/phone/upload.ts';
import { updateUser } from '../../../shared/users/users.ts';
import { openWorld, type World } from '../../harness/erasure/world.ts';
import { memoryDeps, memoryStartMs } from '../../harness/memory-deps.ts';
import { oneTo } from '../../harness/outbox.ts';
import { pendingCommands } from '../../harness/pending-commands.ts';
import { pendingRow, someOwner } from '../../harness/pending-work.ts';
import { poison } from '../../harness/poisoned-upload.ts';

const minuteMs = 60_000;
const watch = { name: 'W', model: 'W1', type: 'wrist' };

/** Uploads one step each, a minute apart. */
async function flood(world: World, uploads: number): Promise<void> {
  const phone = await world.phone();
  for (const minute of oneTo(uploads)) {
    const start = new Date(memoryStartMs + minute * minuteMs).toISOString();
    const samples = [{ metric: 'steps', start, value: 1, unit: 'count' }];
    await acceptUpload(world.deps, phone, UploadBody.parse({ time_zone: 'UTC', device: watch, samples }));
  }
}

async function stepsOf({ deps, id }: World): Promise<number> {
  let sum = 0;
  for await (const { packed } of dayRows(deps.store).iterateCanonical(id, '0000', '9999', { consistent: true }))
    sum += unpackCanonicalRow(packed).values[0] ?? 0;
  return sum;
}

/** The longest time that an engine may take for a call. */
const callMs = 50;

interface DeliveryTotals {
  runs: number;
  maxMs: number;
  calls: number;
  failed: number;
}

/**
 * Delivers this number of messages of the user, and those that the runs send, one after the other.
 * A failed message is redelivered.
 */
async function deliverMessages(world: World, messages: number): Promise<DeliveryTotals> {
  const totals: DeliveryTotals = { runs: 0, maxMs: 0, calls: 0, failed: 0 };
  const waiting: { token?: string; receives: number }[] = oneTo(messages).map(() => ({ receives: 1 }));
  const deps = {
    ...world.withTable(
      slow(world.table, () => {
        totals.calls++;
        world.clock.advance(callMs);
      }),
    ),
    queue: {
      send: async (_queue: string, body: unknown) => void waiting.push({ ...(body as object), receives: 1 }),
      sendAll: async () => {},
      postpone: async () => {},
    },
  };
  for (let message = waiting.shift(); message; message = waiting.shift()) {
    const { receives, ...job } = message;
    const beganMs = world.clock.now();
    totals.runs++;
    await userWorker(deps)({ user_id: world.id, ...job }, { receives }).catch(() => {
      totals.failed++;
      waiting.unshift({ ...job, receives: receives + 1 });
    });
    totals.maxMs = Math.max(totals.maxMs, world.clock.now() - beganMs);
  }
  return totals;
}

function slow(table: Table, call: () => void): Table {
  const then =
    <Args extends unknown[], T>(run: (...args: Args) => T) =>
    (...args: Args): T => {
      call();
      return run(...args);
    };
  return {
    get: then(table.get),
    batchGet: then(table.batchGet),
    query: then(table.query),
    queryAll: then(table.queryAll),
    write: then(table.write),
    transact: then(table.transact),
    batchWrite: then(table.batchWrite),
  };
}

test('a flood of one user is processed in runs of a few seconds, and its other messages find nothing to do', async () => {
  const world = await openWorld();
  await flood(world, 600);
  // A profile change is among the commands that follow, and is not lost behind them.
  await updateUser(world.deps, world.caller, world.id, { timezone: 'Pacific/Auckland' });
  const { runs, maxMs, calls, failed } = await deliverMessages(world, 601);
  expect(await stepsOf(world)).toBe(600);
  expect(await pendingCommands(world.table, world.id)).toEqual([]);
  expect(failed).toBe(0);
  // A run starts no pass after ten seconds, and each run sends one message at most.
  expect(maxMs).toBeLessThan(20_000);
  expect(runs).toBeLessThan(601 + 40);
  // A message that finds nothing costs one read, and so does each upload's raw data. Forty uploads
  // are one pass.
  expect(calls).toBeLessThan(601 + 600 + 15 * 20 + 150);
});

test('an upload in a flood that cannot be processed is quarantined after three attempts, and the others do not wait', async () => {
  const world = await openWorld();
  await flood(world, 100);
  const [, , third] = await pendingCommands(world.table, world.id);
  await poison(world.table, { user: world.id, batch: third?.id ?? '' });
  const { failed } = await deliverMessages(world, 1);
  expect(failed).toBe(2);
  expect(await stepsOf(world)).toBe(99);
  expect(await pendingCommands(world.table, world.id)).toEqual([]);
  expect((await quarantinedUploadRows(world.deps.store).listAll()).map(({ id }) => id)).toEqual([third?.id]);
});

test('ten thousand commands of one tenant are sent once in five minutes, and a user behind them waits for one more sweep', async () => {
  const world = memoryDeps();
  const backlog = oneTo(10_000).map((n) => pendingRow('user', someOwner('user'), memoryStartMs - 10 * minuteMs + n));
  await world.table.batchWrite(backlog);
  const other = someOwner('user');
  await world.table.batchWrite([pendingRow('user', other, memoryStartMs - 2 * minuteMs)]);
  const sentCounts = new Map<string, number>();
  let sentOther: number | undefined;
  const deps = {
    ...world.deps,
    queue: {
      ...world.deps.queue,
      async sendAll(
        _queue: string,
        bodies: unknown[],
        { deduplicationKey }: { deduplicationKey?: string | readonly string[] } = {},
      ) {
        for (const [at, body] of bodies.entries()) {
          const { user_id } = body as { user_id: string };
          if (user_id === other) sentOther ??= world.clock.now();
          sentCounts.set(
            `${user_id} ${deduplicationKey?.[at]}`,
            (sentCounts.get(`${user_id} ${deduplicationKey?.[at]}`) ?? 0) + 1,
          );
        }
      },
    },
  };
  const beganMs = world.clock.now();
  for (const _minute of oneTo(4)) {
    await sweepWorker(deps)();
    world.clock.advance(minuteMs);
  }
  expect((sentOther ?? Number.POSITIVE_INFINITY) - beganMs).toBeLessThan(2 * minuteMs);
  // However often they are sent, the queue accepts one message of each.
  expect([...sentCounts.keys()].filter((slot) => slot.endsWith('undefined'))).toEqual([]);
  expect(sentCounts.size).toBe(10_001);
});
