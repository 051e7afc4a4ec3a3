import type { DynamoDBRecord, EventBridgeEvent, SQSRecord } from 'aws-lambda';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { makeActivity } from '../../../infra/local/activity.ts';
import type { Host } from '../../../infra/local/host.ts';
import { startLocalBus } from '../../../infra/local/local-bus.ts';
import { makePace } from '../../../infra/local/pace.ts';
import { awsBus } from '../../../shared/engine/aws/bus.ts';
import type { Queue } from '../../../shared/engine/ports.ts';
import { systemClock } from '../../../shared/runtime/deps.ts';
import { localEventBridge } from '../../harness/engine-clients.ts';
import { forgetAll, seenBy } from './fixtures/journal.ts';
import { workerFunctions, workerQueues } from './fixtures/map.ts';
import { memoryHost, silent } from './local-host.ts';

const workerHost = (more: Parameters<typeof memoryHost>[0] = {}) =>
  memoryHost({ functions: workerFunctions, queues: workerQueues, ...more });

const queueOf = (host: Host): Queue => host.deps.queue;
/** The fixture functions note exactly these, each under its own name. */
const seenRecords = () => seenBy('queue') as SQSRecord[];
const seenBodies = () => seenRecords().map((record) => JSON.parse(record.body).id);
const seenEvents = () => seenBy('bus') as EventBridgeEvent<string, unknown>[];
const seenSortKeys = () => (seenBy('stream') as DynamoDBRecord[]).map((record) => record.dynamodb?.Keys?.['sk']?.S);

beforeEach(forgetAll);

describe('a queue', () => {
  test('gives its messages to the function in the shape of SQS', async () => {
    const host = await workerHost();
    await queueOf(host).send('work', { id: 1 });
    await host.drain();
    expect(seenRecords()).toMatchObject([
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

  test('brings exactly the failed messages of a batch again', async () => {
    const host = await workerHost();
    await queueOf(host).sendAll('work', [{ id: 'a' }, { id: 'b', failures: 1 }, { id: 'c' }, { id: 'd', failures: 2 }]);
    await host.drain();
    expect(seenBodies().sort()).toEqual(['a', 'b', 'b', 'c', 'd', 'd', 'd']);
    expect(await host.deadLetters('work')).toEqual([]);
  });

  test('puts a message aside after the receives the map allows, and goes on with the others', async () => {
    const host = await workerHost();
    await queueOf(host).sendAll('work', [{ id: 'bad', failures: 99 }, { id: 'good' }]);
    await host.drain();
    expect(seenBodies().sort()).toEqual(['bad', 'bad', 'bad', 'good']);
    expect(await host.deadLetters('work')).toEqual([{ id: 'bad', failures: 99 }]);
  });

  test('brings a whole batch again when the function throws', async () => {
    const host = await workerHost();
    await queueOf(host).send('work', { id: 'thrown', throws: 2 });
    await host.drain();
    expect(seenBodies()).toEqual(['thrown', 'thrown', 'thrown']);
    expect(await host.deadLetters('work')).toEqual([]);
  });

  test('holds a delayed message back until the host’s own clock says it is due', async () => {
    let now = 1_000_000;
    const host = await workerHost({ clock: { now: () => now } });
    await queueOf(host).send('work', { id: 'later' }, { delaySeconds: 60 });
    now += 59_999;
    await host.drain();
    expect(seenBodies()).toEqual([]);
    now += 1;
    await host.drain();
    expect(seenBodies()).toEqual(['later']);
  });
});

describe('the stream', () => {
  const put = (host: Host, sk: string, more: Record<string, number> = {}) =>
    host.table.write({ kind: 'put', item: { pk: 'P', sk, ...more } });

  test('brings the wanted records in the order they were written, in the shape of DynamoDB', async () => {
    const host = await workerHost();
    for (const sk of ['SEEN#1', 'UNWANTED#1', 'ALSO#1', 'SEEN#2', 'SEEN#3', 'SEEN#4']) await put(host, sk);
    await put(host, 'SEEN#1', { changed: 1 });
    await host.table.write({ kind: 'delete', key: { pk: 'P', sk: 'SEEN#2' } });
    await host.drain();
    expect(seenSortKeys()).toEqual(['SEEN#1', 'ALSO#1', 'SEEN#2', 'SEEN#3', 'SEEN#4', 'SEEN#1', 'SEEN#2']);
    expect(seenBy('stream')[5]).toMatchObject({
      eventName: 'MODIFY',
      eventSource: 'aws:dynamodb',
      eventSourceARN: expect.stringContaining('/stream/'),
      dynamodb: { OldImage: { sk: { S: 'SEEN#1' } }, NewImage: { changed: { N: '1' } } },
    });
    expect(seenBy('stream')[6]).toMatchObject({ eventName: 'REMOVE' });
  });

  test('leaves out the kinds of change that the function does not ask for', async () => {
    const trigger = { kind: 'stream', skPrefixes: ['SEEN#'], batchSize: 4, changes: ['INSERT'] } as const;
    const worker = workerFunctions['stream-worker'];
    if (!worker) throw new Error('the fixture is gone');
    const host = await workerHost({ functions: { ...workerFunctions, 'stream-worker': { ...worker, trigger } } });
    await put(host, 'SEEN#1');
    await put(host, 'SEEN#1', { changed: 1 });
    await host.table.write({ kind: 'delete', key: { pk: 'P', sk: 'SEEN#1' } });
    await put(host, 'SEEN#2');
    await host.drain();
    expect(seenSortKeys()).toEqual(['SEEN#1', 'SEEN#2']);
  });

  test('goes on from a failed record, in order, without bringing the ones before it again', async () => {
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
    expect(seenSortKeys()).toEqual(['SEEN#1', 'SEEN#2', 'SEEN#3', 'SEEN#4']);
    expect(host.givenUp().stream).toEqual([]);
  });

  test('gives up a poison record, named or thrown, and brings all others', async () => {
    const host = await workerHost();
    await put(host, 'SEEN#1');
    await put(host, 'SEEN#2', { failures: 1_000 });
    await put(host, 'SEEN#3');
    await put(host, 'SEEN#4', { throws: 1_000 });
    await put(host, 'SEEN#5');
    await host.drain();
    expect(host.givenUp().stream).toMatchObject([
      { dynamodb: { Keys: { sk: { S: 'SEEN#2' } } } },
      { dynamodb: { Keys: { sk: { S: 'SEEN#4' } } } },
    ]);
    expect([...new Set(seenSortKeys())]).toEqual(['SEEN#1', 'SEEN#3', 'SEEN#5']);
  });
});

describe('the bus', () => {
  const publish = (host: Host, type: string, detail: unknown = {}, source = 'daybook') =>
    host.deps.bus.publish([{ source, type, detail }]);

  test('brings the events whose type the function asked for, in the shape of EventBridge', async () => {
    const host = await workerHost();
    await publish(host, 'thing.made', { id: 7 });
    await publish(host, 'thing.ignored');
    await publish(host, 'thing.gone', {}, 'somebody-else');
    await host.drain();
    expect(seenBy('bus')).toEqual([
      {
        version: '0',
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        'detail-type': 'thing.made',
        source: 'daybook',
        account: '000000000000',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        region: 'us-east-1',
        resources: [],
        detail: { id: 7 },
      },
    ]);
  });

  test('tries an event again that the function refused, and gives it up in the end', async () => {
    const host = await workerHost();
    const publishing = [publish(host, 'thing.made', { fails: 3 }), publish(host, 'thing.gone', { fails: 1_000 })];
    await Promise.all([...publishing, host.drain()]);
    expect(seenEvents().map((event) => event['detail-type'])).toEqual(['thing.made']);
    expect(host.givenUp().bus).toMatchObject([{ functionName: 'bus-worker', event: { 'detail-type': 'thing.gone' } }]);
  });

  test('takes an event before the function is done with it, as the real one does', async () => {
    const host = await workerHost();
    await publish(host, 'thing.made', { fails: 1 });
    expect(seenEvents()).toEqual([]);
    await host.drain();
    expect(seenEvents().map((event) => event['detail-type'])).toEqual(['thing.made']);
  });

  test('that stops does not give up an event that the function could not handle', async () => {
    const activity = makeActivity();
    const pace = makePace();
    const bus = await startLocalBus({ clock: systemClock, log: silent, pace, activity });
    onTestFinished(() => bus.close());
    const tried = Promise.withResolvers<void>();
    bus.connect([{ functionName: 'stopping', types: [] }], async () => {
      pace.stop();
      tried.resolve();
      throw new Error('the table is gone');
    });
    const publisher = awsBus({ client: localEventBridge(bus.endpoint), busName: 'daybook', backoffMs: 1 });
    await publisher.publish([{ source: 'daybook', type: 'thing.made', detail: {} }]);
    await tried.promise;
    await activity.idle();
    expect(bus.deadLetters).toEqual([]);
  });
});

describe('a schedule', () => {
  test('never runs twice at once', async () => {
    const host = await workerHost();
    await Promise.all([1, 2, 3].map(() => host.runSchedule('schedule-worker')));
    const run = ['begin Scheduled Event', 'end'];
    expect(seenBy('schedule')).toEqual([...run, ...run, ...run]);
  });

  test('that the map does not have cannot be run', async () => {
    const host = await workerHost();
    await expect(host.runSchedule('queue-worker')).rejects.toThrow('no schedule');
  });
});
