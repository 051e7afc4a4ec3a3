// A metric that was renamed stands in older rows under its former name, and is read as what it is called now.
import { beforeEach, expect, test } from 'vitest';
import type { Table } from '../../../shared/engine/ports.ts';
import { batchRows } from '../../../shared/store/batches.ts';
import { newState, stateRows } from '../../../shared/store/states.ts';
import type { Store } from '../../../shared/store/store.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { freshFeed, newEvent, numberedEvents, openOutbox, wholeFeed } from '../../harness/outbox.ts';
import { storeOn } from '../../harness/store-on.ts';

const user = 'usr_a';
const before = ['asleep', 'main_sleep', 'steps'];
const now = ['asleep', 'longest_sleep', 'steps'];

let table: Table;
let store: Store;
beforeEach(() => {
  table = memoryTable();
  store = storeOn(table);
});

test('in an event that waits to be numbered, and in the feed', async () => {
  const feed = freshFeed();
  const outbox = openOutbox(table);
  await numberedEvents(outbox, feed, [newEvent(feed, { type: 'data.updated', metrics: before })]);
  expect((await wholeFeed(store, feed)).map(({ metrics }) => metrics)).toEqual([now]);
});

test('in what an upload that is not finished has changed', async () => {
  const about = { user, batch: 'bat_a', device: 'dev_a', receivedMs: 1_000, source: 'sdk', format: 1, timeZone: null };
  const upload = { ...about, scopes: [], records: 1, from: '', to: '', raw: new Uint8Array(1) };
  await table.transact([batchRows(store).owing(upload)]);
  const [waiting] = await batchRows(store).waiting(user, 9);
  if (!waiting) throw new Error('nothing waits');
  const changed = { metrics: before, sleep: true, workouts: false, from: null, to: null, runs: [] };
  await batchRows(store).noteChanges(user, waiting, changed);
  const again = await batchRows(store).waiting(user, 9);
  expect(again.map((row) => row.changed?.metrics)).toEqual([now]);
});

test('in what a rebuild has to tell', async () => {
  const announced = { metrics: before, from: '2026-03-10', to: '2026-03-10' };
  await table.transact([stateRows(store).asking(user, newState, newState.settings, 1_000)]);
  await stateRows(store).advance(user, { generation: 1, through: null, announced }, 5_000);
  expect((await stateRows(store).of(user)).progress?.announced.metrics).toEqual(now);
});
