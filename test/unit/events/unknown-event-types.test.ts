// An event of a type that this release does not know is published unchanged and does not hold up
// other events.
import { expect, test } from 'vitest';
import { StoredEventType } from '../../../shared/events/event.ts';
import { readFeed } from '../../../shared/events/read-feed.ts';
import { webhookRows } from '../../../shared/webhooks/webhook-rows.ts';
import { openDeliveryWorld } from '../../harness/delivery-world.ts';
import { memoryTable } from '../../harness/memory-table.ts';

const tomorrow = StoredEventType.parse('team.renamed');

test('an event of a type that this release does not know reaches the feed and the webhooks', async () => {
  const world = openDeliveryWorld(memoryTable());
  const { feed, deps } = world;
  const { id: hook } = await world.register([tomorrow, 'data.updated']);
  expect((await webhookRows(deps.store).listByEnvironment(feed.account, feed.env)).hooks[0]?.events).toContain(
    'team.renamed',
  );
  await world.publishEvents(1, { type: tomorrow });
  await world.run();
  const { rows } = await readFeed(deps, world.caller, { after: undefined, limit: 10 });
  expect(rows.map(({ type }) => type)).toEqual(['team.renamed']);
  expect((await world.deliveries(hook)).map(({ eventType }) => eventType)).toEqual(['team.renamed']);
});
