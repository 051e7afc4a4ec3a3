import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deliverWorker } from '../../../../functions/workers/deliver/worker.ts';
import { fanOutWorker } from '../../../../functions/workers/fan-out/worker.ts';
import { publishWorker } from '../../../../functions/workers/publish/worker.ts';
import type { Deps } from '../../../../shared/domain/deps.ts';
import { registerWebhook } from '../../../../shared/domain/webhooks/endpoints.ts';
import type { Letter } from '../../../../shared/engine/ports.ts';
import { jobs } from '../../../../shared/model/jobs.ts';
import { deliveryRows } from '../../../../shared/store/deliveries.ts';
import { freshFeed, newEvent, oneTo, recordingBus, wholeFeed, writeEvents } from '../../../harness/outbox.ts';
import { openWorkshop, type Workshop } from '../../../harness/worker-deps.ts';

const arrival = fc.record({
  what: fc.constantFrom('stream record' as const, 'bus event' as const, 'queue message' as const),
  /** Which of those there are so far; it stays there and may come again. */
  which: fc.array(fc.nat(), { minLength: 1, maxLength: 5 }),
});
/** Those of one list arrive at the same time. */
const arrivals = fc.array(fc.array(arrival, { minLength: 1, maxLength: 4 }), { maxLength: 20 });

export function testRepeats(runs: number): void {
  let workshop: Workshop;
  beforeAll(async () => {
    workshop = await openWorkshop();
  });
  afterAll(() => workshop.place.stop());

  test('stream records, bus events and queue messages that repeat, overlap and overtake each other make one feed row, one delivery and one request each', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 8 }), arrivals, async (count, rounds) => {
        const { account, env } = freshFeed();
        const letters: Letter[] = [];
        const messages: unknown[] = [];
        const bus = recordingBus();
        const deps: Deps = {
          ...workshop.deps,
          bus,
          queue: {
            send: async (_queue, body) => void messages.push(body),
            sendAll: async (_queue, bodies) => void messages.push(...bodies),
            postpone: async () => {},
          },
          courier: {
            async post(letter) {
              letters.push(letter);
              return { kind: 'answered', status: 204, body: '', retryAfter: undefined };
            },
          },
        };
        const caller = { kind: 'api_key' as const, account, env, form: 2 as const };
        const hooks = await Promise.all(
          ['a', 'b'].map((name) => registerWebhook(deps, caller, { url: `http://127.0.0.1:9/${name}`, events: ['*'] })),
        );
        const events = oneTo(count).map(() => newEvent({ account, env }));
        const ids = await writeEvents(deps.store, events);
        const records = events.map(({ id }) => ({ id, account, env }));

        const [publish, fanOut, deliver] = [publishWorker(deps), fanOutWorker(deps), deliverWorker(deps)];
        const arrive = {
          'stream record': async (which: number[]) => {
            expect(await publish(which.flatMap((n) => records[n % records.length] ?? []))).toEqual([]);
          },
          'bus event': async (which: number[]) => {
            await Promise.all(which.flatMap((n) => bus.told[n % bus.told.length] ?? []).map(fanOut));
          },
          'queue message': async (which: number[]) => {
            const chosen = which.flatMap((n) => messages[n % messages.length] ?? []);
            await Promise.all(chosen.map((message) => deliver(jobs.deliver.parse(message))));
          },
        };
        for (const round of rounds) await Promise.all(round.map(({ what, which }) => arrive[what](which)));
        // Whatever has not come yet comes in the end, the last first.
        await arrive['stream record']([...records.keys()].reverse());
        await arrive['bus event']([...bus.told.keys()].reverse());
        await arrive['queue message']([...messages.keys()].reverse());

        const feed = await wholeFeed(deps.store, { account, env });
        expect(feed.map(({ seq }) => seq)).toEqual(oneTo(count));
        expect(feed.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
        for (const hook of hooks) {
          const rows: string[] = [];
          for await (const row of deliveryRows(deps.store).from(hook.id, '')) rows.push(`${row.eventId} ${row.status}`);
          expect(rows.toSorted()).toEqual(ids.map((id) => `${id} delivered`).toSorted());
          const sent = letters.filter(({ url }) => url === hook.url).map(({ headers }) => headers['webhook-id']);
          expect(sent.toSorted()).toEqual(ids.toSorted());
        }
      }),
      { numRuns: runs },
    );
  });
}
