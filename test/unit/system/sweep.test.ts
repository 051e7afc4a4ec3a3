import { describe, expect, test } from 'vitest';
import { sweepWorker } from '../../../functions/workers/sweep.ts';
import type { Table } from '../../../shared/platform/ports.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { makeId } from '../../../shared/system/ids.ts';
import { jobs } from '../../../shared/system/jobs.ts';
import { pendingIndexKeys, sweptKinds } from '../../../shared/system/pending-kinds.ts';
import { wakeDue } from '../../../shared/system/wake-pending.ts';
import { type MemoryDeps, memoryDeps, memoryStartMs } from '../../harness/memory-deps.ts';
import { pendingRow, someOwner } from '../../harness/pending-work.ts';
import { addPendingOfEveryKind, jobFor, minute, old, queueOf, wakeMany } from './sweep-fixture.ts';

const failingFor = (table: Table, isBroken: (partition: string) => boolean): Table => ({
  ...table,
  async *queryAll(query) {
    if (query.index === 'by-due' && isBroken(String(query.values['due']))) throw new Error('the index is unavailable');
    yield* table.queryAll(query);
  },
});

describe('a sweep', () => {
  test('wakes pending work of every kind, and logs each kind on one line', async () => {
    const world = memoryDeps();
    const owners = await addPendingOfEveryKind(world);
    await sweepWorker(world.deps)();
    for (const kind of sweptKinds) expect(world.sentTo(queueOf(kind))).toEqual([jobFor(kind, owners[kind])]);
    const lines = world.log.map(({ level, fields }) => ({ level, ...fields }));
    expect(lines.sort((a, b) => ('kind' in a && 'kind' in b && String(a.kind) < String(b.kind) ? -1 : 1))).toEqual(
      [...sweptKinds]
        .sort()
        .map((kind) => ({ level: 'warn', kind, pending: 1, is_partial: false, oldest_seconds: 600 })),
    );
  });

  test('that finds nothing sends, writes and logs nothing', async () => {
    const world = memoryDeps();
    // The first sweep of a release records that no user has to move to its formulas.
    await sweepWorker(world.deps)();
    const untouched: Table = { ...world.table, write: async () => Promise.reject(new Error('a write')) };
    await sweepWorker(world.withTable(untouched))();
    expect([world.calls, world.log]).toEqual([[], []]);
  });

  test('wakes an owner once, however many rows it has', async () => {
    const world = memoryDeps();
    const user = someOwner('user');
    const rows = [1, 2, 3].map((n) => ({
      pk: `OWED#${user}`,
      sk: `${n}`,
      ...pendingIndexKeys('user', user, old + n),
    }));
    await world.table.batchWrite(rows.map((item) => ({ kind: 'put', item })));
    await sweepWorker(world.deps)();
    expect(world.sentTo('user')).toEqual([{ user_id: user }]);
  });

  test('uses the same deduplication key for a user while nothing changes, and another one when the user is due again', async () => {
    const world = memoryDeps();
    const slots: unknown[] = [];
    const deps: Deps = {
      ...world.deps,
      queue: {
        ...world.deps.queue,
        sendAll: async (_queue, _bodies, options) => void slots.push(options?.deduplicationKey),
      },
    };
    const user = someOwner('user');
    const isDue = (sinceMs: number) => world.table.write(pendingRow('user', user, sinceMs));
    await isDue(old);
    await sweepWorker(deps)();
    await sweepWorker(deps)();
    await isDue(old + 1);
    await sweepWorker(deps)();
    expect(slots[0]).toEqual(slots[1]);
    expect(slots[2]).not.toEqual(slots[0]);
  });

  test('names outbox rows of a feed in messages that fit one transaction', async () => {
    const world = memoryDeps();
    const owners = Array.from({ length: 120 }, (_none, index) => someOwner('feed', old + index));
    await world.table.batchWrite(owners.map((owner) => pendingRow('feed', owner, old)));
    await sweepWorker(world.deps)();
    const sent = world.sentTo('feed').map((body) => jobs.feed.parse(body));
    expect(sent.map(({ rows }) => rows.length)).toEqual([98, 22]);
    const named = sent.flatMap(({ rows }) => rows.map(({ pk }) => pk));
    expect(named.toSorted()).toEqual(owners.map((owner) => `OWED#${owner}`).toSorted());
  });

  test.each(sweptKinds.filter((kind) => kind !== 'deliver'))(
    'skips work that is pending for less than a minute (%s)',
    async (kind) => {
      const world = memoryDeps();
      const [young, due] = [someOwner(kind), someOwner(kind)];
      const age = (owner: string, ms: number) => pendingRow(kind, owner, memoryStartMs - ms);
      await world.table.batchWrite([age(young, minute), age(due, minute + 1)]);
      await sweepWorker(world.deps)();
      expect(world.sentTo(queueOf(kind))).toEqual([jobFor(kind, due)]);
      world.clock.advance(1);
      await sweepWorker(world.deps)();
      expect(JSON.stringify(world.sentTo(queueOf(kind)))).toContain(young);
    },
  );

  test('wakes a delivery at the time in the index, which includes the minute', async () => {
    const world = memoryDeps();
    const [young, due] = [someOwner('deliver'), someOwner('deliver')];
    await world.table.batchWrite([
      pendingRow('deliver', young, memoryStartMs),
      pendingRow('deliver', due, memoryStartMs - 1),
    ]);
    await sweepWorker(world.deps)();
    expect(world.sentTo('deliver')).toEqual([jobFor('deliver', due)]);
  });

  test('leaves sandbox users with data to their own schedule, which wakes them when they are due', async () => {
    const world = memoryDeps();
    world.clock.freeze();
    const [later, due] = [someOwner('sandbox'), someOwner('sandbox')];
    await world.table.batchWrite([
      pendingRow('sandbox', later, memoryStartMs),
      pendingRow('sandbox', due, memoryStartMs - 1),
    ]);
    await sweepWorker(world.deps)();
    expect(world.calls).toEqual([]);
    await wakeDue(world.deps, 'sandbox');
    expect(world.sentTo('seed')).toEqual([{ user_id: due }]);
  });
});

describe.each(sweptKinds)('when %s fails', (broken) => {
  const others = sweptKinds.filter((kind) => kind !== broken);

  async function othersAreSwept(world: MemoryDeps, table: Table): Promise<void> {
    const owners = await addPendingOfEveryKind(world);
    await expect(sweepWorker(world.withTable(table))()).rejects.toThrow(new Error(`could not sweep: ${broken}`));
    expect(world.sentTo(queueOf(broken))).toEqual([]);
    for (const kind of others) expect(world.sentTo(queueOf(kind))).toEqual([jobFor(kind, owners[kind])]);
    const errors = world.log.filter(({ level }) => level === 'error');
    expect(errors.map(({ fields }) => fields)).toEqual([{ kind: broken, cause: expect.any(Error) }]);
  }

  test('because its index cannot be read, every other kind is swept, and the failure is logged', async () => {
    const world = memoryDeps();
    // Until it is done, the move of users to new formulas also reads this index.
    await sweepWorker(world.deps)();
    await othersAreSwept(
      world,
      failingFor(world.table, (partition) => partition.startsWith(`DUE#${broken}#`)),
    );
  });

  test('because its queue is unavailable, every other kind is swept, and the failure is logged', async () => {
    const world = memoryDeps();
    world.unavailableQueues.add(queueOf(broken));
    await othersAreSwept(world, world.table);
  });
});

wakeMany(24_000);

test('the ids of owners spread over all shards of the index', () => {
  const parts = Array.from({ length: 4_000 }, (_none, index) => {
    const id = makeId('user', memoryStartMs + index, crypto.getRandomValues(new Uint8Array(10)));
    return pendingIndexKeys('user', id, 0).duePk;
  });
  const counts = [...Map.groupBy(parts, (part) => part).values()].map(({ length }) => length);
  expect(counts).toHaveLength(8);
  for (const count of counts) expect(count).toBeGreaterThan(300);
});
