// A page is pending until every subscribed endpoint has the deliveries of its events, regardless of
// lost messages and dead workers.
import { beforeEach, describe, expect, test } from 'vitest';
import { deliverWorker } from '../../../functions/workers/deliver.ts';
import { feedWorker } from '../../../functions/workers/feed.ts';
import { sweepWorker } from '../../../functions/workers/sweep.ts';
import { feedRows } from '../../../shared/events/feed-rows.ts';
import { EngineUnavailable, type Table } from '../../../shared/platform/ports.ts';
import { jobs } from '../../../shared/system/jobs.ts';
import { updateWebhook } from '../../../shared/webhooks/endpoints.ts';
import { type DeliveryWorld, openDeliveryWorld } from '../../harness/delivery-world.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { listPendingOwners, listPendingPages } from '../../harness/pending-work.ts';

let table: ReturnType<typeof memoryTable>;
let world: DeliveryWorld;
let hooks: string[];
beforeEach(async () => {
  table = memoryTable();
  world = openDeliveryWorld(table);
  hooks = [(await world.register()).id, (await world.register()).id];
});

const duePages = () => listPendingPages(world.deps.store);
const arrived = async () =>
  (await Promise.all(hooks.map(world.deliveries)))
    .flat()
    .map(({ webhook, eventId, status }) => `${webhook} ${eventId} ${status}`)
    .sort();
const everything = (ids: readonly string[]) =>
  hooks.flatMap((hook) => ids.map((id) => `${hook} ${id} delivered`)).sort();
const requests = () => world.webhookRequests.map(({ url, headers }) => `${url} ${headers['webhook-id']}`);

describe('a page', () => {
  test('is pending until its deliveries exist, and no longer', async () => {
    const ids = await world.publishEvents(25);
    await world.run();
    expect(await arrived()).toEqual(everything(ids));
    expect(await duePages()).toEqual([`${world.feed.account}#live#1`]);
    await world.passMinutes(1);
    expect(await duePages()).toEqual([]);
    expect(requests()).toHaveLength(50);
  });

  test('is rechecked by its own message, before any sweep', async () => {
    await world.publishEvents(25);
    await world.run();
    expect(await duePages()).toHaveLength(1);
    world.clock.advance(46_000);
    await world.run();
    expect([await duePages(), requests().length]).toEqual([[], 50]);
  });

  test('for an endpoint that has failed is passed on in one message, without waiting for its response', async () => {
    await updateWebhook(world.deps, world.caller, hooks[1] ?? '', { status: 'paused' });
    world.respondWith(() => 500);
    await world.publishEvents(1);
    await world.run();
    world.queued.length = 0;
    const before = world.webhookRequests.length;
    await world.publishEvents(2);
    await runUntilDeliver();
    expect(world.webhookRequests).toHaveLength(before);
    expect(world.queued.map(({ body }) => body)).toMatchObject([{ webhook_id: hooks[0], is_all: true }]);
  });

  test('of few events for one endpoint is cleared by the worker that sends them', async () => {
    await updateWebhook(world.deps, world.caller, hooks[1] ?? '', { status: 'paused' });
    await world.publishEvents(10);
    await world.run();
    expect([await duePages(), world.queued, requests().length]).toEqual([[], [], 10]);
  });

  test('without a subscriber is not pending, and not published on the bus', async () => {
    for (const hook of hooks) await updateWebhook(world.deps, world.caller, hook, { events: ['device.connected'] });
    await world.publishEvents(3);
    await runUntilDeliver({ isNamed: false });
    expect((await feedRows(world.deps.store).readEnd(world.feed)).next).toBe(4);
    expect([await duePages(), world.webhookRequests]).toEqual([[], []]);
  });

  test('that is no longer pending is not sent when it is named again', async () => {
    const [other = '', paused = ''] = hooks;
    await updateWebhook(world.deps, world.caller, paused, { status: 'paused' });
    await world.publishEvents(2);
    await world.run();
    expect([(await world.deliveries(other)).length, await duePages()]).toEqual([2, []]);
    await updateWebhook(world.deps, world.caller, paused, { status: 'active' });
    await updateWebhook(world.deps, world.caller, other, { status: 'paused' });
    await deliverWorker(world.deps)({ account_id: world.feed.account, env: world.feed.env, first: 1 });
    await world.run();
    expect(await world.deliveries(paused)).toEqual([]);
  });

  test('is sent to an endpoint that was registered just before its events', async () => {
    const late = await world.register();
    hooks.push(late.id);
    const ids = await world.publishEvents(1);
    await world.run();
    await world.passMinutes(2);
    expect(await arrived()).toEqual(everything(ids));
  });

  test('is not sent to an endpoint that was registered later', async () => {
    await world.publishEvents(1);
    world.injectFault(1, 'lost');
    await world.run();
    world.clock.advance(90_000);
    const late = await world.register();
    await world.passMinutes(5);
    expect(await world.deliveries(late.id)).toEqual([]);
  });
});

test('an event that the endpoint no longer subscribes to is not sent, and its page does not stay pending', async () => {
  await world.publishEvents(3);
  await runUntilDeliver();
  const [changed = '', other = ''] = hooks;
  await updateWebhook(world.deps, world.caller, changed, { events: ['device.connected'] });
  await world.run();
  await world.passMinutes(2);
  expect([(await world.deliveries(changed)).length, (await world.deliveries(other)).length]).toEqual([0, 3]);
  expect(await duePages()).toEqual([]);
});

const fates = ['lost', 'doubled', 'late'] as const;

test.each(fates.flatMap((fate) => [0, 1, 2, 3, 4, 5].map((n) => ({ fate, n }))))(
  'message $n is $fate: everything arrives, and nothing stays pending',
  async ({ fate, n }) => {
    world.injectFault(n, fate);
    const ids = await world.publishEvents(12);
    await world.run();
    await world.passMinutes(4);
    world.releaseLate();
    await world.passMinutes(4);
    expect(await arrived()).toEqual(everything(ids));
    expect(new Set(requests()).size).toBe(24);
    expect([await duePages(), await listPendingOwners(world.deps.store, 'feed')]).toEqual([[], []]);
  },
);

test('a worker that dies between its rows is followed by one that sends only the events without a row', async () => {
  const ids = await world.publishEvents(10);
  let rows = 0;
  const dying: Table = {
    ...table,
    async write(write) {
      const isRow = write.kind === 'put' && write.item.sk.startsWith('DELIVERY#');
      if (isRow && ++rows > 4) throw new EngineUnavailable('away');
      return table.write(write);
    },
  };
  await runUntilDeliver();
  const [message, ...others] = world.queued.splice(0);
  const send = deliverWorker(world.withTable(dying))(jobs.deliver.parse(message?.body));
  await expect(send).rejects.toThrow(EngineUnavailable);
  expect(requests()).toHaveLength(10);
  world.queued.push(...others, ...(message ? [message] : []));
  await world.run();
  await world.passMinutes(2);
  expect(await arrived()).toEqual(everything(ids));
  expect(requests()).toHaveLength(10 + 6 + 10);
  expect(await duePages()).toEqual([]);
});

/**
 * Runs the first messages, up to those that deliver: pages are numbered, and published on the bus
 * if an endpoint subscribes.
 */
async function runUntilDeliver({ isNamed = true } = {}): Promise<void> {
  for (const { queue, body } of world.queued.splice(0))
    if (queue === 'feed') await feedWorker(world.deps)(jobs.feed.parse(body));
  expect(world.bus.pages.length > 0).toBe(isNamed);
  for (const page of world.bus.pages.splice(0)) await deliverWorker(world.deps)(page);
}

describe('a page whose messages are lost', () => {
  test('is sent again less often the older it is', async () => {
    await world.publishEvents(3);
    await runUntilDeliver();
    world.queued.length = 0;
    const sent: unknown[] = [];
    const queue = {
      ...world.deps.queue,
      send: async (_queue: string, body: unknown) => void sent.push(body),
      sendAll: async (_queue: string, bodies: readonly unknown[]) => void sent.push(...bodies),
    };
    const deps = { ...world.deps, queue };
    const times: number[] = [];
    for (let minute = 1; minute <= 240; minute += 1) {
      world.clock.advance(60_000);
      sent.length = 0;
      await sweepWorker(deps)();
      for (const body of [...sent]) {
        const job = jobs.deliver.parse(body);
        if ('first' in job && !('numbers' in job)) times.push(minute);
        await deliverWorker(deps)(job);
      }
    }
    expect(times.length).toBeGreaterThan(5);
    expect(times.length).toBeLessThan(25);
    expect(await duePages()).toHaveLength(1);
  });

  test('because the queue is unavailable is found by the sweep, and any other queue error is reported', async () => {
    const ids = await world.publishEvents(3);
    for (const { queue, body } of world.queued.splice(0))
      if (queue === 'feed') await feedWorker(world.deps)(jobs.feed.parse(body));
    const [page] = world.bus.pages.splice(0);
    if (!page) throw new Error('no page was published');
    const failing = (error: Error) => {
      const send = () => Promise.reject(error);
      return { ...world.deps, queue: { ...world.deps.queue, send, sendAll: send } };
    };
    const broken = new TypeError('the message is invalid');
    await expect(deliverWorker(failing(broken))(page)).rejects.toBe(broken);
    await deliverWorker(failing(new EngineUnavailable('the queue is unavailable')))(page);
    expect([await duePages(), requests()]).toEqual([[`${world.feed.account}#live#1`], []]);
    await world.passMinutes(3);
    expect(await arrived()).toEqual(everything(ids));
  });
});
