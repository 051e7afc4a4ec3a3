// The eraser merges outbox rows of a user while the feed writer is numbering some of them.
import { expect, test } from 'vitest';
import { feedWorker } from '../../../functions/workers/feed.ts';
import { outboxRows } from '../../../shared/events/outbox-rows.ts';
import type { Table } from '../../../shared/platform/ports.ts';
import { commitConditionally, openStore } from '../../../shared/system/store.ts';
import { memoryDeps } from '../../harness/memory-deps.ts';
import {
  feedMessages,
  newEvent,
  newFeedName,
  numberPendingEvents,
  readAllFeedRows,
  writeEvents,
} from '../../harness/outbox.ts';

const user = 'usr_01k00000000000000000000000';

/**
 * Writes three events of a user. Before a page of the named ones is committed, all their rows are
 * merged.
 */
async function mergeMeanwhile(named: readonly number[], position: 'inside' | 'outside') {
  const { deps, table } = memoryDeps();
  const feed = newFeedName();
  const events = [1, 2, 3].map((atMs) => newEvent(feed, { atMs, userId: user }));
  const rows = await writeEvents(deps.store, events);
  let isMerged: boolean | undefined;
  const stallingTable: Table = {
    ...table,
    async transact(writes) {
      if (isMerged === undefined) {
        const { listByUser, buildMerge } = outboxRows(deps.store);
        isMerged = await commitConditionally(deps.store, buildMerge(await listByUser(user, 90), position));
      }
      return table.transact(writes);
    },
  };
  const writer = { ...deps, store: openStore(stallingTable, deps.clock) };
  const some = rows.filter((_, at) => named.includes(at));
  for (const message of feedMessages(feed, some)) await feedWorker(writer)(message);
  expect(isMerged).toBe(true);
  await numberPendingEvents(deps);
  const numbered = (await readAllFeedRows(deps.store, feed)).map(({ id }) =>
    events.findIndex((event) => event.id === id),
  );
  return { numbered, left: await outboxRows(deps.store).listByUser(user, 90) };
}

test.each(
  [[0], [1], [0, 1], [0, 1, 2]].flatMap((named) => (['inside', 'outside'] as const).map((at) => ({ named, at }))),
)('rows $named, merged $at: each event is numbered once, in order', async ({ named, at }) => {
  expect(await mergeMeanwhile(named, at)).toEqual({ numbered: [0, 1, 2], left: [] });
});

test('rows that were numbered in the meantime are not merged', async () => {
  const { deps } = memoryDeps();
  const feed = newFeedName();
  const events = [1, 2, 3].map((atMs) => newEvent(feed, { atMs, userId: user }));
  const rows = await writeEvents(deps.store, events);
  for (const at of [0, 1]) {
    const waiting = await outboxRows(deps.store).listByUser(user, 90);
    for (const message of feedMessages(feed, rows.slice(at, at + 1))) await feedWorker(deps)(message);
    for (const position of ['inside', 'outside'] as const)
      expect(await commitConditionally(deps.store, outboxRows(deps.store).buildMerge(waiting, position))).toBe(false);
  }
  await numberPendingEvents(deps);
  expect((await readAllFeedRows(deps.store, feed)).map(({ id }) => id)).toEqual(events.map(({ id }) => id));
});
