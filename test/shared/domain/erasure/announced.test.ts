// The receipt is the last that is told of a person: it waits until the feed's writer has numbered everything before it.
import { expect, test } from 'vitest';
import { eraseUser } from '../../../../shared/domain/erasure/erase-user.ts';
import { workerLifeMs } from '../../../../shared/domain/work/worker-life.ts';
import { userPartition } from '../../../../shared/store/keys.ts';
import { outboxRows } from '../../../../shared/store/outbox.ts';
import { eventsOf } from '../../../harness/erasure/verdict.ts';
import { openWorld } from '../../../harness/erasure/world.ts';
import { newEvent, numberWaiting, oneTo, wholeFeed } from '../../../harness/outbox.ts';

test('erasure leaves what a person’s commits announce to the feed’s writer, and is done when none is left', async () => {
  const world = await openWorld();
  const { deps, caller, id } = world;
  const feed = { account: caller.account, env: caller.env };
  // More than an eraser takes in one step.
  for (const _ of oneTo(6)) {
    const events = oneTo(100).map(() => newEvent(feed, { userId: id, type: 'device.connected' }));
    await deps.store.table.transact(events.map((event) => outboxRows(deps.store).appending(id, event)));
  }
  await world.delete();
  await eraseUser(deps, id);
  world.clock.advance(workerLifeMs);
  await eraseUser(deps, id);
  const left = world.table.rows().filter(({ pk }) => pk === userPartition(id));
  expect(new Set(left.map(({ sk }) => String(sk).split('#')[0]))).toEqual(new Set(['@USER', 'OUT']));
  expect(eventsOf(world).map(({ type }) => type)).not.toContain('user.deleted');

  await numberWaiting(deps);
  await eraseUser(deps, id);
  await numberWaiting(deps);
  expect(world.table.rows().filter(({ pk }) => pk === userPartition(id))).toEqual([]);
  const told = await wholeFeed(deps.store, feed);
  expect(told).toHaveLength(602);
  expect(told.at(-1)).toMatchObject({ type: 'user.deleted', user: id });
});
