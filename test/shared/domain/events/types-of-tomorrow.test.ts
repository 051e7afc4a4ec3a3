// A release that is rolled back to meets events of the next one: they are told as they are, and keep nothing else from being told.
import { expect, test } from 'vitest';
import { publishEvents } from '../../../../shared/domain/events/publish-events.ts';
import { readFeed } from '../../../../shared/domain/events/read-feed.ts';
import { registerWebhook } from '../../../../shared/domain/webhooks/endpoints.ts';
import { fanOut } from '../../../../shared/domain/webhooks/fan-out.ts';
import type { Caller } from '../../../../shared/model/account.ts';
import { KeptEventType } from '../../../../shared/model/event.ts';
import { deliveryRows } from '../../../../shared/store/deliveries.ts';
import { webhookRows } from '../../../../shared/store/webhooks.ts';
import { memoryDeps } from '../../../harness/memory-deps.ts';
import { freshFeed, newEvent, recordingBus, writeEvents } from '../../../harness/outbox.ts';

const tomorrow = KeptEventType.parse('team.renamed');

test('an event of a type that this release does not know reaches the feed and the webhooks', async () => {
  const feed = freshFeed();
  const caller: Caller = { kind: 'api_key', ...feed, form: 2 };
  const bus = recordingBus();
  const { deps } = memoryDeps({ bus });
  const asked = { url: 'http://127.0.0.1:9/a', events: [tomorrow, 'data.updated' as const] };
  const { id: hook } = await registerWebhook(deps, caller, asked);
  expect((await webhookRows(deps.store).ofEnvironment(feed.account, feed.env))[0]?.events).toContain('team.renamed');

  await publishEvents(deps, await writeEvents(deps.store, [{ ...newEvent(feed), type: tomorrow }]));
  const { rows } = await readFeed(deps, caller, { after: undefined, limit: 10 });
  expect(rows.map(({ type }) => type)).toEqual(['team.renamed']);

  const [published] = bus.told;
  if (!published) throw new Error('nothing was published');
  await fanOut(deps, published);
  const { deliveries } = await deliveryRows(deps.store).page(hook, 10, undefined);
  expect(deliveries.map(({ eventType }) => eventType)).toEqual(['team.renamed']);
});
