// Passes a queue's messages to its function as an SQS event source mapping does: in batches,
// deleting only those that were not reported as failed.
import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import * as z from 'zod';
import type { Log } from '../../shared/platform/ports.ts';
import type { Activity } from './activity.ts';
import { readFailedIds } from './batch-result.ts';
import { localRegion } from './engines/connection.ts';
import type { LocalQueue } from './engines/queue-engine.ts';
import type { Run, TriggerOf } from './function-runner.ts';
import type { Postponements } from './postponements.ts';
import type { WaitControl } from './wait-control.ts';
import type { WakeSignal } from './wake-signal.ts';

export interface QueuePumpOptions {
  client: SQSClient;
  queue: LocalQueue;
  functionName: string;
  batchSize: number;
  /** How many batches are processed concurrently. */
  concurrency: number;
  run: Run;
  log: Log;
  waits: WaitControl;
  activity: Activity;
  wakeSignal: WakeSignal;
  postponements: Postponements;
  redelivery?: Redelivery;
}

/** When failed messages are redelivered: soon, or as on AWS only after their visibility timeout. */
export type Redelivery = 'soon' | 'after visibility';

const defaultLocalConcurrency = 4;

/** A laptop has its own concurrency, which never exceeds that of AWS. */
export const resolveLocalConcurrency = ({
  localConcurrency = defaultLocalConcurrency,
  maxConcurrency = localConcurrency,
}: Pick<TriggerOf<'queue'>, 'localConcurrency' | 'maxConcurrency'>): number =>
  Math.min(localConcurrency, maxConcurrency);

const ReceivedMessage = z.object({
  MessageId: z.string(),
  ReceiptHandle: z.string(),
  Body: z.string(),
  MD5OfBody: z.string(),
  Attributes: z.record(z.string(), z.string()).optional(),
});
type ReceivedMessage = z.infer<typeof ReceivedMessage>;

/**
 * This process signals what it sends, also when its delay ends. No signal arrives for messages from
 * other processes, so the pump polls. A long poll would make the engine check every 20 ms.
 */
const idleMilliseconds = 20_000;
const maxMessages = 10;
const retryMilliseconds = 1_000;
const clockSlackMilliseconds = 100;

/** Returns once the host stops and the last batch is done. */
export async function pumpQueue(options: QueuePumpOptions): Promise<void> {
  const { client, queue, log, waits, activity } = options;
  const batches = new Set<Promise<void>>();
  while (!waits.stopped) {
    let messages: ReceivedMessage[];
    try {
      messages = await receive(client, queue, Math.min(options.batchSize, maxMessages));
    } catch (error) {
      if (waits.stopped) break;
      log('warn', 'queue_read_failed', { queue: queue.name, cause: error });
      await waits.waitThroughDrain(retryMilliseconds);
      continue;
    }
    // A batch that arrives after the stop is not started. It is redelivered after its visibility
    // timeout.
    if (messages.length === 0 || waits.stopped) {
      await options.wakeSignal.waitAtMost(idleMilliseconds);
      continue;
    }
    const batch = activity.track(() => handleBatch(messages, options)).finally(() => batches.delete(batch));
    batches.add(batch);
    if (batches.size >= options.concurrency) await Promise.race(batches);
  }
  await Promise.all(batches);
}

async function receive(client: SQSClient, queue: LocalQueue, count: number): Promise<ReceivedMessage[]> {
  const { Messages = [] } = await client.send(
    new ReceiveMessageCommand({
      QueueUrl: queue.url,
      MaxNumberOfMessages: count,
      MessageSystemAttributeNames: ['All'],
    }),
  );
  return Messages.map((message) => ReceivedMessage.parse(message));
}

async function handleBatch(messages: ReceivedMessage[], options: QueuePumpOptions): Promise<void> {
  const { client, queue, functionName, run, log, waits } = options;
  try {
    const failed = await findFailures(messages, options, () => run(functionName, sqsEvent(messages, queue)));
    const done = toEntries(messages.filter((message) => !failed.has(message.MessageId)));
    if (done.length > 0)
      assertAllAccepted(await client.send(new DeleteMessageBatchCommand({ QueueUrl: queue.url, Entries: done })));
    // The next message of a FIFO group only becomes available now.
    if (done.length > 0 && queue.isFifo) options.wakeSignal.signal();
    const failedMessages = messages.filter((message) => failed.has(message.MessageId));
    if (failedMessages.length === 0) return;
    if (options.redelivery === 'after visibility') signalAfterVisibility(options);
    else await returnToQueue(failedMessages, options);
  } catch (error) {
    // The engine is stopping or gone. Messages that were not deleted are redelivered.
    log(waits.stopped ? 'info' : 'error', 'batch_return_failed', { queue: queue.name, cause: error });
  }
}

/** The messages are visible again without anybody having sent them. */
function signalAfterVisibility({ queue, wakeSignal }: QueuePumpOptions): void {
  const hiddenMs = queue.visibilitySeconds * 1000 + clockSlackMilliseconds;
  setTimeout(() => wakeSignal.signal(), hiddenMs).unref();
}

/**
 * A postponed message returns after its delay, and any other after a moment. A drain waits for
 * neither.
 */
async function returnToQueue(
  messages: ReceivedMessage[],
  { client, queue, waits, wakeSignal, postponements }: QueuePumpOptions,
) {
  const postponed = messages.map(({ ReceiptHandle }) => (postponements.take(ReceiptHandle) ?? 0) * 1000);
  const waitMs = Math.max(...postponed) || retryMilliseconds;
  const startedAt = performance.now();
  await waits.wait(waitMs);
  const isHidden = performance.now() - startedAt < waitMs - clockSlackMilliseconds;
  if (isHidden || Math.max(...postponed) === 0) {
    const Entries = toEntries(messages).map((entry) => ({ ...entry, VisibilityTimeout: 0 }));
    assertAllAccepted(await client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: queue.url, Entries })));
  }
  wakeSignal.signal();
}

async function findFailures(
  messages: ReceivedMessage[],
  { functionName, queue, log }: QueuePumpOptions,
  invoke: () => Promise<unknown>,
): Promise<Set<string>> {
  const everyId = new Set(messages.map((message) => message.MessageId));
  try {
    const failed = readFailedIds(await invoke());
    if (failed.size > 0) log('warn', 'messages_failed', { function: functionName, count: failed.size });
    // As on AWS, an id from outside the batch fails the whole batch.
    return [...failed].every((id) => everyId.has(id)) ? failed : everyId;
  } catch (error) {
    log('error', 'batch_failed', { function: functionName, queue: queue.name, cause: error });
    return everyId;
  }
}

const toEntries = (messages: ReceivedMessage[]) =>
  messages.map(({ ReceiptHandle }, index) => ({ Id: `${index}`, ReceiptHandle }));

function assertAllAccepted({ Failed = [] }: { Failed?: unknown[] | undefined }): void {
  if (Failed.length > 0) throw new Error(`the queue rejected ${Failed.length} messages of a batch`);
}

function sqsEvent(messages: ReceivedMessage[], queue: LocalQueue) {
  return {
    Records: messages.map((message) => ({
      messageId: message.MessageId,
      receiptHandle: message.ReceiptHandle,
      body: message.Body,
      attributes: message.Attributes ?? {},
      messageAttributes: {},
      md5OfBody: message.MD5OfBody,
      eventSource: 'aws:sqs',
      eventSourceARN: queue.arn,
      awsRegion: localRegion,
    })),
  };
}
