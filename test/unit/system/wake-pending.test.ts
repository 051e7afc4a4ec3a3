import { expect, test } from 'vitest';
import type { Deps } from '../../../shared/system/deps.ts';
import { pendingShards } from '../../../shared/system/pending-kinds.ts';
import { wakeDue } from '../../../shared/system/wake-pending.ts';
import { memoryDeps, memoryStartMs } from '../../harness/memory-deps.ts';
import { pendingRow, someOwner } from '../../harness/pending-work.ts';
import { tickForLong, uneven } from './long-schedule-runs.ts';

const minute = 60_000;

/** Runs one tick per minute, and returns how many messages each tick sent. */
async function ticks(world: ReturnType<typeof memoryDeps>, count: number): Promise<number[]> {
  const sent: number[] = [];
  for (let tick = 0; tick < count; tick++) {
    const before = world.sentTo('connection').length;
    await wakeDue(world.deps, 'sync');
    sent.push(world.sentTo('connection').length - before);
    world.clock.advance(minute);
  }
  return sent;
}

test('work that stays pending is not sent every minute, but every third', async () => {
  const world = memoryDeps();
  await ticks(world, 1);
  const dueMs = memoryStartMs + minute + 10_000;
  await world.table.batchWrite([1, 2, 3].map(() => pendingRow('sync', someOwner('sync'), dueMs)));
  // At the third minute, it was sent a minute ago.
  expect(await ticks(world, 12)).toEqual([0, 3, 0, 0, 0, 3, 0, 0, 3, 0, 0, 3]);
});

test('large amounts are sent again within a quarter of an hour, and not before 14 minutes', async () => {
  const world = memoryDeps();
  const many = 10_001;
  await world.table.batchWrite(
    Array.from({ length: many }, () => pendingRow('sync', someOwner('sync'), memoryStartMs - 1)),
  );
  const sent = await ticks(world, 20);
  expect(sent.flatMap((count, at) => (count === 0 ? [] : [[at, count]]))).toEqual([
    [0, many],
    [14, many],
  ]);
});

test('an owner that becomes due is sent at the next tick, and not before', async () => {
  const world = memoryDeps();
  const owners = [1, 2, 3, 4].map((at) => ({ owner: someOwner('sync'), dueMs: memoryStartMs + at * 90_000 }));
  await world.table.batchWrite(owners.map(({ owner, dueMs }) => pendingRow('sync', owner, dueMs)));
  for (let tick = 0; tick < 8; tick++) {
    await wakeDue(world.deps, 'sync');
    const messages = JSON.stringify(world.sentTo('connection'));
    for (const { owner, dueMs } of owners) expect(messages.includes(owner)).toBe(dueMs < world.clock.now());
    world.clock.advance(minute);
  }
});

test('missed ticks skip no owner', async () => {
  const world = memoryDeps();
  await ticks(world, 1);
  const owners = Array.from({ length: 40 }, (_none, at) => ({ at, owner: someOwner('sync') }));
  await world.table.batchWrite(owners.map(({ at, owner }) => pendingRow('sync', owner, memoryStartMs + at * 15_000)));
  world.clock.advance(11 * minute);
  expect(await ticks(world, 1)).toEqual([40]);
});

test('a tick of a clock that was an hour ahead does not delay the ticks after it', async () => {
  const world = memoryDeps();
  const ahead = { ...world.deps, clock: { now: () => memoryStartMs + 60 * minute } };
  await wakeDue(ahead, 'sync');
  await world.table.batchWrite([pendingRow('sync', someOwner('sync'), memoryStartMs - 1)]);
  expect(await ticks(world, 1)).toEqual([1]);
});

test('a tick whose messages were refused starts again at the same position', async () => {
  const world = memoryDeps();
  await ticks(world, 1);
  await world.table.batchWrite([pendingRow('sync', someOwner('sync'), memoryStartMs + 1)]);
  world.unavailableQueues.add('connection');
  await expect(wakeDue(world.deps, 'sync')).rejects.toThrow('the queue connection is unavailable');
  world.unavailableQueues.clear();
  expect(await ticks(world, 1)).toEqual([1]);
});

tickForLong(uneven);

test('a full read that ran out of time does not start over for 14 minutes', async () => {
  const world = memoryDeps();
  const many = 10_400;
  const dueMs = world.clock.now() - 20_000;
  const ownerIn = (part: number) => `${someOwner('sync').slice(0, -2)}0${part}`;
  await world.table.batchWrite(
    Array.from({ length: many }, (_none, at) => pendingRow('sync', ownerIn(at % pendingShards), dueMs + at)),
  );
  const { queue } = world.deps;
  const sendAll: typeof queue.sendAll = async (name, bodies) => {
    await queue.sendAll(name, bodies);
    world.clock.advance(50_000);
  };
  await wakeDue({ ...world.deps, queue: { ...queue, sendAll } }, 'sync');
  world.clock.advance(10_000);
  await ticks(world, 12);
  const sent = world.sentTo('connection').map((body) => JSON.stringify(body));
  expect(new Set(sent).size).toBe(many);
  expect(sent.length).toBeLessThan(many * 1.1);
});

test('ticks that find more than they can send do not delay work that was sent before and lost', async () => {
  const world = memoryDeps();
  const lost = someOwner('sync');
  await world.table.batchWrite([pendingRow('sync', lost, memoryStartMs - 1)]);
  await ticks(world, 1);
  const { queue } = world.deps;
  const slow: Deps = {
    ...world.deps,
    queue: {
      ...queue,
      async sendAll(name, bodies) {
        await queue.sendAll(name, bodies);
        world.clock.advance(46_000);
      },
    },
  };
  for (let tick = 0; tick < 4; tick++) {
    const dueMs = world.clock.now() - 1_000;
    await world.table.batchWrite(Array.from({ length: 10_001 }, () => pendingRow('sync', someOwner('sync'), dueMs)));
    await wakeDue(slow, 'sync');
    world.clock.advance(minute - 46_000);
  }
  expect(world.sentTo('connection').filter((body) => JSON.stringify(body).includes(lost)).length).toBeGreaterThan(1);
});

test('work that stays due keeps one deduplication key, and gets another one when it is due again', async () => {
  const world = memoryDeps();
  const slots: unknown[] = [];
  const { queue } = world.deps;
  const sendAll: typeof queue.sendAll = async (_name, _bodies, options) => void slots.push(options?.deduplicationKey);
  const deps: Deps = { ...world.deps, queue: { ...queue, sendAll } };
  const [first, second] = [someOwner('sync'), someOwner('sync')];
  await world.table.batchWrite([
    pendingRow('sync', first, memoryStartMs - 2),
    pendingRow('sync', second, memoryStartMs - 2),
  ]);
  await wakeDue(deps, 'sync');
  const [together] = slots;
  expect(new Set(Array.isArray(together) ? together : []).size).toBe(2);
  world.clock.advance(3 * minute);
  await wakeDue(deps, 'sync');
  expect(slots).toEqual([together, together]);
  await world.table.batchWrite([pendingRow('sync', first, world.clock.now() - 1)]);
  await wakeDue(deps, 'sync');
  expect(slots).toHaveLength(3);
  expect(together).not.toEqual(expect.arrayContaining(Array.isArray(slots[2]) ? slots[2] : []));
});
