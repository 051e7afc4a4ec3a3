// The receipt is the last event about a user: pending events are published before it, and nobody
// waits for the feed writer.
import { expect, test } from 'vitest';
import { feedWorker } from '../../../functions/workers/feed.ts';
import { eraseUser } from '../../../shared/erasure/erase-user.ts';
import { outboxRows } from '../../../shared/events/outbox-rows.ts';
import type { Table } from '../../../shared/platform/ports.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { userPartition } from '../../../shared/system/keys.ts';
import { openStore } from '../../../shared/system/store.ts';
import { openWorld } from '../../harness/erasure/world.ts';
import {
  feedMessages,
  newEvent,
  numberPendingEvents,
  oneTo,
  readAllFeedRows,
  writeEvents,
} from '../../harness/outbox.ts';

test.each([1, 89, 90, 91, 600])(
  'the events of %i commits that are not numbered yet are published before the receipt',
  async (commits) => {
    const world = await openWorld();
    const { deps, caller, id } = world;
    const feed = { account: caller.account, env: caller.env };
    await numberPendingEvents(deps);
    const events = oneTo(commits).map((at) => newEvent(feed, { userId: id, type: 'device.connected', atMs: at }));
    for (let from = 0; from < commits; from += 100)
      await deps.store.table.transact(
        events.slice(from, from + 100).map((event) => outboxRows(deps.store).buildAppend(id, event)),
      );
    const before = (await readAllFeedRows(deps.store, feed)).length;
    await world.delete();
    await eraseUser(deps, id);
    expect(world.table.rows().filter(({ pk }) => pk === userPartition(id))).toEqual([]);
    await numberPendingEvents(deps);
    const announced = (await readAllFeedRows(deps.store, feed)).slice(before);
    expect(announced.map((event) => event.id).slice(0, -1)).toEqual(events.map((event) => event.id));
    expect(announced.at(-1)).toMatchObject({ type: 'user.deleted', user: id });
  },
);

/** Runs another worker before the first transaction of the eraser. */
function overtaken(deps: Deps, runOther: () => Promise<void>): Deps {
  const { table } = deps.store;
  let hasRun = false;
  const transact: Table['transact'] = async (writes) => {
    if (!hasRun) {
      hasRun = true;
      await runOther();
    }
    return table.transact(writes);
  };
  return { ...deps, store: openStore({ ...table, transact }, deps.clock) };
}

test('events that the feed writer numbers while the receipt is written are not published twice', async () => {
  const world = await openWorld();
  const { deps, caller, id } = world;
  const feed = { account: caller.account, env: caller.env };
  await world.delete();
  await eraseUser(
    overtaken(deps, () => numberPendingEvents(deps)),
    id,
  );
  await numberPendingEvents(deps);
  const announced = await readAllFeedRows(deps.store, feed);
  const ids = announced.map((event) => event.id);
  expect(ids.length).toBeGreaterThan(1);
  expect(ids).toEqual([...new Set(ids)]);
  expect(announced.at(-1)).toMatchObject({ type: 'user.deleted', user: id });
  expect(world.table.rows().filter(({ pk }) => pk === userPartition(id))).toEqual([]);
});

test('events that are numbered while the rows of more than one transaction are merged are not published twice', async () => {
  const world = await openWorld();
  const { deps, caller, id } = world;
  const feed = { account: caller.account, env: caller.env };
  await numberPendingEvents(deps);
  const events = oneTo(95).map((at) => newEvent(feed, { userId: id, type: 'device.connected', atMs: at }));
  const rows = await writeEvents(deps.store, events);
  await world.delete();
  const numberFirst = async () => {
    for (const message of feedMessages(feed, rows.slice(0, 1))) await feedWorker(deps)(message);
  };
  await eraseUser(overtaken(deps, numberFirst), id);
  await numberPendingEvents(deps);
  const ids = (await readAllFeedRows(deps.store, feed)).map((event) => event.id);
  expect(ids).toEqual([...new Set(ids)]);
  expect(ids).toEqual(expect.arrayContaining(events.map((event) => event.id)));
});

test('an eraser that another one overtakes at the end does not send a second receipt', async () => {
  const world = await openWorld();
  const { deps, caller, id } = world;
  await world.delete();
  await numberPendingEvents(deps);
  await eraseUser(
    overtaken(deps, () => eraseUser(deps, id)),
    id,
  );
  await numberPendingEvents(deps);
  const announced = await readAllFeedRows(deps.store, { account: caller.account, env: caller.env });
  expect(announced.filter(({ type }) => type === 'user.deleted')).toHaveLength(1);
});
