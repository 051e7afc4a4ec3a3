// Tests the queue and stream pumps with a minimal engine: what a function reports, and how they
// react.
import {
  type DynamoDBStreamsClient,
  ExpiredIteratorException,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { makeActivity } from '../../../infra/local/activity.ts';
import { createPostponements } from '../../../infra/local/postponements.ts';
import { pumpQueue, resolveLocalConcurrency } from '../../../infra/local/queue-pump.ts';
import { openStreamPositions } from '../../../infra/local/stream-positions.ts';
import { createStreamPump } from '../../../infra/local/stream-pump.ts';
import { createWaitControl } from '../../../infra/local/wait-control.ts';
import { createWakeSignals } from '../../../infra/local/wake-signal.ts';

/** Safe, because the pumps only call `send` on a client. */
const asClient = (call: (operation: string, input: never) => unknown) =>
  ({
    send: async (command: { input: never }) => call(command.constructor.name.replace(/Command$/, ''), command.input),
  }) as unknown as SQSClient & DynamoDBStreamsClient;

/**
 * Runs the pump on a queue of two messages, and returns what it deleted and returned after this
 * number of attempts.
 */
async function runQueuePump(
  report: () => unknown,
  tries: number,
): Promise<{ deleted: string[]; again: string[]; runs: number }> {
  const waits = createWaitControl();
  const [deleted, again]: [string[], string[]] = [[], []];
  let runs = 0;
  let waiting = ['a', 'b'];
  const client = asClient((operation, input: { Entries?: { ReceiptHandle: string }[] }) => {
    const handles = (input.Entries ?? []).map(({ ReceiptHandle }) => ReceiptHandle);
    if (operation === 'DeleteMessageBatch') deleted.push(...handles);
    if (operation === 'ChangeMessageVisibilityBatch') {
      again.push(...handles);
      waiting = handles;
    }
    if (operation !== 'ReceiveMessage') return {};
    const Messages = waiting.map((id) => ({ MessageId: id, ReceiptHandle: id, Body: '{}', MD5OfBody: '' }));
    waiting = [];
    return { Messages };
  });
  await waits.skipWaitsDuring(() =>
    pumpQueue({
      client,
      queue: { name: 'user', url: 'u', arn: 'arn' } as never,
      functionName: 'write-user',
      batchSize: 10,
      concurrency: 4,
      run: async () => {
        if (++runs === tries) waits.stop();
        return report();
      },
      log: () => {},
      waits,
      activity: makeActivity(),
      wakeSignal: createWakeSignals(waits)('user'),
      postponements: createPostponements(),
    }),
  );
  return { deleted, again, runs };
}

test('messages that a function reports are returned, and the others are deleted', async () => {
  expect(await runQueuePump(() => ({ batchItemFailures: [{ itemIdentifier: 'b' }] }), 1)).toEqual({
    deleted: ['a'],
    again: ['b'],
    runs: 1,
  });
});

test('a report of a message that is not in the batch fails the whole batch, as on AWS', async () => {
  expect(await runQueuePump(() => ({ batchItemFailures: [{ itemIdentifier: 'x' }] }), 1)).toEqual({
    deleted: [],
    again: ['a', 'b'],
    runs: 1,
  });
});

test('returned messages are handled immediately, without the idle wait', { timeout: 1_500 }, async () => {
  expect((await runQueuePump(() => ({ batchItemFailures: [{ itemIdentifier: 'b' }] }), 3)).runs).toBe(3);
});

const awsError = { message: 'no', $metadata: {} };
const record = (n: number) => ({
  eventID: `${n}`,
  eventName: 'INSERT',
  dynamodb: { SequenceNumber: `${n}`, Keys: { sk: { S: `${n}` } }, NewImage: { seen: { S: 'yes' } } },
});
type Fault = (operation: string, input: { ShardIteratorType?: string; ShardIterator?: string }) => void;
function runStreamPump(
  records: number[],
  run: (batch: number[]) => unknown,
  fault: Fault = () => {},
  positions = openStreamPositions('memory', 'arn'),
) {
  const waits = createWaitControl();
  const client = asClient(
    (operation, input: { ShardIteratorType?: string; SequenceNumber?: string; ShardIterator?: string }) => {
      fault(operation, input);
      if (operation === 'DescribeStream') return { StreamDescription: { Shards: [{ ShardId: 's' }] } };
      if (operation === 'GetShardIterator') return { ShardIterator: input.SequenceNumber ?? '0' };
      const left = records.filter((n) => n > Number(input.ShardIterator));
      return { Records: left.map(record), NextShardIterator: `${records.at(-1) ?? 0}` };
    },
  );
  const pump = createStreamPump({
    client,
    streamArn: 'arn',
    positions,
    functionName: 'publish',
    attribute: 'seen',
    batchSize: 10,
    run: async (_name: string, event: unknown) =>
      run((event as { Records: { eventID: string }[] }).Records.map(({ eventID }) => Number(eventID))),
    log: () => {},
    waits,
    activity: makeActivity(),
    wakeSignal: createWakeSignals(waits)('the stream'),
  } as never);
  return { pump, catchUp: () => waits.skipWaitsDuring(() => pump.catchUp()), positions };
}

test('a record that makes the function throw is skipped alone; those around it are handled', async () => {
  const handled = new Set<number>();
  const { pump, catchUp } = runStreamPump([1, 2, 3, 4, 5], (batch) => {
    if (batch.includes(3)) throw new Error('poison');
    for (const n of batch) handled.add(n);
    return {};
  });
  await catchUp();
  expect(pump.deadLetters.map(({ eventID }) => eventID)).toEqual(['3']);
  expect([...handled].sort()).toEqual([1, 2, 4, 5]);
});

test('records handled before a reported failure are not delivered again', async () => {
  const seen: number[][] = [];
  let failures = 2;
  const { catchUp } = runStreamPump([1, 2, 3], (batch) => {
    seen.push(batch);
    return batch.includes(2) && failures-- > 0 ? { batchItemFailures: [{ itemIdentifier: '2' }] } : {};
  });
  await catchUp();
  expect(seen).toEqual([
    [1, 2, 3],
    [2, 3],
    [2, 3],
  ]);
});

test('a trimmed position continues with what is left, and an expired iterator is requested again', async () => {
  const handled: number[] = [];
  const take = (batch: number[]) => void handled.push(...batch);
  const positions = openStreamPositions('memory', 'arn');
  positions.set('publish', 's', { read: '1' });
  let expired = false;
  const { catchUp } = runStreamPump(
    [4, 5],
    take,
    (operation, { ShardIteratorType }) => {
      if (ShardIteratorType === 'AFTER_SEQUENCE_NUMBER' && handled.length === 0)
        throw new TrimmedDataAccessException(awsError);
      if (operation === 'GetRecords' && !expired) {
        expired = true;
        throw new ExpiredIteratorException(awsError);
      }
    },
    positions,
  );
  await catchUp();
  expect([handled, expired]).toEqual([[4, 5], true]);
});

test('the local host runs the batches that the manifest sets, and never more than AWS would', () => {
  expect([resolveLocalConcurrency({}), resolveLocalConcurrency({ localConcurrency: 20 })]).toEqual([4, 20]);
  expect([
    resolveLocalConcurrency({ maxConcurrency: 2 }),
    resolveLocalConcurrency({ localConcurrency: 20, maxConcurrency: 300 }),
  ]).toEqual([2, 20]);
});
