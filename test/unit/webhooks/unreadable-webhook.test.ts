// A webhook whose row cannot be parsed is skipped and reported; the others of its environment go on.
import { beforeEach, expect, test } from 'vitest';
import { deliverWorker } from '../../../functions/workers/deliver.ts';
import { feedWorker } from '../../../functions/workers/feed.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { jobs } from '../../../shared/system/jobs.ts';
import { keys } from '../../../shared/system/keys.ts';
import { listWebhooks } from '../../../shared/webhooks/endpoints.ts';
import { type DeliveryWorld, openDeliveryWorld } from '../../harness/delivery-world.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { readAllFeedRows } from '../../harness/outbox.ts';
import { listPendingPages } from '../../harness/pending-work.ts';

let world: DeliveryWorld;
let good: string;
let bad: string;
let lines: { code: string; fields: unknown }[];
let deps: Deps;
beforeEach(async () => {
  world = openDeliveryWorld(memoryTable());
  good = (await world.register()).id;
  bad = (await world.register()).id;
  await world.deps.store.table.write({
    kind: 'update',
    key: keys.webhook(world.feed.account, world.feed.env, bad),
    update: 'SET #status = :status',
    condition: 'attribute_exists(#pk)',
    values: { status: 'a status of a later release' },
  });
  lines = [];
  deps = { ...world.deps, log: (_level, code, fields) => void lines.push({ code, fields }) };
});

test('events are numbered and sent to the others, and each step names the row', async () => {
  const ids = await world.publishEvents(3);
  for (const { body } of world.queued.splice(0)) await feedWorker(deps)(jobs.feed.parse(body));
  expect((await readAllFeedRows(deps.store, world.feed)).map(({ id }) => id)).toEqual(ids);
  for (const page of world.bus.pages.splice(0)) await deliverWorker(deps)(jobs.deliver.parse(page));
  await world.run();
  expect((await world.deliveries(good)).map(({ eventId }) => eventId).toSorted()).toEqual(ids.toSorted());
  expect(await world.deliveries(bad)).toEqual([]);
  expect(await listPendingPages(deps.store)).toEqual([]);
  const row_keys = [keys.webhook(world.feed.account, world.feed.env, bad)];
  const { account: account_id, env } = world.feed;
  expect(new Set(lines.map(({ code }) => code))).toEqual(new Set(['webhook_row_unreadable']));
  for (const { fields } of lines) expect(fields).toEqual({ account_id, env, row_keys });
});

test('the list of webhooks has the others', async () => {
  expect((await listWebhooks(deps, world.caller)).map(({ id }) => id)).toEqual([good]);
  expect(lines).toHaveLength(1);
});
