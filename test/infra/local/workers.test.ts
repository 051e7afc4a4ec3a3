import type { DynamoDBRecord, SQSRecord } from 'aws-lambda';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Host } from '../../../infra/local/host.ts';
import type { Queue } from '../../../shared/platform/ports.ts';
import { clearJournal, recordedBy } from './fixtures/journal.ts';
import { workerFunctions, workerQueues } from './fixtures/manifest.ts';
import { memoryHost } from './local-host.ts';

const workerHost = (more: Parameters<typeof memoryHost>[0] = {}) =>
  memoryHost({ functions: workerFunctions, queues: workerQueues, ...more });

const queueOf = (host: Host): Queue => host.deps.queue;
/** The entries that the fixture functions record, each under its own name. */
const recordedMessages = () => recordedBy('queue') as SQSRecord[];
const recordedIds = () => recordedMessages().map((record) => JSON.parse(record.body).id);
const recordedSortKeys = () =>
  (recordedBy('stream') as DynamoDBRecord[]).map((record) => record.dynamodb?.Keys?.['sk']?.S);

beforeEach(clearJournal);

describe('a queue', () => {
  test('delivers its messages in the shape of SQS', async () => {
    const host = await workerHost();
    await queueOf(host).send('work', { id: 1 });
    await host.drain();
    expect(recordedMessages()).toMatchObject([
      {
        body: '{"id":1}',
        eventSource: 'aws:sqs',
        eventSourceARN: expect.stringMatching(/^arn:aws:sqs:.*:daybook-work$/),
        attributes: { ApproximateReceiveCount: '1', SentTimestamp: expect.stringMatching(/^\d+$/) },
        messageId: expect.any(String),
        receiptHandle: expect.any(String),
      },
    ]);
  });

  test('redelivers exactly the failed messages of a batch', async () => {
    const host = await workerHost();
    await queueOf(host).sendAll('work', [{ id: 'a' }, { id: 'b', failures: 1 }, { id: 'c' }, { id: 'd', failures: 2 }]);
    await host.drain();
    expect(recordedIds().sort()).toEqual(['a', 'b', 'b', 'c', 'd', 'd', 'd']);
    expect(await host.deadLetters('work')).toEqual([]);
  });

  test('dead-letters a message after the receives that the manifest allows, and continues with the others', async () => {
    const host = await workerHost();
    await queueOf(host).sendAll('work', [{ id: 'bad', failures: 99 }, { id: 'good' }]);
    await host.drain();
    expect(recordedIds().sort()).toEqual(['bad', 'bad', 'bad', 'good']);
    expect(await host.deadLetters('work')).toEqual([{ id: 'bad', failures: 99 }]);
  });

  test('redelivers a whole batch when the function throws', async () => {
    const host = await workerHost();
    await queueOf(host).send('work', { id: 'thrown', throws: 2 });
    await host.drain();
    expect(recordedIds()).toEqual(['thrown', 'thrown', 'thrown']);
    expect(await host.deadLetters('work')).toEqual([]);
  });

  test('holds a delayed message until it is due by the host’s clock', async () => {
    let now = 1_000_000;
    const host = await workerHost({ clock: { now: () => now } });
    await queueOf(host).send('work', { id: 'later' }, { delaySeconds: 60 });
    now += 59_999;
    await host.drain();
    expect(recordedIds()).toEqual([]);
    now += 1;
    await host.drain();
    expect(recordedIds()).toEqual(['later']);
  });
});

describe('the stream', () => {
  const put = (host: Host, sk: string, more: Record<string, number | string> = {}) =>
    host.table.write({ kind: 'put', item: { pk: 'P', sk, seen: 'yes', ...more } });

  test('delivers the items with its attribute in write order, in the shape of DynamoDB', async () => {
    const host = await workerHost();
    for (const sk of ['1', '2']) await put(host, sk);
    await host.table.write({ kind: 'put', item: { pk: 'P', sk: 'unwanted' } });
    await host.table.write({ kind: 'put', item: { pk: 'P', sk: 'a number', seen: 1 } });
    await put(host, '3');
    await put(host, '1', { changed: 1 });
    await host.table.write({ kind: 'delete', key: { pk: 'P', sk: '2' } });
    const update = { kind: 'update', update: 'SET #seen = :yes', values: { yes: 'yes' } } as const;
    await host.table.write({ ...update, key: { pk: 'P', sk: 'unwanted' } });
    await host.drain();
    expect(recordedSortKeys()).toEqual(['1', '2', '3', '1', 'unwanted']);
    expect(recordedBy('stream')[3]).toMatchObject({
      eventName: 'MODIFY',
      eventSource: 'aws:dynamodb',
      eventSourceARN: expect.stringContaining('/stream/'),
      dynamodb: { OldImage: { sk: { S: '1' } }, NewImage: { changed: { N: '1' } } },
    });
  });

  test('continues from a failed record, in order, without redelivering the ones before it', async () => {
    const host = await workerHost();
    for (const [sk, failures] of [
      ['SEEN#1', 0],
      ['SEEN#2', 3],
      ['SEEN#3', 0],
      ['SEEN#4', 1],
    ] as const) {
      await put(host, sk, { failures });
    }
    await host.drain();
    expect(recordedSortKeys()).toEqual(['SEEN#1', 'SEEN#2', 'SEEN#3', 'SEEN#4']);
    expect(host.listAbandoned().stream).toEqual([]);
  });

  test('skips a poison record, reported or thrown, and delivers all others', async () => {
    const host = await workerHost();
    await put(host, 'SEEN#1');
    await put(host, 'SEEN#2', { failures: 1_000 });
    await put(host, 'SEEN#3');
    await put(host, 'SEEN#4', { throws: 1_000 });
    await put(host, 'SEEN#5');
    await host.drain();
    expect(host.listAbandoned().stream).toMatchObject([
      { dynamodb: { Keys: { sk: { S: 'SEEN#2' } } } },
      { dynamodb: { Keys: { sk: { S: 'SEEN#4' } } } },
    ]);
    expect([...new Set(recordedSortKeys())]).toEqual(['SEEN#1', 'SEEN#3', 'SEEN#5']);
  });
});

describe('the bus', () => {
  const publish = (host: Host, type: string, detail: unknown = {}, source = 'daybook') =>
    host.deps.bus.publish([{ source, type, detail }]);

  test('puts the detail of an event into the queue of the function that subscribes to its type', async () => {
    const host = await workerHost();
    await publish(host, 'thing.made', { id: 7 });
    await publish(host, 'thing.ignored', { id: 8 });
    await publish(host, 'thing.made', { id: 9 }, 'somebody-else');
    await host.drain();
    expect(recordedMessages()).toMatchObject([
      { body: '{"id":7}', eventSourceARN: expect.stringContaining('daybook-told') },
    ]);
  });

  test('retries an event as its queue does, and dead-letters it in the end', async () => {
    const host = await workerHost();
    await publish(host, 'thing.made', { id: 'late', failures: 2 });
    await publish(host, 'thing.made', { id: 'bad', failures: 99 });
    await host.drain();
    expect(recordedIds().sort()).toEqual(['bad', 'bad', 'bad', 'late', 'late', 'late']);
    expect(await host.deadLetters('told')).toEqual([{ id: 'bad', failures: 99 }]);
    expect(host.listAbandoned().bus).toEqual([]);
  });
});

describe('a schedule', () => {
  test('never runs twice concurrently', async () => {
    const host = await workerHost();
    await Promise.all([1, 2, 3].map(() => host.runSchedule('schedule-worker')));
    const run = ['begin Scheduled Event', 'end'];
    expect(recordedBy('schedule')).toEqual([...run, ...run, ...run]);
  });

  test('that the manifest does not have cannot be run', async () => {
    const host = await workerHost();
    await expect(host.runSchedule('queue-worker')).rejects.toThrow('no schedule');
  });
});
