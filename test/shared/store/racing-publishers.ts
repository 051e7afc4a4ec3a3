// Publishers that race over batches which repeat, overlap and fail, held against what they have published.
import fc from 'fast-check';
import { expect } from 'vitest';
import { publishEvents } from '../../../shared/domain/events/publish-events.ts';
import type { Table } from '../../../shared/engine/ports.ts';
import { eventRows } from '../../../shared/store/events.ts';
import { freshFeed, newEvent, oneTo, openOutbox, wholeFeed, writeEvents } from '../../harness/outbox.ts';

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

const plan = fc.record({
  feeds: fc.integer({ min: 1, max: 3 }),
  events: fc.integer({ min: 1, max: 70 }),
  publishers: fc.integer({ min: 1, max: 4 }),
  feedsAreKnown: fc.boolean(),
  /** Which batch an event comes in first, and which ones it comes in again. */
  batches: fc.array(fc.array(fc.nat(69), { minLength: 1, maxLength: 40 }), { maxLength: 12 }),
  failures: fc.array(fc.constantFrom('before' as const, 'after' as const, undefined), { maxLength: 10 }),
});

export async function checkRacingPublishers(table: Table, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(plan, async ({ feeds: feedCount, events, publishers, feedsAreKnown, batches, failures }) => {
      const outbox = openOutbox(table);
      const feeds = oneTo(feedCount).map(freshFeed);
      const written = oneTo(events).map((n) => newEvent(feeds[n % feedCount] ?? freshFeed()));
      const ids = await writeEvents(outbox.store, written);
      outbox.bus.failing = () => failures.shift();

      const waiting = [...batches.map((batch) => batch.flatMap((n) => ids[n] ?? [])), ids.toReversed()];
      await Promise.all(
        oneTo(publishers).map(async () => {
          for (let batch = waiting.shift(); batch; batch = waiting.shift()) {
            const failed = await publishEvents(outbox, batch, feedsAreKnown ? feeds : []);
            if (failed.size > 0) waiting.push([...failed]);
          }
        }),
      );

      const told = new Map(outbox.bus.told.map(({ event, seq }) => [event.event_id, seq]));
      for (const feed of feeds) {
        const mine = written.filter(({ account }) => account === feed.account);
        const rows = await wholeFeed(outbox.store, feed);
        expect(rows.map(({ seq }) => seq)).toEqual(oneTo(mine.length));
        expect(idsOf(rows).toSorted()).toEqual(idsOf(mine).toSorted());
        for (const { id, seq } of rows) expect(told.get(id)).toBe(seq);
      }
      for (const { event, seq } of outbox.bus.told) expect(told.get(event.event_id)).toBe(seq);
      const owed = await eventRows(outbox.store).unpublished(ids, []);
      expect(idsOf(owed.events)).toEqual(ids);
      for (const { id, seq } of owed.events) expect(told.get(id)).toBe(seq);
    }),
    { numRuns },
  );
}
