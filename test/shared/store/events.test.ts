import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TablePlace } from '../../../infra/local/local-table.ts';
import { publishEvents } from '../../../shared/domain/events/publish-events.ts';
import { TransactionRefused } from '../../../shared/engine/ports.ts';
import { makeId } from '../../../shared/model/ids.ts';
import { eventRows } from '../../../shared/store/events.ts';
import { type FeedName, feedRows } from '../../../shared/store/feed.ts';
import { keys } from '../../../shared/store/keys.ts';
import { onEveryEngine } from '../../harness/every-engine.ts';
import { freshFeed, newEvent, type Outbox, oneTo, openOutbox, wholeFeed, writeEvents } from '../../harness/outbox.ts';
import { startTable } from './engines.ts';
import { checkRacingPublishers } from './racing-publishers.ts';

onEveryEngine('the outbox', (kind) => {
  let place: TablePlace;
  let calls: { operation: string; writeUnits: number }[] = [];
  beforeAll(async () => {
    place = await startTable(kind, (call) => calls.push(call));
  });
  afterAll(() => place.stop());

  async function outboxWith(count: number): Promise<{ outbox: Outbox; feed: FeedName; ids: string[] }> {
    const outbox = openOutbox(place.table);
    const feed = freshFeed();
    const ids = await writeEvents(
      outbox.store,
      oneTo(count).map(() => newEvent(feed)),
    );
    return { outbox, feed, ids };
  }
  const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);
  const isDue = async (id: string) => (await place.table.get(keys.event(id), { consistent: true })) !== undefined;

  test('an event is written with its change or not at all', async () => {
    const { outbox, ids } = await outboxWith(1);
    const told = newEvent(freshFeed());
    const change = {
      kind: 'put' as const,
      item: { ...keys.event(ids[0] ?? ''), a: 1 },
      condition: 'attribute_not_exists(#pk)',
    };
    await expect(outbox.store.commit([change, eventRows(outbox.store).inserting(told)])).rejects.toThrow(
      TransactionRefused,
    );
    expect(await isDue(told.id)).toBe(false);
  });

  test('a change whose event is refused does not happen', async () => {
    const { outbox, ids } = await outboxWith(1);
    const change = { kind: 'put' as const, item: { pk: `TEST#${ids[0]}`, sk: 'CHANGE' } };
    const again = eventRows(outbox.store).inserting(newEvent(freshFeed(), { id: ids[0] ?? '' }));
    await expect(outbox.store.commit([change, again])).rejects.toThrow(TransactionRefused);
    expect(await place.table.get(change.item, { consistent: true })).toBeUndefined();
  });

  test('publishing numbers events in their order and tells the bus; they are owed until webhooks are told', async () => {
    const { outbox, feed, ids } = await outboxWith(60);
    expect(await publishEvents(outbox, ids)).toEqual(new Set());
    const rows = await wholeFeed(outbox.store, feed);
    expect(idsOf(rows)).toEqual(ids);
    expect(rows.map(({ seq }) => seq)).toEqual(oneTo(60));
    expect(outbox.bus.told.map(({ seq, event, account, env }) => [seq, event.event_id, account, env])).toEqual(
      ids.map((id, index) => [index + 1, id, feed.account, feed.env]),
    );
    for (const id of ids) {
      expect(await isDue(id)).toBe(true);
      await eventRows(outbox.store).forget(id);
      expect(await isDue(id)).toBe(false);
    }
  });

  test('the same events again change nothing', async () => {
    const { outbox, feed, ids } = await outboxWith(3);
    await publishEvents(outbox, ids, [feed]);
    await publishEvents(outbox, [...ids, ...ids].reverse(), [feed]);
    expect(idsOf(await wholeFeed(outbox.store, feed))).toEqual(ids);
    const numberOf = new Map(ids.map((id, index) => [id, index + 1]));
    expect(outbox.bus.told).toHaveLength(6);
    for (const { event, seq } of outbox.bus.told) expect(seq).toBe(numberOf.get(event.event_id));
    for (const id of ids) await eventRows(outbox.store).forget(id);
    await publishEvents(outbox, ids, [feed]);
    expect(outbox.bus.told).toHaveLength(6);
  });

  test.each(['before', 'after'] as const)(
    'a bus that fails %s taking them leaves them due under their numbers',
    async (when) => {
      const { outbox, feed, ids } = await outboxWith(2);
      outbox.bus.failing = () => when;
      expect(await publishEvents(outbox, ids)).toEqual(new Set(ids));
      expect(await Promise.all(ids.map(isDue))).toEqual([true, true]);
      outbox.bus.failing = () => undefined;
      outbox.bus.told.length = 0;
      expect(await publishEvents(outbox, ids)).toEqual(new Set());
      expect(outbox.bus.told.map(({ seq, event }) => [seq, event.event_id])).toEqual([
        [1, ids[0]],
        [2, ids[1]],
      ]);
      expect(idsOf(await wholeFeed(outbox.store, feed))).toEqual(ids);
      expect(await Promise.all(ids.map(isDue))).toEqual([true, true]);
    },
  );

  test('what was numbered or published since it was read is not numbered again, nor does its row come back', async () => {
    const { outbox, feed, ids } = await outboxWith(2);
    const { store } = outbox;
    const read = await eventRows(store).unpublished(ids, [feed]);
    await publishEvents(outbox, ids.slice(0, 1));
    const numbering = (id: string | undefined) =>
      feedRows(store)
        .end(feed)
        .then((end) =>
          eventRows(store).number(
            feed,
            end,
            read.events.filter((event) => event.id === id),
            Date.now(),
          ),
        );
    await expect(numbering(ids[0])).rejects.toThrow(TransactionRefused);
    await eventRows(store).forget(ids[0] ?? '');
    await expect(numbering(ids[0])).rejects.toThrow(TransactionRefused);
    expect(await isDue(ids[0] ?? '')).toBe(false);
    await numbering(ids[1]);
    await expect(numbering(ids[1])).rejects.toThrow(TransactionRefused);
    expect(idsOf(await wholeFeed(store, feed))).toEqual(ids);
  });

  test('one that is published again and again is looked for later each time, an hour later at most', async () => {
    const { outbox, ids } = await outboxWith(1);
    const [id = ''] = ids;
    const [event] = (await eventRows(outbox.store).unpublished(ids, [])).events;
    if (!event) throw new Error('it is missing');
    const pauses: number[] = [];
    for (const age of [1_000, 60_000, 1_800_000, 90 * 60_000, 24 * 3_600_000]) {
      const now = event.atMs + age;
      await publishEvents({ ...outbox, clock: { now: () => now } }, ids);
      const row = await place.table.get(keys.event(id));
      pauses.push(Number.parseInt(String(row?.['dueSk']), 10) - now);
    }
    // The first time it was new: its mark stays where it was.
    expect(pauses).toEqual([-1_000, 60_000, 1_800_000, 3_600_000, 3_600_000]);
    await eventRows(outbox.store).forget(id);
    await eventRows(outbox.store).postpone(event, event.atMs + 60_000);
    expect(await isDue(id)).toBe(false);
  });

  test('one environment that fails holds up no other', async () => {
    const {
      outbox,
      ids: [bad = ''],
    } = await outboxWith(1);
    const other = freshFeed();
    const [good = ''] = await writeEvents(outbox.store, [newEvent(other)]);
    const publish = outbox.bus.publish;
    outbox.bus.publish = async (entries) => {
      if (entries.some(({ detail }) => JSON.stringify(detail).includes(bad))) throw new Error('not this one');
      await publish(entries);
    };
    expect(await publishEvents(outbox, [bad, good])).toEqual(new Set([bad]));
    expect(idsOf(await wholeFeed(outbox.store, other))).toEqual([good]);
  });

  test('a row that is no event is reported and holds up no other', async () => {
    const { outbox, feed, ids } = await outboxWith(1);
    const broken = makeId('event', Date.now(), new Uint8Array(10));
    await place.table.write({ kind: 'put', item: { ...keys.event(broken), id: broken } });
    expect(await publishEvents(outbox, [broken, ...ids])).toEqual(new Set([broken]));
    expect(idsOf(await wholeFeed(outbox.store, feed))).toEqual(ids);
  });

  test('age grows along the feed even when a publisher has a slow clock', async () => {
    const { outbox, feed, ids } = await outboxWith(2);
    await publishEvents(outbox, ids.slice(0, 1));
    await publishEvents({ ...outbox, clock: { now: () => Date.now() - 60_000 } }, ids.slice(1));
    const [first, second] = await wholeFeed(outbox.store, feed);
    expect(second?.publishedMs).toBe(first?.publishedMs);
    expect(second?.afterMs).toBe(first?.publishedMs);
  });

  describe('costs', () => {
    test.each([1, 10, 25])('two table calls for a batch of %i', async (count) => {
      const { outbox, feed, ids } = await outboxWith(count);
      await publishEvents(outbox, ids, [feed]);
      const more = await writeEvents(
        outbox.store,
        oneTo(count).map(() => newEvent(feed)),
      );
      calls = [];
      await publishEvents(outbox, more, [feed]);
      expect(calls.map(({ operation }) => operation)).toEqual(['BatchGetItem', 'TransactWriteItems']);
    });

    test('one read, and a mark each to look later, for events that were published before', async () => {
      const { outbox, feed, ids } = await outboxWith(10);
      await publishEvents(outbox, ids, [feed]);
      calls = [];
      await publishEvents(outbox, ids, [feed]);
      expect(calls.map(({ operation }) => operation)).toEqual(['BatchGetItem', ...ids.map(() => 'UpdateItem')]);
    });
  });

  test('however batches repeat, overlap, race and fail, numbers are dense and every event has one', async () => {
    await checkRacingPublishers(place.table, 4);
  });
});
