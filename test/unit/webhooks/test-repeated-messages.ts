import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deliverWorker } from '../../../functions/workers/deliver.ts';
import { feedWorker } from '../../../functions/workers/feed.ts';
import { relayWorker } from '../../../functions/workers/relay.ts';
import { FeedPageJob, jobs } from '../../../shared/system/jobs.ts';
import { openDeliveryWorld, type QueuedMessage } from '../../harness/delivery-world.ts';
import { type EngineDomainWorld, openEngineDomainWorld } from '../../harness/domain-world.ts';
import { newEvent, oneTo, readAllFeedRows, writeEvents } from '../../harness/outbox.ts';

const arrival = fc.record({
  what: fc.constantFrom('stream record' as const, 'bus event' as const, 'queue message' as const),
  /** Indexes into what has been sent so far. All of it is kept, and may arrive again. */
  which: fc.array(fc.nat(), { minLength: 1, maxLength: 5 }),
});
const arrivals = fc.array(fc.array(arrival, { minLength: 1, maxLength: 4 }), { maxLength: 8 });

export function testRepeats(runs: number): void {
  let domainWorld: EngineDomainWorld;
  beforeAll(async () => {
    domainWorld = await openEngineDomainWorld();
  });
  afterAll(() => domainWorld.localTable.stop());

  test('repeated and reordered stream records, bus events and queue messages give each event one number, and each endpoint one delivery and one request', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 8 }), arrivals, async (count, rounds) => {
        const world = openDeliveryWorld(domainWorld.localTable.table);
        const { feed, deps } = world;
        const hooks = [await world.register(), await world.register()];
        const events = oneTo(count).map(() => newEvent(feed));
        const rows = await writeEvents(deps.store, events);
        const group = `${feed.account}#${feed.env}`;
        const deliver = deliverWorker(deps);
        /** Everything that was ever sent is kept, and may arrive again. */
        const messages: QueuedMessage[] = [];
        const pages: unknown[] = [];
        const collect = () => {
          messages.push(...world.queued.splice(0));
          pages.push(...world.bus.pages.splice(0));
        };
        const arrive = {
          'stream record': (which: number[]) =>
            relayWorker(deps)(
              which.flatMap((n) => rows[n % rows.length] ?? []).map((key) => ({ ...key, feed: group })),
            ),
          'bus event': async (which: number[]) => {
            for (const page of which.flatMap((n) => pages[n % pages.length] ?? []))
              await deliver(FeedPageJob.parse(page));
          },
          'queue message': async (which: number[]) => {
            for (const { queue, body } of which.flatMap((n) => messages[n % messages.length] ?? []))
              if (queue === 'feed') await feedWorker(deps)(jobs.feed.parse(body));
              else await deliver(jobs.deliver.parse(body));
          },
        };
        for (const round of rounds)
          for (const { what, which } of round) {
            await arrive[what](which);
            collect();
          }
        // Finally, everything arrives, in reverse order, together with everything that follows from
        // it.
        await arrive['stream record']([...rows.keys()].reverse());
        collect();
        await arrive['queue message']([...messages.keys()].reverse());
        collect();
        await arrive['bus event']([...pages.keys()].reverse());
        collect();
        const isDelivery = (at: number) => messages[at]?.queue === 'deliver';
        await arrive['queue message']([...messages.keys()].filter(isDelivery).reverse());

        const numbered = await readAllFeedRows(deps.store, feed);
        const ids = events.map(({ id }) => id);
        expect(numbered.map(({ seq }) => seq)).toEqual(oneTo(count));
        expect(numbered.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
        for (const hook of hooks) {
          const delivered = (await world.deliveries(hook.id)).map(({ eventId, status }) => `${eventId} ${status}`);
          expect(delivered.toSorted()).toEqual(ids.map((id) => `${id} delivered`).toSorted());
          const sent = world.webhookRequests
            .filter(({ url }) => url === hook.url)
            .map(({ headers }) => headers['webhook-id']);
          expect(sent.toSorted()).toEqual(ids.toSorted());
        }
      }),
      { numRuns: runs },
    );
  });
}
