// A feed's events go out in pieces; from the first piece that fails on, all of them are told as unpublished.
import { expect, test } from 'vitest';
import { publishEvents } from '../../../../shared/domain/events/publish-events.ts';
import { memoryTable } from '../../../harness/memory-table.ts';
import { freshFeed, newEvent, oneTo, openOutbox, writeEvents } from '../../../harness/outbox.ts';

test('the pieces behind one that failed are neither published nor forgotten', async () => {
  const outbox = openOutbox(memoryTable());
  const feed = freshFeed();
  const ids = await writeEvents(
    outbox.store,
    oneTo(70).map(() => newEvent(feed)),
  );
  let calls = 0;
  outbox.bus.failing = () => (++calls === 2 ? 'before' : undefined);
  expect(await publishEvents(outbox, ids)).toEqual(new Set(ids.slice(25)));
  expect(outbox.bus.told.map(({ event }) => event.event_id)).toEqual(ids.slice(0, 25));
});

test('events of which some have numbers already keep them', async () => {
  const outbox = openOutbox(memoryTable());
  const feed = freshFeed();
  const [a = '', b = '', c = '', d = ''] = await writeEvents(
    outbox.store,
    oneTo(4).map(() => newEvent(feed)),
  );
  await publishEvents(outbox, [b, c]);
  outbox.bus.told.length = 0;
  await publishEvents(outbox, [a, b, c, d]);
  expect(outbox.bus.told.map(({ seq, event }) => [seq, event.event_id])).toEqual([
    [3, a],
    [1, b],
    [2, c],
    [4, d],
  ]);
});
