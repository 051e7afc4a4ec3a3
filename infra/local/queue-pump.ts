// Hands a queue's messages to its function as an SQS mapping does: in batches, deleting only what was not reported as failed.
import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import * as z from 'zod';
import type { Log } from '../../shared/platform/ports.ts';
import type { Activity } from './activity.ts';
import { failedIds } from './batch-result.ts';
import { localRegion } from './engines/connection.ts';
import type { LocalQueue } from './engines/queue-engine.ts';
import type { Run, TriggerOf } from './function-runner.ts';
import type { Nudge } from './nudge.ts';
import type { Pace } from './pace.ts';
import type { Postponements } from './postponements.ts';

export interface QueuePumpOptions {
  client: SQSClient;
  queue: LocalQueue;
  functionName: string;
  batchSize: number;
  /** How many batches are worked on at the same time. */
  atOnce: number;
  run: Run;
  log: Log;
  pace: Pace;
  activity: Activity;
  nudge: Nudge;
  postponements: Postponements;
  returns?: Returns;
}

/** When failed messages come again: soon, or as on AWS only when their visibility timeout has ended. */
export type Returns = 'soon' | 'after visibility';

const usualBatchesAtOnce = 4;

/** A laptop has its own number, and never more than AWS would work on. */
export const batchesAtOnce = ({
  atOnce = usualBatchesAtOnce,
  mostAtOnce = atOnce,
}: Pick<TriggerOf<'queue'>, 'atOnce' | 'mostAtOnce'>): number => Math.min(atOnce, mostAtOnce);

const Received = z.object({
  MessageId: z.string(),
  ReceiptHandle: z.string(),
  Body: z.string(),
  MD5OfBody: z.string(),
  Attributes: z.record(z.string(), z.string()).optional(),
});
type Received = z.infer<typeof Received>;

/** Nobody nudges for what another process sends, or for a delay that has passed. Not a long poll: the engine would look every 20 ms. */
const idleMilliseconds = 2_000;
const mostMessages = 10;
const retryMilliseconds = 1_000;
const clockSlackMilliseconds = 100;

/** Returns when the pace is stopped and the last batch is done. */
export async function pumpQueue(options: QueuePumpOptions): Promise<void> {
  const { client, queue, log, pace, activity } = options;
  const batches = new Set<Promise<void>>();
  while (!pace.stopped) {
    let messages: Received[];
    try {
      messages = await receive(client, queue, Math.min(options.batchSize, mostMessages));
    } catch (error) {
      if (pace.stopped) break;
      log('warn', 'could not read a queue', { queue: queue.name, error });
      await pace.rest(retryMilliseconds);
      continue;
    }
    // What arrives after the stop is not begun any more: it comes again after its visibility timeout.
    if (messages.length === 0 || pace.stopped) {
      await options.nudge.orAfter(idleMilliseconds);
      continue;
    }
    const batch = activity.track(() => handle(messages, options)).finally(() => batches.delete(batch));
    batches.add(batch);
    if (batches.size >= options.atOnce) await Promise.race(batches);
  }
  await Promise.all(batches);
}

async function receive(client: SQSClient, queue: LocalQueue, count: number): Promise<Received[]> {
  const { Messages = [] } = await client.send(
    new ReceiveMessageCommand({
      QueueUrl: queue.url,
      MaxNumberOfMessages: count,
      MessageSystemAttributeNames: ['All'],
    }),
  );
  return Messages.map((message) => Received.parse(message));
}

async function handle(messages: Received[], options: QueuePumpOptions): Promise<void> {
  const { client, queue, functionName, run, log, pace } = options;
  try {
    const failed = await failures(messages, options, () => run(functionName, sqsEvent(messages, queue)));
    const done = entriesOf(messages.filter((message) => !failed.has(message.MessageId)));
    if (done.length > 0)
      allTaken(await client.send(new DeleteMessageBatchCommand({ QueueUrl: queue.url, Entries: done })));
    // The next message of an ordered group was not to be had until now.
    if (done.length > 0 && queue.ordered) options.nudge.now();
    const again = messages.filter((message) => failed.has(message.MessageId));
    if (again.length > 0 && options.returns !== 'after visibility') await giveBack(again, options);
  } catch (error) {
    // The engine is going away or gone; what was not deleted comes again.
    log(pace.stopped ? 'info' : 'error', 'could not return a batch to its queue', { queue: queue.name, error });
  }
}

/** A message that its function postponed comes back then, the others after a moment; a drain waits for neither. */
async function giveBack(messages: Received[], { client, queue, pace, nudge, postponements }: QueuePumpOptions) {
  const postponed = messages.map(({ ReceiptHandle }) => (postponements.take(ReceiptHandle) ?? 0) * 1000);
  const waitMs = Math.max(...postponed) || retryMilliseconds;
  const began = performance.now();
  await pace.wait(waitMs);
  const isHidden = performance.now() - began < waitMs - clockSlackMilliseconds;
  if (isHidden || Math.max(...postponed) === 0) {
    const Entries = entriesOf(messages).map((entry) => ({ ...entry, VisibilityTimeout: 0 }));
    allTaken(await client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: queue.url, Entries })));
  }
  nudge.now();
}

async function failures(
  messages: Received[],
  { functionName, queue, log }: QueuePumpOptions,
  invoke: () => Promise<unknown>,
): Promise<Set<string>> {
  const everyId = new Set(messages.map((message) => message.MessageId));
  try {
    const failed = failedIds(await invoke());
    if (failed.size > 0)
      log('warn', 'a function failed on some messages', { function: functionName, failed: failed.size });
    // As on AWS, an id that is not of this batch makes the whole batch count as failed.
    return [...failed].every((id) => everyId.has(id)) ? failed : everyId;
  } catch (error) {
    log('error', 'a function failed on a whole batch', { function: functionName, queue: queue.name, error });
    return everyId;
  }
}

const entriesOf = (messages: Received[]) =>
  messages.map(({ ReceiptHandle }, index) => ({ Id: `${index}`, ReceiptHandle }));

function allTaken({ Failed = [] }: { Failed?: unknown[] | undefined }): void {
  if (Failed.length > 0) throw new Error(`the queue refused ${Failed.length} messages of a batch`);
}

function sqsEvent(messages: Received[], queue: LocalQueue) {
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
