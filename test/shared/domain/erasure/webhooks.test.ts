// The deliveries of a deleted webhook go with it, also those that somebody was just making or sending; what they say of a user who is gone stays opaque.
import { expect, test } from 'vitest';
import type { Deps } from '../../../../shared/domain/deps.ts';
import { eraseWebhook, eraseWebhooks } from '../../../../shared/domain/erasure/erase-webhook.ts';
import { publishEvents } from '../../../../shared/domain/events/publish-events.ts';
import { deliver } from '../../../../shared/domain/webhooks/deliver.ts';
import { endpointBulkhead } from '../../../../shared/domain/webhooks/endpoint-bulkhead.ts';
import { deleteWebhook, registerWebhook } from '../../../../shared/domain/webhooks/endpoints.ts';
import { fanOut } from '../../../../shared/domain/webhooks/fan-out.ts';
import { sweep } from '../../../../shared/domain/work/sweep.ts';
import { workerLifeMs } from '../../../../shared/domain/work/worker-life.ts';
import type { PublishedEvent } from '../../../../shared/model/feed-event.ts';
import { live, longestLifeMs } from '../../../../shared/runtime/life.ts';
import { callsOf, pausedBefore, type Work } from '../../../harness/erasure/paused-worker.ts';
import { everyRace } from '../../../harness/erasure/race.ts';
import { eventsOf } from '../../../harness/erasure/verdict.ts';
import { openWorld, type World } from '../../../harness/erasure/world.ts';
import { oneTo, recordingBus } from '../../../harness/outbox.ts';

interface Told {
  world: World;
  webhooks: string[];
  event: PublishedEvent;
}

/** Two webhooks that are to be told of the same user. */
async function told(): Promise<Told> {
  const world = await openWorld();
  const hook = { url: 'http://127.0.0.1:9/', events: ['*' as const] };
  const made = [1, 2].map(() => registerWebhook(world.deps, world.caller, hook));
  const bus = recordingBus();
  await publishEvents(
    { ...world.deps, bus },
    eventsOf(world).map(({ id }) => id),
  );
  const [event] = bus.told;
  if (!event) throw new Error('nothing was published');
  return { world, webhooks: (await Promise.all(made)).map(({ id }) => id), event };
}

const delivering = (webhook: string, delivery: string) => (deps: Deps) => {
  const receipt = { kind: 'answered', status: 200, body: '', retryAfter: undefined } as const;
  return deliver({ ...deps, courier: { post: async () => receipt } }, endpointBulkhead(), {
    webhook_id: webhook,
    delivery_id: delivery,
  });
};
const rowsOf = (world: World, webhook: string) => world.table.rows().filter(({ pk }) => pk === `H#${webhook}`);
const deliveryOf = (world: World, webhook: string) => String(rowsOf(world, webhook)[0]?.['id']);

test('publishing and fanning out what happened to a user who is going', async () => {
  const { world, event } = await told();
  // What it could not write it tells by the ids that it returns.
  const publishing = await everyRace(world, (deps) => publishEvents(deps, [event.event.event_id]), [
    'before the eraser comes',
    'after the receipt',
  ]);
  expect(publishing.problems).toEqual([]);
  const fanning = await everyRace(world, (deps) => fanOut(deps, event));
  expect(fanning.problems).toEqual([]);
  expect(fanning.writes.filter((write) => write.includes('put H#'))).toHaveLength(2);
});

/** The worker goes on after the eraser has been, or when its life is over. */
async function leftAfter(before: World, webhook: string, n: number, work: Work, isLate: boolean) {
  const world = before.copied();
  world.clock.hold();
  const erase = () => live(world.clock, () => eraseWebhook(world.deps, webhook));
  const worker = pausedBefore(world, n, work);
  await worker.stopped;
  await deleteWebhook(world.deps, world.caller, webhook);
  await erase();
  expect(rowsOf(world, webhook).map(({ sk }) => sk)).toEqual(['GONE']);
  world.clock.advance(longestLifeMs - 1);
  if (!isLate) await worker.goOn();
  world.clock.advance(workerLifeMs - longestLifeMs);
  await erase();
  expect(rowsOf(world, webhook).map(({ sk }) => sk)).toEqual(['GONE']);
  world.clock.advance(1);
  await erase();
  await worker.goOn();
  return rowsOf(world, webhook);
}

test('a webhook that is deleted before each write of a fan-out', async () => {
  const { world, webhooks, event } = await told();
  const work: Work = (deps) => fanOut(deps, event);
  for (const n of oneTo((await callsOf(world, work)).length))
    for (const webhook of webhooks)
      for (const isLate of [false, true]) expect(await leftAfter(world, webhook, n, work, isLate)).toEqual([]);
});

test('a webhook that is deleted before each write of a delivery', async () => {
  const { world, webhooks, event } = await told();
  await fanOut(world.deps, event);
  const [webhook = '', other = ''] = webhooks;
  const work = delivering(webhook, deliveryOf(world, webhook));
  const writes = await callsOf(world, work);
  expect(writes.length).toBeGreaterThan(1);
  for (const n of oneTo(writes.length))
    for (const isLate of [false, true]) expect(await leftAfter(world, webhook, n, work, isLate)).toEqual([]);
  expect(rowsOf(world, other)).toHaveLength(1);
});

test('the sweep erases what deleted webhooks left, and looks once more when late workers are gone', async () => {
  const { world, webhooks, event } = await told();
  world.clock.hold();
  await fanOut(world.deps, event);
  const left = () => webhooks.map((webhook) => rowsOf(world, webhook).map(({ sk }) => sk));
  for (const webhook of webhooks) await deleteWebhook(world.deps, world.caller, webhook);
  world.clock.advance(1);
  await sweep(world.deps);
  expect(left()).toEqual([['GONE'], ['GONE']]);
  world.clock.advance(workerLifeMs);
  await sweep(world.deps);
  expect(left()).toEqual([['GONE'], ['GONE']]);
  world.clock.advance(1);
  await sweep(world.deps);
  expect(left()).toEqual([[], []]);
});

test('a webhook with more deliveries than there is time for is put off, and the next one is erased meanwhile', async () => {
  const { world, webhooks, event } = await told();
  world.clock.hold();
  await fanOut(world.deps, event);
  const [large = '', small = ''] = webhooks;
  for (const webhook of [large, small]) await deleteWebhook(world.deps, world.caller, webhook);
  world.clock.advance(1);
  let steps = 0;
  const slow = world.over({
    ...world.table,
    // The first never ends, and each of its steps takes ten seconds.
    async batchWrite(writes) {
      if (JSON.stringify(writes).includes(large)) {
        steps++;
        world.clock.advance(10_000);
      } else await world.table.batchWrite(writes);
    },
  });
  await eraseWebhooks(slow);
  expect([steps, rowsOf(world, large).length, rowsOf(world, small).length]).toEqual([3, 2, 2]);
  await eraseWebhooks(slow);
  expect([steps, rowsOf(world, large).length, rowsOf(world, small).length]).toEqual([3, 2, 1]);
});
