// Resends the events that an endpoint did not receive: exhausted deliveries, and events that were
// never sent.
import { beforeEach, describe, expect, test } from 'vitest';
import { feedWorker } from '../../../functions/workers/feed.ts';
import { packEvents } from '../../../shared/events/event-page.ts';
import { feedRows } from '../../../shared/events/feed-rows.ts';
import { EngineUnavailable } from '../../../shared/platform/ports.ts';
import { jobs } from '../../../shared/system/jobs.ts';
import { deliveryRows } from '../../../shared/webhooks/delivery-rows.ts';
import { updateWebhook } from '../../../shared/webhooks/endpoints.ts';
import { recoverDeliveries } from '../../../shared/webhooks/recover-deliveries.ts';
import { webhookRows } from '../../../shared/webhooks/webhook-rows.ts';
import { type DeliveryWorld, openDeliveryWorld } from '../../harness/delivery-world.ts';
import { damagePages, toggleLayout } from '../../harness/feed-page-rows.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { oneTo } from '../../harness/outbox.ts';

const dayMs = 24 * 3_600_000;

let world: DeliveryWorld;
let hook: string;
beforeEach(async () => {
  world = openDeliveryWorld(memoryTable());
  hook = (await world.register(['data.updated', 'user.created'])).id;
});

const setStatus = (status: 'active' | 'paused') => updateWebhook(world.deps, world.caller, hook, { status });
const now = () => new Date(world.clock.now()).toISOString();
const recover = (since: string) => recoverDeliveries(world.deps, world.caller, hook, since);
const listSentIds = () => world.webhookRequests.map(({ headers }) => headers['webhook-id']);

async function missEvents(count: number): Promise<string[]> {
  await setStatus('paused');
  const ids: string[] = [];
  for (let left = count; left > 0; left -= 50) ids.push(...(await world.publishEvents(Math.min(50, left))));
  await world.run();
  await setStatus('active');
  return ids;
}

test('events published during a pause are found in the feed, and nothing is written in the meantime', async () => {
  const since = now();
  world.clock.advance(1_000);
  const ids = await missEvents(7);
  expect([await world.deliveries(hook), listSentIds()]).toEqual([[], []]);
  expect(await recover(since)).toEqual({ recovered: 7, more: false });
  await world.run();
  expect(listSentIds()).toEqual(ids);
  expect(await recover(since)).toEqual({ recovered: 0, more: false });
});

test('a call sends at most a thousand events, the oldest first, and the next call continues', async () => {
  const since = now();
  world.clock.advance(1_000);
  const ids = await missEvents(1_050);
  expect(await recover(since)).toEqual({ recovered: 1_000, more: true });
  expect(await recover(since)).toEqual({ recovered: 50, more: false });
  expect(await recover(since)).toEqual({ recovered: 0, more: false });
  await world.run();
  await world.passMinutes(6);
  expect(new Set(listSentIds())).toEqual(new Set(ids));
  expect(listSentIds()).toHaveLength(ids.length);
});

test('a call for an earlier time starts at that time, even if a call for a later time stopped partway', async () => {
  const early = now();
  world.clock.advance(1_000);
  await missEvents(3);
  world.clock.advance(dayMs);
  const late = now();
  world.clock.advance(1_000);
  await missEvents(1_050);
  expect(await recover(late)).toEqual({ recovered: 1_000, more: true });
  expect(await recover(early)).toEqual({ recovered: 53, more: false });
});

test('an inactive endpoint is refused, and an unavailable queue does not fail the call', async () => {
  const since = now();
  world.clock.advance(1_000);
  const ids = await missEvents(2);
  await setStatus('paused');
  await expect(recover(since)).rejects.toMatchObject({ code: 'webhook_inactive' });
  await setStatus('active');
  const sendAll = () => Promise.reject(new EngineUnavailable('the queue is unavailable'));
  const deps = { ...world.deps, queue: { ...world.deps.queue, sendAll } };
  expect(await recoverDeliveries(deps, world.caller, hook, since)).toEqual({ recovered: 2, more: false });
  await world.passMinutes(3);
  expect(listSentIds().sort()).toEqual(ids.toSorted());
});

describe('a recovery', () => {
  test('sends events since the given time, to the second, by the clock of their publisher', async () => {
    await setStatus('paused');
    await world.publishEvents(1);
    await world.run();
    world.clock.advance(10_000);
    const since = now();
    world.clock.advance(1_000);
    const [later = ''] = await world.publishEvents(1);
    // The clock of the publisher of this event is ahead of the feed's.
    const atMs = world.clock.now() + 30_000;
    const [ahead = ''] = await world.publishEvents(1, { atMs });
    await world.run();
    world.clock.advance(40_000);
    await setStatus('active');
    expect(await recover(new Date(atMs - 10_000).toISOString())).toEqual({ recovered: 1, more: false });
    await world.run();
    expect(listSentIds()).toEqual([ahead]);
    expect(await recover(since)).toEqual({ recovered: 1, more: false });
    await world.run();
    expect(listSentIds()).toEqual([ahead, later]);
  });

  test('sends the subscribed events since the given time', async () => {
    await missEvents(2);
    world.clock.advance(dayMs);
    const since = now();
    world.clock.advance(1_000);
    await setStatus('paused');
    const wanted = await world.publishEvents(1);
    await world.publishEvents(1, { type: 'device.connected' });
    await world.run();
    await setStatus('active');
    expect(await recover(since)).toEqual({ recovered: 1, more: false });
    await world.run();
    expect(listSentIds()).toEqual(wanted);
  });

  test('sends nothing from before the registration, and nothing older than the retention of deliveries', async () => {
    const expired = await missEvents(3);
    world.clock.advance(31 * dayMs);
    const recent = await missEvents(2);
    world.clock.advance(2_000);
    const late = await world.register();
    expect(await recoverDeliveries(world.deps, world.caller, late.id, '2000-01-01T00:00:00Z')).toEqual({
      recovered: 0,
      more: false,
    });
    expect(await recover('2000-01-01T00:00:00Z')).toEqual({ recovered: 2, more: false });
    await world.run();
    expect(listSentIds().sort()).toEqual(recent.toSorted());
    expect(listSentIds()).not.toContain(expired[0]);
  });

  test('does not send events that were delivered or are pending', async () => {
    const since = now();
    world.clock.advance(1_000);
    await world.publishEvents(1);
    await world.run();
    world.respondWith(() => 500);
    await world.publishEvents(1);
    await world.run();
    expect((await world.deliveries(hook)).map(({ status }) => status).sort()).toEqual(['delivered', 'pending']);
    expect(await recover(since)).toEqual({ recovered: 0, more: false });
  });

  test('does not send events that are numbered and about to be delivered', async () => {
    const since = now();
    world.clock.advance(1_000);
    await world.publishEvents(2);
    for (const { body } of world.queued.splice(0)) await feedWorker(world.deps)(jobs.feed.parse(body));
    expect(await recover(since)).toEqual({ recovered: 0, more: false });
    await world.run();
    expect(listSentIds()).toHaveLength(2);
  });

  test('does not send events that an endpoint gets when it catches up', async () => {
    world.respondWith(() => 500);
    for (let failures = 0; failures < 5; failures += 1) {
      await world.publishEvents(1);
      await world.run();
    }
    const since = now();
    world.clock.advance(1_000);
    await world.publishEvents(3);
    await world.run();
    expect(await recover(since)).toEqual({ recovered: 0, more: false });
  });

  test('also sends events that are being delivered to other endpoints, if this one was paused at the fan-out', async () => {
    const since = now();
    world.clock.advance(1_000);
    await world.register(['data.updated', 'user.created']);
    await setStatus('paused');
    const [id] = await world.publishEvents(1);
    const [message] = world.queued.splice(0).filter(({ queue }) => queue === 'feed');
    if (!message) throw new Error('nothing was published');
    await feedWorker(world.deps)(jobs.feed.parse(message.body));
    // The page is pending until the other endpoint has responded.
    world.clock.advance(5_000);
    await setStatus('active');
    expect(await recover(since)).toEqual({ recovered: 1, more: false });
    await world.run();
    expect(listSentIds()).toEqual([id, id]);
  });

  test('sends exhausted deliveries with all their attempts available again', async () => {
    const since = now();
    world.clock.advance(1_000);
    const [id] = await world.publishEvents(1);
    await world.run();
    const [row] = await world.deliveries(hook);
    if (!row) throw new Error('there is no delivery');
    const { store } = world.deps;
    await deliveryRows(store).restart(row, world.clock.now(), world.clock.now());
    const revived = await deliveryRows(store).findById(hook, row.id);
    if (!revived) throw new Error('the delivery does not exist');
    await store.table.write(
      deliveryRows(store).buildRecordOutcome(revived, { status: 'exhausted', tries: 13, attempts: [] }),
    );
    expect(await recover(since)).toEqual({ recovered: 1, more: false });
    await world.run();
    expect(listSentIds()).toEqual([id, id]);
    expect(await world.deliveries(hook)).toMatchObject([{ status: 'delivered', tries: 1 }]);
  });
});

async function appendPages(count: number): Promise<void> {
  const { store } = world.deps;
  const events = [{ id: 'evt_1', type: 'device.connected' as const, atMs: world.clock.now() }];
  const page = {
    events,
    packed: packEvents(events),
    isPending: false,
    counts: { uploads: 0, records: 0, deliveries: 0 },
  };
  for (let pages = 0; pages < count; pages += 1)
    await store.commit(
      feedRows(store).buildAppend(world.feed, await feedRows(store).readEnd(world.feed), page, world.clock.now()),
    );
}

test('what follows many pages in a row that cannot be parsed is sent, wherever the given time is', async () => {
  await setStatus('paused');
  const times: string[] = [];
  for (let hour = 0; hour < 3; hour += 1) {
    times.push(now());
    world.clock.advance(1_800_000);
    await appendPages(50);
    world.clock.advance(1_800_000);
  }
  await damagePages(world.deps.store, world.feed, oneTo(150));
  const wanted = await world.publishEvents(1);
  await world.run();
  await setStatus('active');
  for (const since of times.toReversed())
    expect(await recover(since)).toEqual({ recovered: since === times.at(-1) ? 1 : 0, more: false });
  await world.run();
  expect(listSentIds()).toEqual(wanted);
});

test('a call stops at a page that a newer release wrote, and fails until that release is back', async () => {
  const since = now();
  world.clock.advance(1_000);
  const ids: string[] = [];
  for (let page = 0; page < 5; page += 1) ids.push(...(await missEvents(1)));
  const newer = [3];
  await toggleLayout(world.deps.store, world.feed, newer);
  expect(await recover(since)).toEqual({ recovered: 2, more: true });
  for (let calls = 0; calls < 2; calls += 1)
    await expect(recover(since)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('newer release'),
    });
  await toggleLayout(world.deps.store, world.feed, newer);
  expect(await recover(since)).toEqual({ recovered: 3, more: false });
  await world.run();
  expect(listSentIds()).toEqual(ids);
});

test('the first call fails at once if a newer release wrote its first page, and nothing is lost', async () => {
  const since = now();
  world.clock.advance(1_000);
  const ids = [...(await missEvents(1)), ...(await missEvents(1))];
  await toggleLayout(world.deps.store, world.feed, [1]);
  await expect(recover(since)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('newer release'),
  });
  await toggleLayout(world.deps.store, world.feed, [1]);
  expect(await recover(since)).toEqual({ recovered: 2, more: false });
  await world.run();
  expect(listSentIds()).toEqual(ids);
});

test('a call that has to read a long feed stops, and the next one continues from there', async () => {
  const since = now();
  world.clock.advance(1_000);
  await updateWebhook(world.deps, world.caller, hook, { events: ['user.created'] });
  await setStatus('paused');
  await appendPages(2_050);
  const wanted = await world.publishEvents(1);
  await world.run();
  await setStatus('active');
  expect(await recover(since)).toEqual({ recovered: 0, more: true });
  const { account, env } = world.feed;
  expect((await webhookRows(world.deps.store).findById(account, env, hook))?.recovery).toEqual({ since, first: 2_021 });
  expect(await recover(since)).toEqual({ recovered: 1, more: false });
  await world.run();
  expect(listSentIds()).toEqual(wanted);
  expect((await webhookRows(world.deps.store).findById(account, env, hook))?.recovery).toBeUndefined();
});
