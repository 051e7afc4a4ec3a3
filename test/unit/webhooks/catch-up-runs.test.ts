// One catch-up run for an endpoint: how far it goes, where it stops, and what it leaves.
import { beforeEach, describe, expect, test } from 'vitest';
import { deliverWorker } from '../../../functions/workers/deliver.ts';
import type { Table } from '../../../shared/platform/ports.ts';
import { keys } from '../../../shared/system/keys.ts';
import { markBehind } from '../../../shared/webhooks/circuit-breaker.ts';
import { updateWebhook } from '../../../shared/webhooks/endpoints.ts';
import { closeOpenGap } from '../../../shared/webhooks/feed-gaps.ts';
import { readGapPages } from '../../../shared/webhooks/read-gap.ts';
import { webhookRows } from '../../../shared/webhooks/webhook-rows.ts';
import { type DeliveryWorld, openDeliveryWorld } from '../../harness/delivery-world.ts';
import { damagePages, listPageNumbers, toggleLayout } from '../../harness/feed-page-rows.ts';
import { type MemoryTable, memoryTable } from '../../harness/memory-table.ts';

let table: MemoryTable;
let world: DeliveryWorld;
let hook: string;
/** The missed events by page, three each. The first of these pages begins with number 6. */
let missed: string[][];

beforeEach(async () => {
  table = memoryTable();
  world = openDeliveryWorld(table);
  ({ id: hook } = await world.register());
  world.respondWith(() => 500);
  for (let failures = 0; failures < 5; failures += 1) {
    await world.publishEvents(1);
    await world.run();
  }
  missed = [];
  for (let page = 0; page < 4; page += 1) {
    missed.push(await world.publishEvents(3));
    await world.run();
  }
  world.respondWith(() => 204);
  world.webhookRequests.length = 0;
  world.queued.length = 0;
  world.clock.advance(11_000);
});

const job = () => ({ webhook_id: hook, account_id: world.feed.account, env: world.feed.env, catch_up: true }) as const;
const run = (deps = world.deps) => deliverWorker(deps)(job());
const row = async () => {
  const found = await webhookRows(world.deps.store).findById(world.feed.account, world.feed.env, hook);
  if (!found) throw new Error('the endpoint does not exist');
  return found;
};
const sent = () => world.webhookRequests.map(({ headers }) => String(headers['webhook-id']));
const isOf = (page: number) => (id: unknown) => missed[page]?.includes(String(id)) === true;

test('a run sends all missed events in order', async () => {
  await run();
  expect(sent()).toEqual(missed.flat());
  expect((await row()).gaps).toBeUndefined();
});

test('events that the endpoint does not subscribe to are not sent', async () => {
  await updateWebhook(world.deps, world.caller, hook, { events: ['device.connected'] });
  await run();
  expect(sent()).toEqual([]);
  expect((await row()).gaps).toBeUndefined();
});

/** So that a run ends that reads the same pages again and again. */
const slowTable = (): Table => ({
  ...table,
  query(query) {
    world.clock.advance(20);
    return table.query(query);
  },
});

test.each([11, 130])('a run sends what follows %i pages in a row that cannot be parsed', async (count) => {
  for (let page = 0; page <= count; page += 1) {
    missed.push(await world.publishEvents(1));
    await world.run();
  }
  await damagePages(world.deps.store, world.feed, (await listPageNumbers(world.deps.store, world.feed)).slice(9, -1));
  world.clock.advance(60_000);
  await run(world.withTable(slowTable()));
  expect(sent()).toEqual([...missed.slice(0, 4), missed.at(-1) ?? []].flat());
  expect((await row()).gaps).toBeUndefined();
});

test('a crashed worker that had sent all of its claim does not hold up the others', async () => {
  const { store, clock } = world.deps;
  const claim = { from: 1, to: 6, sinceMs: 0, claimedUntilMs: clock.now() - 1, lanes: 1 };
  const change = { gaps: [claim, { from: 6, sinceMs: 0 }], sweepMs: clock.now() };
  // Nothing else is missing, so there is no event to test the endpoint with.
  await updateWebhook(world.deps, world.caller, hook, { events: ['device.connected'] });
  await store.commit([webhookRows(store).buildChangeGaps(await row(), change)]);
  await run();
  expect((await row()).gaps).toBeUndefined();
});

test('a claim ends after ten seconds, between two chunks, and another run continues', async () => {
  for (let page = 4; page < 24; page += 1) missed.push(await world.publishEvents(3));
  await world.run();
  // Each request takes half a second, and they are counted one after the other.
  world.respondWith(() => {
    world.clock.advance(500);
    return 204;
  });
  await run();
  const count = sent().length;
  expect(count).toBeGreaterThan(10);
  expect(count).toBeLessThan(40);
  expect(sent()).toEqual(missed.flat().slice(0, count));
  expect(await row()).toMatchObject({ openUntilMs: 0, gaps: [{ from: expect.any(Number), to: 78 }] });
  await world.run();
  expect(sent().toSorted()).toEqual(missed.flat().toSorted());
  expect((await row()).gaps).toBeUndefined();
});

describe('an endpoint that is available again', () => {
  test('may fail on some events: after one success, the run stops only after five failures in a row', async () => {
    world.respondWith(({ headers }) => (isOf(1)(headers['webhook-id']) ? 500 : 204));
    await run();
    expect(sent()).toEqual(missed.flat());
    expect(await row()).toMatchObject({ failures: 0 });
    expect((await row()).gaps).toBeUndefined();
  });

  test('and fails on the way is left alone for a while, and no run is started before', async () => {
    for (let page = 4; page < 50; page += 1) missed.push(await world.publishEvents(3));
    await world.run();
    world.respondWith(({ headers }) => (isOf(0)(headers['webhook-id']) ? 204 : 500));
    world.webhookRequests.length = 0;
    await run();
    const { gaps, openUntilMs } = await row();
    expect(gaps?.[0]?.from).toBeGreaterThan(6);
    expect(openUntilMs - world.clock.now()).toBeGreaterThan(5_000);
    const woken = world.queued.filter(({ body }) => JSON.stringify(body).includes('catch_up'));
    expect(woken.length).toBeGreaterThan(0);
    for (const { dueMs } of woken) expect(dueMs).toBeGreaterThan(world.clock.now() + 5_000);
  });

  test('and is gone for good is disabled, and no run is started for it', async () => {
    world.respondWith(() => 410);
    await run();
    expect(await row()).toMatchObject({ status: 'disabled' });
    expect(sent()).toHaveLength(1);
    expect(world.queued.filter(({ queue }) => queue === 'deliver')).toEqual([]);
  });
});

test('a page that is added to the gaps in the meantime is sent by the same run', async () => {
  let isAdded = false;
  const falling: Table = {
    ...table,
    async write(write) {
      if (!isAdded && write.kind === 'put' && write.item.sk.startsWith('DELIVERY#')) {
        isAdded = true;
        const page = { first: 5, publishedMs: world.clock.now() };
        await markBehind(world.deps, await row(), page, world.clock.now());
        expect((await row()).gaps?.[0]).toMatchObject({ from: 5 });
      }
      return table.write(write);
    },
  };
  await run(world.withTable(falling));
  expect(isAdded).toBe(true);
  expect(sent()).toEqual(missed.flat());
  expect((await row()).gaps).toBeUndefined();
});

/** Reads the feed before that page is visible. */
function hidePage(page: number): Table {
  const hidden = keys.feedPage(world.feed.account, world.feed.env, page);
  return {
    ...table,
    async query(query) {
      const found = await table.query(query);
      return { ...found, items: found.items.filter(({ pk, sk }) => pk !== hidden.pk || sk !== hidden.sk) };
    },
  };
}

test('the first page is waited for if it is not visible yet', async () => {
  const before = await row();
  const { store, clock } = world.deps;
  const change = { gaps: closeOpenGap(before.gaps ?? [], 18), lanes: 1, sweepMs: clock.now() };
  await store.commit([webhookRows(store).buildChangeGaps(before, change)]);
  await webhookRows(store).recordSuccess(before, clock.now());
  await run(world.withTable(hidePage(6)));
  expect(sent()).toEqual([]);
  world.clock.advance(1_000);
  await world.run();
  expect(sent()).toEqual(missed.flat());
});

test.each([
  ['the first page', 6, 9],
  ['a page between two others', 9, 12],
])('%s is waited for, if it is not visible yet, also before one of a newer release', async (_which, hidden, newer) => {
  await toggleLayout(world.deps.store, world.feed, [newer]);
  await run(world.withTable(hidePage(hidden)));
  expect(await row()).toMatchObject({ gaps: [{ from: hidden }] });
  await toggleLayout(world.deps.store, world.feed, [newer]);
  world.clock.advance(1_000);
  await world.run();
  expect(sent()).toEqual(missed.flat());
  expect((await row()).gaps).toBeUndefined();
});

describe('a page between two others', () => {
  test('that is not visible yet is waited for, and nothing after it is sent before', async () => {
    const stale = hidePage(9);
    const startMs = world.clock.now();
    await run(world.withTable(stale));
    expect(sent()).toEqual(missed[0]);
    // No message finds the page still missing at once, and sends the next one.
    expect(Math.min(...world.queued.map(({ dueMs }) => dueMs))).toBeGreaterThanOrEqual(startMs + 1_000);
    expect(await row()).toMatchObject({ gaps: [{ from: 9 }] });
    world.clock.advance(1_000);
    await world.run();
    expect(sent()).toEqual(missed.flat());
  });

  test('that has been missing for long delays nothing', async () => {
    await table.write({ kind: 'delete', key: keys.feedPage(world.feed.account, world.feed.env, 9) });
    world.clock.advance(61_000);
    await run();
    expect(sent()).toEqual([0, 2, 3].flatMap((page) => missed[page] ?? []));
    expect((await row()).gaps).toBeUndefined();
  });

  test('that has no bytes at all is damaged, and is not waited for as one of a newer release', async () => {
    const key = keys.feedPage(world.feed.account, world.feed.env, 9);
    const values = { events: new Uint8Array() };
    await table.write({ kind: 'update', key, update: 'SET #events = :events', values });
    world.clock.advance(61_000);
    await run();
    expect(sent()).toEqual([0, 2, 3].flatMap((page) => missed[page] ?? []));
    expect((await row()).gaps).toBeUndefined();
  });
});

describe('a page that a newer release wrote', () => {
  test('is not read as a part of the gap before it, even if all pages of that gap have expired', async () => {
    for (const expired of [6, 9])
      await table.write({ kind: 'delete', key: keys.feedPage(world.feed.account, world.feed.env, expired) });
    await toggleLayout(world.deps.store, world.feed, [12]);
    world.clock.advance(61_000);
    const gap = { from: 6, to: 9, sinceMs: 0 };
    expect(await readGapPages(world.deps, await row(), gap)).toEqual({ pages: [], to: 9 });
  });

  test('in the first of two gaps: nothing of the second is sent, and the next new event tests the endpoint', async () => {
    const { store, clock } = world.deps;
    const gaps = [
      { from: 6, to: 9, sinceMs: 0 },
      { from: 12, to: 18, sinceMs: 0 },
    ];
    await store.commit([webhookRows(store).buildChangeGaps(await row(), { gaps, lanes: 1, sweepMs: clock.now() })]);
    await toggleLayout(store, world.feed, [6]);
    await run();
    expect(sent()).toEqual([]);
    expect(await row()).toMatchObject({ openUntilMs: 0, gaps });
    const published = await world.publishEvents(1);
    await world.run();
    expect(sent()).toEqual(published);
  });
});
