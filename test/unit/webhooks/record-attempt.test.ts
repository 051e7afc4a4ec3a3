// The results of the last attempt of a delivery.
import { beforeEach, expect, test } from 'vitest';
import { deliverWorker } from '../../../functions/workers/deliver.ts';
import type { NewEvent } from '../../../shared/events/event.ts';
import { deliveryRows } from '../../../shared/webhooks/delivery-rows.ts';
import { type DeliveryWorld, openDeliveryWorld } from '../../harness/delivery-world.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { listPendingEvents } from '../../harness/outbox.ts';

let world: DeliveryWorld;
let hook: string;
beforeEach(async () => {
  world = openDeliveryWorld(memoryTable());
  hook = (await world.register()).id;
  world.respondWith(() => 500);
});

/**
 * Fails the event's delivery for the last time, and returns the events that were published about
 * it.
 */
async function exhaust(event: Partial<NewEvent>) {
  const { store, clock } = world.deps;
  await world.publishEvents(1, event);
  await world.run();
  const [row] = await world.deliveries(hook);
  if (!row) throw new Error('there is no delivery');
  const due = { atMs: clock.now(), sweepMs: clock.now() };
  const { attempts } = row;
  await store.table.write(deliveryRows(store).buildRecordOutcome(row, { status: 'pending', tries: 12, attempts, due }));
  await deliverWorker(world.deps)({ webhook_id: hook, delivery_id: row.id });
  expect(await world.deliveries(hook)).toMatchObject([{ status: 'exhausted', tries: 13 }]);
  return (await listPendingEvents(store)).map(({ type, more }) => ({ type, ...more }));
}

test('an exhausted delivery publishes an event', async () => {
  expect(await exhaust({ type: 'user.created' })).toEqual([
    { type: 'webhook.exhausted', webhook_id: hook, delivery_id: (await world.deliveries(hook))[0]?.id },
  ]);
});

test.each(['webhook.exhausted', 'webhook.disabled'] as const)(
  'an exhausted delivery of %s publishes no event, because two dead endpoints would go on forever',
  async (type) => {
    const other = (await world.register(['device.connected'])).id;
    expect(await exhaust({ type, more: { webhook_id: other } })).toEqual([]);
  },
);
