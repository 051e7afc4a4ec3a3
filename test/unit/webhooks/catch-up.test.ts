// An endpoint that is down costs only its probes, and receives the missed events from the feed's
// pages when it is available again.
import { beforeEach, describe, expect, test } from 'vitest';
import { deliverWorker } from '../../../functions/workers/deliver.ts';
import { feedWorker } from '../../../functions/workers/feed.ts';
import type { Table } from '../../../shared/platform/ports.ts';
import { jobs } from '../../../shared/system/jobs.ts';
import { keys } from '../../../shared/system/keys.ts';
import { deliveryRows } from '../../../shared/webhooks/delivery-rows.ts';
import { updateWebhook } from '../../../shared/webhooks/endpoints.ts';
import { webhookRows } from '../../../shared/webhooks/webhook-rows.ts';
import { type DeliveryWorld, openDeliveryWorld } from '../../harness/delivery-world.ts';
import { damagePages, listPageNumbers, toggleLayout } from '../../harness/feed-page-rows.ts';
import { type MemoryTable, memoryTable } from '../../harness/memory-table.ts';
import { listPendingOwners, listPendingPages } from '../../harness/pending-work.ts';

let table: MemoryTable;
let world: DeliveryWorld;
let hook: string;
let url: string;
let isDown: boolean;
beforeEach(async () => {
  table = memoryTable();
  world = openDeliveryWorld(table);
  ({ id: hook, url } = await world.register());
  isDown = false;
  world.respondWith((request) => (isDown && request.url === url ? 500 : 204));
});

const readEndpoint = () => webhookRows(world.deps.store).findById(world.feed.account, world.feed.env, hook);
const countHookRows = () => table.rows().filter(({ pk }) => pk === `H#${hook}`).length;
const listDelivered = async () =>
  (await world.deliveries(hook)).filter(({ status }) => status === 'delivered').map(({ eventId }) => eventId);
const listAllPending = async () => [
  await listPendingOwners(world.deps.store, 'feed'),
  await listPendingPages(world.deps.store),
  await listPendingOwners(world.deps.store, 'deliver'),
];

/** Fails five times in a row, on events that each have a delivery row. */
async function goDown(): Promise<string[]> {
  isDown = true;
  const ids: string[] = [];
  for (let failures = 0; failures < 5; failures += 1) {
    ids.push(...(await world.publishEvents(1)));
    await world.run();
  }
  return ids;
}
type LogLine = Parameters<typeof world.deps.log>;
function recordLog(): LogLine[] {
  const lines: LogLine[] = [];
  Object.assign(world.deps, { log: (...line: LogLine) => void lines.push(line) });
  return lines;
}
async function publishBatches(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let each = 0; each < count; each += 1) {
    ids.push(...(await world.publishEvents(3)));
    await world.run();
  }
  return ids;
}

describe('while the circuit is open', () => {
  test('nothing is written for new events, and their pages are not pending', async () => {
    await goDown();
    expect((await readEndpoint())?.gaps).toMatchObject([{ from: 6 }]);
    const before = [countHookRows(), world.webhookRequests.length];
    await publishBatches(10);
    expect([countHookRows(), world.webhookRequests.length]).toEqual(before);
    expect(await listPendingPages(world.deps.store)).toEqual([]);
    expect((await readEndpoint())?.gaps).toMatchObject([{ from: 6 }]);
  });

  test('a message that arrives early sends no request, and only one of two concurrent messages does', async () => {
    await goDown();
    const { account: account_id, env } = world.feed;
    const early = { webhook_id: hook, account_id, env, catch_up: true } as const;
    await publishBatches(1);
    const before = world.webhookRequests.length;
    await deliverWorker(world.deps)(early);
    expect(world.webhookRequests).toHaveLength(before);
    world.clock.advance(((await readEndpoint())?.openUntilMs ?? 0) - world.clock.now());
    isDown = false;
    await Promise.all([deliverWorker(world.deps)(early), deliverWorker(world.deps)(early)]);
    const ids = world.webhookRequests.slice(before).map(({ headers }) => headers['webhook-id']);
    expect(ids.length).toBeGreaterThan(0);
    expect(ids).toEqual([...new Set(ids)]);
  });

  test('when the circuit may close, one of two deliveries that are due is sent, and the other waits', async () => {
    await goDown();
    const pending = (await world.deliveries(hook)).slice(0, 2);
    world.queued.length = 0;
    // Both deliveries are due by then, and the circuit may close.
    world.clock.advance(600_000);
    const before = world.webhookRequests.length;
    await Promise.all(pending.map(({ id }) => deliverWorker(world.deps)({ webhook_id: hook, delivery_id: id })));
    expect(world.webhookRequests).toHaveLength(before + 1);
    const tries = await Promise.all(pending.map(async ({ id }) => deliveryRows(world.deps.store).findById(hook, id)));
    expect(tries.map((each) => each?.tries).sort()).toEqual([1, 2]);
    expect(tries.map((each) => each?.status)).toEqual(['pending', 'pending']);
  });

  test('other endpoints are served as usual', async () => {
    const other = await world.register();
    await goDown();
    const ids = await publishBatches(4);
    const served = (await world.deliveries(other.id)).map(({ eventId }) => eventId);
    expect(served).toEqual(expect.arrayContaining(ids));
  });

  test('one request at a time probes the endpoint, less and less often, and writes no delivery', async () => {
    await goDown();
    await publishBatches(2);
    const [rows, requestCount] = [countHookRows(), world.webhookRequests.length];
    await world.passMinutes(60);
    expect(countHookRows()).toBe(rows);
    // The last probes are ten minutes apart, and the five earlier deliveries have their own times.
    expect(world.webhookRequests.length - requestCount).toBeLessThan(25);
    expect((await readEndpoint())?.status).toBe('active');
  });
});

describe('an endpoint that is available again', () => {
  test('gets the events around a page that cannot be parsed, which is reported', async () => {
    const first = await goDown();
    const missed = await publishBatches(9);
    const { store } = world.deps;
    const [bad = 0] = (await listPageNumbers(store, world.feed)).slice(7);
    await damagePages(store, world.feed, [bad]);
    const lines = recordLog();
    isDown = false;
    await world.passMinutes(60);
    const lost = missed.slice(6, 9);
    expect((await listDelivered()).sort()).toEqual([...first, ...missed.filter((id) => !lost.includes(id))].sort());
    expect((await readEndpoint())?.gaps).toBeUndefined();
    const { account: account_id, env } = world.feed;
    const row_keys = [keys.feedPage(account_id, env, bad)];
    expect(lines).toContainEqual(['error', 'feed_page_unreadable', { account_id, env, row_keys }]);
  });

  test.each([
    ['the first missed pages', 0],
    ['pages between others', 2],
  ])('waits for a newer release that wrote %s, and gets them then; new events are not delayed', async (_which, at) => {
    const { store } = world.deps;
    const first = await goDown();
    const missed = await publishBatches(9);
    const newer = (await listPageNumbers(store, world.feed)).slice(5 + at, 7 + at);
    await toggleLayout(store, world.feed, newer);
    const lines = recordLog();
    isDown = false;
    await world.passMinutes(30);
    const published = await world.publishEvents(1);
    await world.run();
    const readable = missed.slice(0, 3 * at);
    expect((await listDelivered()).sort()).toEqual([...first, ...readable, ...published].sort());
    expect((await readEndpoint())?.gaps).toMatchObject([{ from: newer[0] }]);
    const { account: account_id, env } = world.feed;
    const row_keys = newer.map((page) => keys.feedPage(account_id, env, page));
    const reported = lines.filter(([, code]) => code === 'feed_page_unreadable');
    expect(reported).toContainEqual(['error', 'feed_page_unreadable', { account_id, env, row_keys, is_newer: true }]);
    expect(reported.length).toBeLessThan(15);
    await toggleLayout(store, world.feed, newer);
    await world.passMinutes(10);
    expect((await listDelivered()).sort()).toEqual([...first, ...missed, ...published].sort());
    expect([(await readEndpoint())?.gaps, await listAllPending()]).toEqual([undefined, [[], [], []]]);
  });

  test('gets all missed events in feed order, each once, and is no longer behind', async () => {
    const first = await goDown();
    const missed = await publishBatches(20);
    await world.passMinutes(30);
    const before = world.webhookRequests.length;
    isDown = false;
    await world.passMinutes(90);
    expect((await listDelivered()).sort()).toEqual([...first, ...missed].sort());
    const ids = world.webhookRequests.slice(before).map(({ headers }) => headers['webhook-id']);
    const inOrder = ids.filter((id) => missed.includes(String(id)));
    expect(new Set(inOrder).size).toBe(inOrder.length);
    expect(missed.indexOf(String(inOrder[0]))).toBe(0);
    expect([(await readEndpoint())?.gaps, await listAllPending()]).toEqual([undefined, [[], [], []]]);
  });

  test('receives new events immediately again', async () => {
    await goDown();
    await publishBatches(2);
    isDown = false;
    await world.passMinutes(70);
    const [id] = await world.publishEvents(1);
    await world.run();
    expect(await listDelivered()).toContain(id);
  });

  test('that fails again while catching up is behind from that page on', async () => {
    const first = await goDown();
    const missed = await publishBatches(30);
    let left = 12;
    world.respondWith((request) => (request.url === url && left-- <= 0 ? 500 : 204));
    await world.passMinutes(15);
    expect((await readEndpoint())?.gaps?.[0]?.from).toBeGreaterThan(6);
    world.respondWith(() => 204);
    await world.passMinutes(120);
    expect((await listDelivered()).sort()).toEqual([...first, ...missed].sort());
    expect([(await readEndpoint())?.gaps, await listAllPending()]).toEqual([undefined, [[], [], []]]);
  });

  test('at a new URL gets the missed events there immediately', async () => {
    await goDown();
    const missed = await publishBatches(3);
    await updateWebhook(world.deps, world.caller, hook, { url: 'http://127.0.0.1:9/moved' });
    await world.run();
    expect(await listDelivered()).toEqual(expect.arrayContaining(missed));
    expect((await readEndpoint())?.gaps).toBeUndefined();
  });

  test('whose catch-up message was lost is found by the sweep', async () => {
    await goDown();
    const missed = await publishBatches(3);
    isDown = false;
    world.queued.length = 0;
    await world.passMinutes(5);
    expect(await listDelivered()).toEqual(expect.arrayContaining(missed));
  });

  test('that was paused in the meantime does not get the missed events automatically', async () => {
    await goDown();
    await publishBatches(3);
    await updateWebhook(world.deps, world.caller, hook, { status: 'paused' });
    isDown = false;
    await updateWebhook(world.deps, world.caller, hook, { status: 'active' });
    const before = world.webhookRequests.length;
    await world.run();
    expect(world.webhookRequests.length).toBe(before);
    expect((await readEndpoint())?.gaps).toBeUndefined();
  });
});

describe('at the moment its circuit is closed', () => {
  /** Runs `interrupt` just before the commit after which new pages are sent as they are published. */
  function interruptBeforeEnd(interrupt: () => Promise<void>): Table {
    let isDone = false;
    return {
      ...table,
      async transact(writes) {
        const isEnd = writes.some(
          (write) => write.kind === 'update' && write.update.includes('#catchUps = #catchUps + :one'),
        );
        if (isEnd && !isDone) {
          isDone = true;
          await interrupt();
        }
        return table.transact(writes);
      },
    };
  }

  test('a page that is numbered in the meantime is not lost: the commit is refused, and the page is sent too', async () => {
    await goDown();
    await publishBatches(2);
    isDown = false;
    let publishedInBetween: string[] = [];
    const deps = world.withTable(
      interruptBeforeEnd(async () => {
        publishedInBetween = await world.publishEvents(1);
        const [message] = world.queued.splice(-1);
        await feedWorker(world.deps)(jobs.feed.parse(message?.body));
      }),
    );
    await runCatchUp(deps);
    await world.passMinutes(3);
    expect(publishedInBetween).toHaveLength(1);
    expect(await listDelivered()).toEqual(expect.arrayContaining(publishedInBetween));
    expect((await readEndpoint())?.gaps).toBeUndefined();
  });

  test('a page whose writer still considered the endpoint behind is refused, and numbered again', async () => {
    await goDown();
    await publishBatches(2);
    isDown = false;
    const publishedInBetween = await world.publishEvents(1);
    const [message] = world.queued.splice(-1);
    // The writer has read the endpoints, and stalls before its commit until the endpoint has caught
    // up.
    let isDone = false;
    const stalling: Table = {
      ...table,
      async transact(writes) {
        const isPage = writes.some((write) => write.kind === 'put' && write.item.pk.startsWith('F#'));
        if (isPage && !isDone) {
          isDone = true;
          await runCatchUp(world.deps);
          expect((await readEndpoint())?.gaps).toBeUndefined();
        }
        return table.transact(writes);
      },
    };
    await feedWorker(world.withTable(stalling))(jobs.feed.parse(message?.body));
    await world.run();
    await world.passMinutes(2);
    expect(await listDelivered()).toEqual(expect.arrayContaining(publishedInBetween));
  });

  async function runCatchUp(deps: typeof world.deps): Promise<void> {
    world.clock.advance(11_000);
    const { account: account_id, env } = world.feed;
    await deliverWorker(deps)({ webhook_id: hook, account_id, env, catch_up: true });
  }
});
