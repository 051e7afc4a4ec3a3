// Several workers close the gaps of one endpoint, while new pages are sent as they are published.
import { beforeEach, describe, expect, test } from 'vitest';
import { deliverWorker } from '../../../functions/workers/deliver.ts';
import type { Table, WebhookRequest, Write } from '../../../shared/platform/ports.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { jobs } from '../../../shared/system/jobs.ts';
import { countFailure, wakeCatchUp } from '../../../shared/webhooks/circuit-breaker.ts';
import { getWebhook, updateWebhook } from '../../../shared/webhooks/endpoints.ts';
import { claimGap, closeOpenGap, countClaims } from '../../../shared/webhooks/feed-gaps.ts';
import { recoverDeliveries } from '../../../shared/webhooks/recover-deliveries.ts';
import { webhookRows } from '../../../shared/webhooks/webhook-rows.ts';
import { type DeliveryWorld, openDeliveryWorld } from '../../harness/delivery-world.ts';
import { type MemoryTable, memoryTable } from '../../harness/memory-table.ts';
import { listPendingOwners, listPendingPages } from '../../harness/pending-work.ts';

const eventsPerPage = 40;
let table: MemoryTable;
let world: DeliveryWorld;
let hook: string;
/** Events that have a row already, because they were attempted before the circuit opened. */
let attempted: string[];
let missed: string[];

async function openBehind(pages: number): Promise<void> {
  table = memoryTable();
  world = openDeliveryWorld(table);
  ({ id: hook } = await world.register());
  world.respondWith(() => 500);
  attempted = [];
  for (let failures = 0; failures < 5; failures += 1) {
    attempted.push(...(await world.publishEvents(1)));
    await world.run();
  }
  missed = [];
  for (let page = 0; page < pages; page += 1) {
    missed.push(...(await world.publishEvents(eventsPerPage)));
    await world.run();
  }
  world.respondWith(() => 204);
  world.webhookRequests.length = 0;
  world.queued.length = 0;
  world.clock.advance(11_000);
}
beforeEach(() => openBehind(40));

const job = () => ({ webhook_id: hook, account_id: world.feed.account, env: world.feed.env, catch_up: true }) as const;
const row = async () => {
  const found = await webhookRows(world.deps.store).findById(world.feed.account, world.feed.env, hook);
  if (!found) throw new Error('the endpoint does not exist');
  return found;
};
/** The requests for missed events, without the retries of the others. */
const sent = () =>
  world.webhookRequests.map(({ headers }) => String(headers['webhook-id'])).filter((id) => !attempted.includes(id));
const isGapChange = (write: Write): boolean => write.kind === 'update' && write.update.includes('#gapVersion');
const expectLevel = async (): Promise<void> => {
  expect((await row()).gaps).toBeUndefined();
  expect([...new Set(sent())].toSorted()).toEqual([...missed].toSorted());
  expect(await listPendingPages(world.deps.store)).toEqual([]);
};

test('a page that is published after the probe is sent at once, while older ones still wait', async () => {
  // The first run ends after one claim, because the clock moves on.
  world.respondWith(() => {
    world.clock.advance(600);
    return 204;
  });
  await deliverWorker(world.deps)(job());
  expect((await row()).gaps).toMatchObject([{ to: 6 + missed.length }]);
  world.queued.length = 0;
  const before = sent().length;
  const fresh = await world.publishEvents(3);
  await world.run();
  expect(sent().slice(before)).toEqual(expect.arrayContaining(fresh));
  expect((await row()).gaps).toHaveLength(1);
});

/** Runs the messages as they come, each beside the runs that have not ended. */
async function runAtOnce(deps: Deps): Promise<void> {
  const deliver = deliverWorker(deps);
  const runs: Promise<void>[] = [];
  const start = () => {
    for (const { body } of world.queued.splice(0)) runs.push(deliver(jobs.deliver.parse(body)));
  };
  const respond = respondWith;
  world.respondWith((request) => {
    start();
    // Time passes while a worker sends, as with a slow receiver.
    world.clock.advance(40);
    return respond(request);
  });
  for (let at = 0; at < runs.length || world.queued.length > 0; at += 1) {
    start();
    await runs[at];
  }
}
let respondWith: (request: WebhookRequest) => number = () => 204;
beforeEach(() => {
  respondWith = () => 204;
});

/** The lanes and the claims after each change of the gaps. */
const watch = () => {
  const seen: { lanes: number; claims: number }[] = [];
  const watched: Table = {
    ...table,
    async transact(writes) {
      await table.transact(writes);
      const { gaps = [], lanes = 1 } = await row();
      if (writes.some(isGapChange)) seen.push({ lanes, claims: countClaims(gaps) });
    },
  };
  return { seen, watched };
};

test('every missed event is sent once, by workers that grow in number', async () => {
  const { seen, watched } = watch();
  await wakeCatchUp(world.deps, await row(), 0);
  await runAtOnce(world.withTable(watched));
  await expectLevel();
  expect(sent()).toHaveLength(missed.length);
  expect(seen[0]).toMatchObject({ lanes: 1 });
  expect(Math.max(...seen.map(({ claims }) => claims))).toBeGreaterThan(1);
  for (const { claims, lanes } of seen) expect(claims).toBeLessThanOrEqual(Math.ceil(lanes));
});

test('a chunk that fails halves the number of workers, and its events have their own retries', async () => {
  const before = await row();
  const { store, clock } = world.deps;
  const change = { gaps: closeOpenGap(before.gaps ?? [], 6 + missed.length), lanes: 8, sweepMs: clock.now() };
  await store.commit([webhookRows(store).buildChangeGaps(before, change)]);
  await webhookRows(store).recordSuccess(before, clock.now());
  let count = 0;
  world.respondWith(() => (++count > 16 && count <= 32 ? 503 : 204));
  const { seen, watched } = watch();
  await deliverWorker(world.withTable(watched))(job());
  expect(seen.map(({ lanes }) => lanes).slice(0, 2)).toEqual([8, 4]);
  world.respondWith(() => 204);
  await world.passMinutes(10);
  await expectLevel();
  expect(sent()).toHaveLength(missed.length + 16);
});

test('a message that waited long for a free worker halves the number of workers', async () => {
  const before = await row();
  const { store, clock } = world.deps;
  const change = { gaps: closeOpenGap(before.gaps ?? [], 6 + missed.length), lanes: 8, sweepMs: clock.now() };
  await store.commit([webhookRows(store).buildChangeGaps(before, change)]);
  await webhookRows(store).recordSuccess(before, clock.now());
  const { seen, watched } = watch();
  await deliverWorker(world.withTable(watched))({ ...job(), due_ms: clock.now() - 5_000 });
  expect(seen[0]).toEqual({ lanes: 4, claims: 1 });
});

test('a circuit that opens while a worker begins stays open, and nothing is sent', async () => {
  const before = await row();
  const { store, clock } = world.deps;
  const change = { gaps: closeOpenGap(before.gaps ?? [], 6 + missed.length), lanes: 2, sweepMs: clock.now() };
  await store.commit([webhookRows(store).buildChangeGaps(before, change)]);
  await webhookRows(store).recordSuccess(before, clock.now());
  let isOpened = false;
  const interrupted: Table = {
    ...table,
    async get(...args) {
      const item = await table.get(...args);
      if (isOpened || !args[0].sk.startsWith('HOOK#')) return item;
      isOpened = true;
      for (let failures = 0; failures < 5; failures += 1) await countFailure(world.deps, await row());
      return item;
    },
  };
  await deliverWorker(world.withTable(interrupted))(job());
  expect((await row()).openUntilMs).toBeGreaterThan(clock.now());
  expect(sent()).toEqual([]);
});

test('a circuit that opens while a worker sends ends that worker after its claim', async () => {
  const before = await row();
  const { store, clock } = world.deps;
  const change = { gaps: closeOpenGap(before.gaps ?? [], 6 + missed.length), lanes: 2, sweepMs: clock.now() };
  await store.commit([webhookRows(store).buildChangeGaps(before, change)]);
  await webhookRows(store).recordSuccess(before, clock.now());
  // A page that is sent at once, so that what was missed stays a gap of its own.
  await world.publishEvents(1);
  await world.run();
  let isOpened = false;
  const interrupted: Table = {
    ...table,
    async write(write) {
      const result = await table.write(write);
      if (isOpened || write.kind !== 'put' || !write.item.sk.startsWith('DELIVERY#')) return result;
      isOpened = true;
      for (let failures = 0; failures < 5; failures += 1) await countFailure(world.deps, await row());
      return result;
    },
  };
  await deliverWorker(world.withTable(interrupted))(job());
  expect((await row()).openUntilMs).toBeGreaterThan(clock.now());
  expect(sent().length).toBeGreaterThan(0);
  expect(sent().length).toBeLessThan(missed.length / 2);
  expect((await row()).gaps).toMatchObject([{ to: 6 + missed.length }, {}]);
});

describe('a worker that dies', () => {
  /** Fails every write from the nth on, as a process that was killed. */
  const dyingTable = (n: number): { table: Table; isDead: () => boolean } => {
    let left = n;
    const count = <T>(write: () => Promise<T>): Promise<T> =>
      left-- <= 0 ? Promise.reject(new Error('the process was killed')) : write();
    return {
      isDead: () => left < 0,
      table: {
        ...table,
        write: (write) => count(() => table.write(write)),
        transact: (writes) => count(() => table.transact(writes)),
        batchWrite: (writes) => count(() => table.batchWrite(writes)),
      },
    };
  };

  test('at any write loses no event, and sends only the events of its last chunk twice', async () => {
    for (let n = 0; ; n += n < 12 ? 1 : 17) {
      await openBehind(3);
      const dying = dyingTable(n);
      const run = deliverWorker(world.withTable(dying.table))(job());
      await run.catch((error: unknown) => expect(String(error)).toContain('killed'));
      const isComplete = !dying.isDead();
      world.queued.length = 0;
      await world.passMinutes(5);
      await expectLevel();
      expect(sent().length - missed.length, `killed at write ${n}`).toBeLessThanOrEqual(16);
      if (isComplete) return;
    }
  });

  test('halves the parallelism, and its claim is taken over when it has expired', async () => {
    let claims = 0;
    const killed = new Error('the process was killed');
    const dying: Table = {
      ...table,
      async transact(writes) {
        if (writes.some(isGapChange)) claims += 1;
        // The circuit is closed, the first claim is made, and the worker never finishes it.
        if (claims > 2) throw killed;
        return table.transact(writes);
      },
    };
    await expect(deliverWorker(world.withTable(dying))(job())).rejects.toThrow('killed');
    expect((await row()).gaps?.[0]).toMatchObject({ claimedUntilMs: expect.any(Number) });
    const before = sent().length;
    // Another worker takes the next range at most, and none takes the one that is claimed.
    await deliverWorker(world.deps)(job());
    expect(sent()).toHaveLength(before);
    await world.passMinutes(4);
    await expectLevel();
    expect(sent()).toHaveLength(missed.length);
  });
});

test('the claim of a worker that died halves the number of workers', async () => {
  const before = await row();
  const { store, clock } = world.deps;
  const closed = closeOpenGap(before.gaps ?? [], 6 + missed.length);
  const dead = { from: 6, to: 6 + eventsPerPage, claimedUntilMs: clock.now() - 1 };
  const gaps = claimGap(closed, dead, { lanes: 8, restSinceMs: 0 });
  await store.commit([webhookRows(store).buildChangeGaps(before, { gaps, lanes: 8, sweepMs: clock.now() })]);
  await webhookRows(store).recordSuccess(before, clock.now());
  const { seen, watched } = watch();
  await deliverWorker(world.withTable(watched))(job());
  expect(seen[0]).toEqual({ lanes: 4, claims: 1 });
});

describe('a probe while a worker from before may still be sending', () => {
  const claimPages = async (pages: number): Promise<void> => {
    const before = await row();
    const { store, clock } = world.deps;
    const closed = closeOpenGap(before.gaps ?? [], 6 + missed.length);
    const claim = { from: 6, to: 6 + pages * eventsPerPage, claimedUntilMs: clock.now() + 30_000 };
    const gaps = claimGap(closed, claim, { lanes: 1, restSinceMs: 0 });
    await store.commit([webhookRows(store).buildChangeGaps(before, { gaps, lanes: 1, sweepMs: clock.now() })]);
  };

  test('begins with what that worker has not claimed', async () => {
    await claimPages(1);
    await deliverWorker(world.deps)(job());
    expect(sent()[0]).toBe(missed[eventsPerPage]);
    expect(sent().filter((id) => missed.slice(0, eventsPerPage).includes(id))).toEqual([]);
  });

  test('waits if everything is claimed', async () => {
    await claimPages(40);
    await deliverWorker(world.deps)(job());
    expect(sent()).toEqual([]);
    expect(world.queued).toMatchObject([{ queue: 'deliver', body: { catch_up: true } }]);
  });
});

test('messages that arrive twice or late change nothing', async () => {
  const deliver = deliverWorker(world.deps);
  await Promise.all([1, 2, 3].map((due) => deliver({ ...job(), due_ms: due })));
  await world.passMinutes(5);
  await deliver(job());
  await expectLevel();
  expect(sent()).toHaveLength(missed.length);
});

test('an endpoint that is paused while it catches up is sent nothing more, and recover finds the rest', async () => {
  world.respondWith(() => {
    world.clock.advance(600);
    return 204;
  });
  await deliverWorker(world.deps)(job());
  await updateWebhook(world.deps, world.caller, hook, { status: 'paused' });
  const before = sent().length;
  await world.passMinutes(3);
  expect([sent().length, (await row()).gaps]).toEqual([before, undefined]);
  await updateWebhook(world.deps, world.caller, hook, { status: 'active' });
  world.respondWith(() => 204);
  for (let call = 0; call < 10; call += 1) {
    const since = new Date(world.clock.now() - 3_600_000).toISOString();
    const { more } = await recoverDeliveries(world.deps, world.caller, hook, since);
    await world.passMinutes(1);
    if (!more) break;
  }
  expect([...new Set(sent())]).toEqual(expect.arrayContaining(missed));
});

test('recover skips the events of a gap, claimed or not, because they will be sent anyway', async () => {
  const since = new Date(world.clock.now() - 3_600_000).toISOString();
  expect(await recoverDeliveries(world.deps, world.caller, hook, since)).toMatchObject({ recovered: 0 });
});

test('at a new URL, what a worker has claimed is sent there at once', async () => {
  const stuck: Table = {
    ...table,
    async write(write) {
      if (write.kind === 'put' && write.item.sk.startsWith('DELIVERY#')) throw new Error('the process was killed');
      return table.write(write);
    },
  };
  await deliverWorker(world.withTable(stuck))(job()).catch(() => {});
  await updateWebhook(world.deps, world.caller, hook, { url: 'http://127.0.0.1:9/moved' });
  world.webhookRequests.length = 0;
  await world.run();
  await expectLevel();
  expect(new Set(world.webhookRequests.map(({ url }) => url))).toEqual(new Set(['http://127.0.0.1:9/moved']));
});

test('the webhook says since when it is behind, and a worker reports a lag of more than 15 minutes', async () => {
  const { behind_since } = await getWebhook(world.deps, world.caller, hook);
  expect(Date.parse(behind_since ?? '')).toBeLessThanOrEqual(world.clock.now());
  world.clock.advance(20 * 60_000);
  const lines: unknown[] = [];
  const log = (_level: unknown, code: string, fields: unknown) => lines.push([code, fields]);
  world.respondWith(() => {
    world.clock.advance(600);
    return 204;
  });
  await deliverWorker({ ...world.deps, log })(job());
  expect(lines).toEqual([
    ['webhook_behind', expect.objectContaining({ webhook_id: hook, oldest_seconds: expect.any(Number) })],
  ]);
  await world.passMinutes(20);
  expect(await getWebhook(world.deps, world.caller, hook)).toMatchObject({ behind_since: null });
  expect(await listPendingOwners(world.deps.store, 'deliver')).toEqual([]);
});

test('catching up costs one write for each delivery, and few for all of them together', async () => {
  const [writes, gapWrites] = [table.rows().length, { count: 0 }];
  const counted: Table = {
    ...table,
    async transact(each) {
      if (each.some(isGapChange)) gapWrites.count += 1;
      return table.transact(each);
    },
  };
  await deliverWorker(world.withTable(counted))(job());
  await expectLevel();
  expect(table.rows().length - writes).toBe(missed.length);
  // 1,600 events: the circuit, six claims of 320 events or fewer, and the last one's end.
  expect(gapWrites.count).toBeLessThanOrEqual(8);
});
