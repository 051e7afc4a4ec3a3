import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { startFauxqs } from 'fauxqs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { awsQueue } from '../../../shared/platform/aws/queue.ts';
import { EngineUnavailable } from '../../../shared/platform/ports.ts';
import { getMessageGroupId, isFifoQueue } from '../../../shared/system/jobs.ts';
import { testSqs } from './clients.ts';
import { answer, scriptedServer } from './scripted-server.ts';

describe('the queue on a real SQS protocol', () => {
  let engine: Awaited<ReturnType<typeof startFauxqs>>;
  beforeAll(async () => {
    engine = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false });
  });
  afterAll(() => engine?.stop());

  function queueNamed(name: string) {
    const { queueUrl } = engine.createQueue(name, { region: 'eu-central-1' });
    const client = testSqs(`http://127.0.0.1:${engine.port}`);
    const receive = async () => {
      const bodies: unknown[] = [];
      for (;;) {
        const input = { QueueUrl: queueUrl, MaxNumberOfMessages: 10 };
        const { Messages = [] } = await client.send(new ReceiveMessageCommand(input));
        if (Messages.length === 0) return bodies;
        for (const { Body = '' } of Messages) bodies.push(JSON.parse(Body));
      }
    };
    return {
      queue: awsQueue({
        client,
        urlOf: () => queueUrl,
        messageGroup: getMessageGroupId,
        isOrdered: isFifoQueue,
        backoffMs: 1,
      }),
      receive,
    };
  }

  test('a message arrives as it was sent', async () => {
    const { queue, receive } = queueNamed('one');
    await queue.send('one', { user_id: 'ü', list: [1, null] });
    expect(await receive()).toEqual([{ user_id: 'ü', list: [1, null] }]);
  });

  test('a delayed message does not arrive yet', async () => {
    const { queue, receive } = queueNamed('delayed');
    await queue.send('delayed', 'later', { delaySeconds: 900 });
    expect(await receive()).toEqual([]);
  });

  test('each of many messages arrives once', async () => {
    const { queue, receive } = queueNamed('many');
    const bodies = Array.from({ length: 123 }, (_, number) => ({ number }));
    await queue.sendAll('many', bodies);
    const received = await receive();
    expect(received).toHaveLength(123);
    expect(received).toEqual(expect.arrayContaining(bodies));
  });

  test('a message that is too large for any queue is reported before anything is sent', async () => {
    const { queue, receive } = queueNamed('huge');
    await expect(queue.sendAll('huge', ['small', 'x'.repeat(300_000)])).rejects.toThrow(/has 300002 bytes/);
    expect(await receive()).toEqual([]);
  });
});

describe('the group and the deduplication id of a message', () => {
  const job = (account_id: string) => ({ account_id, env: 'live', rows: [{ pk: 'p', sk: 's' }] });
  type Sent = Record<'MessageGroupId' | 'MessageDeduplicationId', string | undefined>;
  async function sent(send: (queue: ReturnType<typeof awsQueue>) => Promise<void>): Promise<Sent[]> {
    await using server = await scriptedServer(answer(200, {}));
    await send(
      awsQueue({
        client: testSqs(server.endpoint),
        urlOf: (name) => name,
        messageGroup: getMessageGroupId,
        isOrdered: isFifoQueue,
      }),
    );
    return server.requests.flatMap(({ body }) => JSON.parse(body).Entries);
  }

  test('in a FIFO queue are the account with its environment, and a unique id', async () => {
    const messages = await sent((queue) => queue.sendAll('feed', [job('a'), job('a'), job('b')]));
    expect(messages.map(({ MessageGroupId }) => MessageGroupId)).toEqual(['a#live', 'b#live', 'a#live']);
    expect(new Set(messages.map(({ MessageDeduplicationId }) => MessageDeduplicationId)).size).toBe(3);
  });

  test('with a deduplication key depend on group and key only', async () => {
    const ids = async (account: string, slot: string) =>
      (await sent((queue) => queue.sendAll('feed', [job(account)], { deduplicationKey: slot }))).map(
        (each) => each.MessageDeduplicationId,
      );
    const [id] = await ids('a', '1');
    expect(id).toMatch(/^[0-9a-f]{64}$/);
    expect(await ids('a', '1')).toEqual([id]);
    expect(await ids('a', '2')).not.toEqual([id]);
    expect(await ids('b', '1')).not.toEqual([id]);
  });

  test('can have a deduplication key each', async () => {
    const ids = async (...slot: string[]) =>
      (await sent((queue) => queue.sendAll('feed', [job('a'), job('a')], { deduplicationKey: slot }))).map(
        (each) => each.MessageDeduplicationId,
      );
    const [first, second] = await ids('1', '2');
    expect(first).not.toBe(second);
    expect(await ids('2', '1')).toEqual([second, first]);
  });

  test('of a connection are the same for its sync and for the revocation of its consent', async () => {
    const link = { user_id: 'usr_1', device_id: 'dev_1' };
    const others = [{ user_id: 'usr_1', device_id: 'dev_2' }, { provider: 'oura', env: 'live' }, { chunk_id: 'chk_1' }];
    const messages = await sent((queue) => queue.sendAll('connection', [link, { ...link, revoke: true }, ...others]));
    expect(messages.map(({ MessageGroupId }) => MessageGroupId)).toEqual([
      'usr_1#dev_1',
      'usr_1#dev_2',
      'oura#live',
      'chk_1',
      'usr_1#dev_1',
    ]);
  });

  test('in a standard queue are a fairness group, where it has one, and no id', async () => {
    const delivery = { webhook_id: 'whk_1', delivery_id: 'dlv_1' };
    const message = await sent((queue) => queue.sendAll('deliver', [delivery]));
    expect(message).toMatchObject([{ MessageGroupId: 'whk_1' }]);
    expect(message[0]).not.toHaveProperty('MessageDeduplicationId');
    expect((await sent((queue) => queue.sendAll('ingest', [{ user_id: 'u' }])))[0]).not.toHaveProperty(
      'MessageGroupId',
    );
  });

  test('are not needed to postpone a message', async () => {
    await using server = await scriptedServer(answer(200, {}));
    await awsQueue({
      client: testSqs(server.endpoint),
      urlOf: (name) => name,
      messageGroup: getMessageGroupId,
      isOrdered: isFifoQueue,
    }).postpone('feed', 'handle', 4);
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({
      QueueUrl: 'feed',
      ReceiptHandle: 'handle',
      VisibilityTimeout: 4,
    });
  });
});

describe('messages too large for one batch', () => {
  test('are sent in several batches of at most 256 KB', async () => {
    await using server = await scriptedServer(answer(200, {}));
    const queue = awsQueue({
      client: testSqs(server.endpoint),
      urlOf: (name) => name,
      messageGroup: getMessageGroupId,
      isOrdered: isFifoQueue,
    });
    const bodies = Array.from({ length: 5 }, (_, number) => `${number}${'ü'.repeat(60_000)}`);
    await queue.sendAll('large', bodies);
    const batches = server.requests.map(({ body }): { MessageBody: string }[] => JSON.parse(body).Entries);
    expect(batches.map(({ length }) => length).toSorted()).toEqual([1, 2, 2]);
    expect(
      batches
        .flat()
        .map(({ MessageBody }) => JSON.parse(MessageBody))
        .toSorted(),
    ).toEqual(bodies);
  });
});

describe('entries that a queue did not accept', () => {
  const failed = (SenderFault: boolean, ...ids: string[]) =>
    answer(200, { Failed: ids.map((Id) => ({ Id, SenderFault, Code: 'Busy', Message: 'later' })) });

  const queueAt = (endpoint: string) =>
    awsQueue({
      client: testSqs(endpoint),
      urlOf: (name) => `http://queue/${name}`,
      messageGroup: getMessageGroupId,
      isOrdered: isFifoQueue,
      backoffMs: 1,
    });

  test('are sent again, and no others', async () => {
    await using server = await scriptedServer(failed(false, '0', '2'), failed(false, '1'), answer(200, {}));
    await queueAt(server.endpoint).sendAll('seed', ['a', 'b', 'c']);
    const sent = server.requests.map(({ body }) =>
      JSON.parse(body).Entries.map(({ MessageBody }: { MessageBody: string }) => JSON.parse(MessageBody)),
    );
    expect(sent).toEqual([['a', 'b', 'c'], ['a', 'c'], ['c']]);
  });

  test('delay the later messages of their group: a queue accepts those in order, however many there are', async () => {
    const busy = failed(false, '0');
    await using server = await scriptedServer(busy, busy, answer(200, {}));
    const rowOf = (group: string, row: number) => ({
      account_id: group,
      env: 'live',
      rows: [{ pk: `${row}`, sk: 's' }],
    });
    const messages = Array.from({ length: 24 }, (_, row) => rowOf(row % 3 === 0 ? 'b' : 'a', row));
    await queueAt(server.endpoint).sendAll('feed', messages);
    const accepted = server.requests.flatMap(({ body }, call) =>
      JSON.parse(body)
        .Entries.slice(call < 2 ? 1 : 0)
        .map(({ MessageBody }: { MessageBody: string }) => JSON.parse(MessageBody)),
    );
    for (const group of ['a', 'b']) {
      const ofGroup = ({ account_id }: { account_id: string }) => account_id === group;
      expect(accepted.filter(ofGroup)).toEqual(messages.filter(ofGroup));
    }
  });

  test('again and again make the queue unavailable', async () => {
    await using server = await scriptedServer(failed(false, '0'));
    await expect(queueAt(server.endpoint).sendAll('seed', ['a'])).rejects.toThrow(EngineUnavailable);
    expect(server.requests).toHaveLength(4);
  });

  test('through a fault of the sender are an error immediately', async () => {
    await using server = await scriptedServer(failed(true, '0'));
    await expect(queueAt(server.endpoint).sendAll('seed', ['a'])).rejects.toThrow(
      /permanently rejected an entry: Busy later/,
    );
    expect(server.requests).toHaveLength(1);
  });
});
