// A metric that was renamed stands in older rows under its former name, and is read as what it is called now.
import { beforeEach, expect, test } from 'vitest';
import type { Table } from '../../../shared/engine/ports.ts';
import { commandRows } from '../../../shared/store/commands.ts';
import { eventRows } from '../../../shared/store/events.ts';
import { feedRowItem, feedRows } from '../../../shared/store/feed.ts';
import type { Store } from '../../../shared/store/store.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { freshFeed, newEvent } from '../../harness/outbox.ts';
import { pendingCommands } from '../../harness/pending-commands.ts';
import { storeOn } from '../../harness/store-on.ts';
import { someUpload } from './some-upload.ts';

const user = 'usr_a';
const before = ['asleep', 'main_sleep', 'steps'];
const now = ['asleep', 'longest_sleep', 'steps'];

let table: Table;
let store: Store;
beforeEach(() => {
  table = memoryTable();
  store = storeOn(table);
});

test('in an event that is owed', async () => {
  const event = newEvent(freshFeed(), { type: 'data.updated', metrics: before });
  await table.transact([eventRows(store).inserting(event)]);
  const { events, unreadable } = await eventRows(store).unpublished([event.id], []);
  expect([events.map(({ metrics }) => metrics), unreadable]).toEqual([[now], []]);
});

test('in an event of the feed', async () => {
  const feed = freshFeed();
  const row = { seq: 1, id: 'evt_1', type: 'data.updated', atMs: 1, publishedMs: 1, afterMs: 0 } as const;
  await table.transact([{ kind: 'put', item: feedRowItem(feed, { ...row, metrics: before }, undefined) }]);
  const { rows } = await feedRows(store).after(feed, 0, 9);
  expect(rows.map(({ metrics }) => metrics)).toEqual([now]);
});

test('in what a pass is about to change', async () => {
  await table.transact([commandRows(store).appending(user, someUpload())]);
  const [waiting] = await pendingCommands(table, user);
  if (waiting?.kind !== 'upload') throw new Error('nothing waits');
  await commandRows(store).note(user, waiting, {
    metrics: before,
    sleep: true,
    workouts: false,
    from: null,
    to: null,
    runs: [],
  });
  expect(await pendingCommands(table, user)).toMatchObject([{ noted: { metrics: now } }]);
});

test('in what a long command has to announce', async () => {
  await table.transact([commandRows(store).asking(user, 'rebuild', 'ask_1', 1_000)]);
  const [waiting] = await pendingCommands(table, user);
  if (waiting?.kind !== 'rebuild') throw new Error('nothing waits');
  await commandRows(store).announce(user, waiting, { metrics: before, from: '2026-03-10', to: '2026-03-10' });
  expect(await pendingCommands(table, user)).toMatchObject([{ announced: { metrics: now } }]);
});
