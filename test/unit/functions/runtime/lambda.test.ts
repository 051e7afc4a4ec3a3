// The adapters between Lambda events and the workers report exactly what failed.
import type { DynamoDBStreamEvent, SQSEvent } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import { onQueue } from '../../../../functions/runtime/on-queue.ts';
import { onStream } from '../../../../functions/runtime/on-stream.ts';
import { relayWorker } from '../../../../functions/workers/relay.ts';
import { marshalItem } from '../../../../shared/platform/aws/marshal.ts';
import { EngineUnavailable, type Item } from '../../../../shared/platform/ports.ts';
import { memoryDeps } from '../../../harness/memory-deps.ts';
import { newEvent, newFeedName, writeEvents } from '../../../harness/outbox.ts';
import { someOwner } from '../../../harness/pending-work.ts';

/** The part of the event that the adapter reads. */
const sqs = (bodies: readonly string[]) =>
  ({ Records: bodies.map((body, at) => ({ messageId: `m${at}`, body })) }) as unknown as SQSEvent;
const stream = (items: readonly Item[]) =>
  ({
    Records: items.map((item, at) => ({ dynamodb: { SequenceNumber: `${100 + at}`, NewImage: marshalItem(item) } })),
  }) as unknown as DynamoDBStreamEvent;
const failures = (...ids: string[]) => ({ batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })) });

describe('a batch from a queue', () => {
  const [good, bad, other] = [someOwner('seed'), someOwner('seed'), someOwner('seed')];
  const job = (user_id: string) => JSON.stringify({ user_id });

  function createWorker(badUsers: readonly string[]) {
    const world = memoryDeps();
    const worked: string[] = [];
    const handle = onQueue('seed', () => async ({ user_id }) => {
      worked.push(user_id);
      if (badUsers.includes(user_id)) throw new Error('the job failed');
    }).build(world.deps);
    return { world, worked, handle };
  }

  test('that succeeds reports nothing', async () => {
    const { handle, worked, world } = createWorker([]);
    expect(await handle(sqs([job(good), job(other)]))).toEqual(failures());
    expect([worked, world.log]).toEqual([[good, other], []]);
  });

  test('reports exactly the messages that failed and processes all others', async () => {
    const { handle, worked, world } = createWorker([bad]);
    expect(await handle(sqs([job(good), job(bad), job(other)]))).toEqual(failures('m1'));
    expect(worked).toEqual([good, bad, other]);
    expect(world.log).toMatchObject([{ level: 'error', fields: { queue: 'seed', message_id: 'm1' } }]);
  });

  test('reports all messages if all of them failed', async () => {
    const { handle } = createWorker([good, bad]);
    expect(await handle(sqs([job(good), job(bad)]))).toEqual(failures('m0', 'm1'));
  });

  test.each([
    ['is not JSON', 'not a job'],
    ['is not a job of this queue', JSON.stringify({ event_ids: ['evt_1'] })],
  ])('reports a message that %s and processes all others', async (_what, body) => {
    const { handle, worked } = createWorker([]);
    expect(await handle(sqs([body, job(good)]))).toEqual(failures('m0'));
    expect(worked).toEqual([good]);
  });

  test('processes identical messages once, and reports each of them if that failed', async () => {
    const { handle, worked } = createWorker([bad]);
    expect(await handle(sqs([job(bad), job(good), job(bad), job(good)]))).toEqual(failures('m0', 'm2'));
    expect(worked).toEqual([bad, good]);
  });
});

describe('a batch from the stream', () => {
  const items = [0, 1, 2, 3].map((n) => ({ pk: `V#${n}`, sk: 'EVENT', n }));

  test('passes the changed items to the worker and reports nothing on success', async () => {
    const seen: Item[][] = [];
    const handle = onStream(() => async (receivedItems) => {
      seen.push(receivedItems);
    }).build(memoryDeps().deps);
    expect(await handle(stream(items))).toEqual(failures());
    expect(seen).toEqual([items]);
  });

  test('whose worker throws fails as a whole, so that it is retried', async () => {
    const handle = onStream(() => async () => {
      throw new EngineUnavailable('the table is unavailable');
    }).build(memoryDeps().deps);
    await expect(handle(stream(items))).rejects.toThrow(EngineUnavailable);
  });

  test('of outbox rows becomes one message per feed, with the keys of its rows', async () => {
    const world = memoryDeps();
    const [one, other] = [newFeedName(), newFeedName()];
    const rows = await writeEvents(world.deps.store, [newEvent(one), newEvent(other), newEvent(one)]);
    const items = await Promise.all(rows.map((key) => world.table.get(key)));
    const handle = onStream(relayWorker).build(world.deps);
    expect(await handle(stream(items.filter((item) => item !== undefined)))).toEqual(failures());
    expect(world.sentTo('feed')).toEqual([
      { account_id: one.account, env: one.env, rows: [rows[0], rows[2]] },
      { account_id: other.account, env: other.env, rows: [rows[1]] },
    ]);
  });
});
