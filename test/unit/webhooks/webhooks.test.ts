// The deliveries of a deleted webhook are deleted with it, including those that are being created
// or sent at that moment. Deliveries about a deleted user contain only opaque ids.
import { expect, test } from 'vitest';
import { maxRunDurationMs, runWithDeadline } from '../../../functions/runtime/run-deadline.ts';
import { sweepWorker } from '../../../functions/workers/sweep.ts';
import { workerWriteDeadlineMs } from '../../../shared/platform/write-deadline.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import type { FeedPageJob } from '../../../shared/system/jobs.ts';
import { deliver } from '../../../shared/webhooks/deliver.ts';
import { createEndpointBulkhead } from '../../../shared/webhooks/endpoint-bulkhead.ts';
import { deleteWebhook, registerWebhook } from '../../../shared/webhooks/endpoints.ts';
import { eraseWebhook, eraseWebhooks } from '../../../shared/webhooks/erase-webhooks.ts';
import { fanOut } from '../../../shared/webhooks/fan-out.ts';
import { listCalls, pauseBeforeCall, type Work } from '../../harness/erasure/paused-worker.ts';
import { runEveryRace } from '../../harness/erasure/race.ts';
import { openWorld, type World } from '../../harness/erasure/world.ts';
import { numberPendingEvents, oneTo, recordingBus } from '../../harness/outbox.ts';

interface FanOutFixture {
  world: World;
  webhooks: string[];
  page: FeedPageJob;
}

/** Creates two webhooks that receive events of the same user. */
async function openFanOutFixture(): Promise<FanOutFixture> {
  const world = await openWorld();
  const hook = { url: 'http://127.0.0.1:9/', events: ['*' as const] };
  const registered = await Promise.all([1, 2].map(() => registerWebhook(world.deps, world.caller, hook)));
  const bus = recordingBus();
  await numberPendingEvents({ ...world.deps, bus });
  const [page] = bus.pages;
  if (!page) throw new Error('no page was published');
  return { world, webhooks: registered.map(({ id }) => id), page };
}

/** Attempts to deliver the first event of the page to one of the webhooks. */
const deliverFirstEvent =
  (webhook_id: string, page: FeedPageJob, is_all = true) =>
  (deps: Deps) => {
    const response = { kind: 'answered', status: 200, body: '', retryAfter: undefined } as const;
    const job = { ...page, webhook_id, numbers: [1], is_all };
    return deliver({ ...deps, webhookClient: { post: async () => response } }, createEndpointBulkhead(), job);
  };
const rowsOf = (world: World, webhook: string) => world.table.rows().filter(({ pk }) => pk === `H#${webhook}`);

test('numbering, fanning out and sending events of a user who is being deleted leaves nothing behind', async () => {
  const { world, webhooks, page } = await openFanOutFixture();
  const fresh = await openWorld();
  const numbering = await runEveryRace(fresh, (deps) => numberPendingEvents(deps), [
    'before the eraser comes',
    'after the receipt',
  ]);
  expect(numbering.problems).toEqual([]);
  expect(numbering.writes.some((write) => write.includes('put F#'))).toBe(true);
  expect((await runEveryRace(world, (deps) => fanOut(deps, createEndpointBulkhead(), page))).problems).toEqual([]);
  const sending = await runEveryRace(world, deliverFirstEvent(webhooks[0] ?? '', page));
  expect(sending.problems).toEqual([]);
  expect(sending.writes.filter((write) => write.includes('put H#'))).toHaveLength(1);
});

/** Continues the worker after the erasure, or after its write deadline. */
async function listRowsAfterErasure(before: World, webhook: string, n: number, work: Work, isLate: boolean) {
  const world = before.copy();
  world.clock.freeze();
  const erase = () => runWithDeadline(world.clock, () => eraseWebhook(world.deps, webhook));
  const worker = pauseBeforeCall(world, n, work);
  await worker.stopped;
  await deleteWebhook(world.deps, world.caller, webhook);
  await erase();
  expect(rowsOf(world, webhook).map(({ sk }) => sk)).toEqual(['GONE']);
  world.clock.advance(maxRunDurationMs - 1);
  if (!isLate) await worker.resume();
  world.clock.advance(workerWriteDeadlineMs - maxRunDurationMs);
  await erase();
  expect(rowsOf(world, webhook).map(({ sk }) => sk)).toEqual(['GONE']);
  world.clock.advance(1);
  await erase();
  await worker.resume();
  return rowsOf(world, webhook);
}

test('a webhook that is deleted before any write of a delivery leaves no rows', async () => {
  const { world, webhooks, page } = await openFanOutFixture();
  const [webhook = ''] = webhooks;
  const work = deliverFirstEvent(webhook, page);
  const writes = await listCalls(world, work);
  expect(writes.length).toBeGreaterThan(1);
  for (const n of oneTo(writes.length))
    for (const isLate of [false, true]) expect(await listRowsAfterErasure(world, webhook, n, work, isLate)).toEqual([]);
});

test('the sweep erases the rows of deleted webhooks, and again when late workers are done', async () => {
  const { world, webhooks, page } = await openFanOutFixture();
  world.clock.freeze();
  for (const webhook of webhooks) await deliverFirstEvent(webhook, page, false)(world.deps);
  const left = () => webhooks.map((webhook) => rowsOf(world, webhook).map(({ sk }) => sk));
  for (const webhook of webhooks) await deleteWebhook(world.deps, world.caller, webhook);
  world.clock.advance(1);
  await sweepWorker(world.deps)();
  expect(left()).toEqual([['GONE'], ['GONE']]);
  world.clock.advance(workerWriteDeadlineMs);
  await sweepWorker(world.deps)();
  expect(left()).toEqual([['GONE'], ['GONE']]);
  world.clock.advance(1);
  await sweepWorker(world.deps)();
  expect(left()).toEqual([[], []]);
});

test('a webhook with more deliveries than there is time for is postponed, and the next one is erased in the meantime', async () => {
  const { world, webhooks, page } = await openFanOutFixture();
  world.clock.freeze();
  for (const webhook of webhooks) await deliverFirstEvent(webhook, page, false)(world.deps);
  const [large = '', small = ''] = webhooks.toSorted();
  for (const webhook of [large, small]) await deleteWebhook(world.deps, world.caller, webhook);
  world.clock.advance(1);
  let steps = 0;
  const slow = world.withTable({
    ...world.table,
    // The erasure of the first webhook never ends, and each of its steps takes ten seconds.
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
