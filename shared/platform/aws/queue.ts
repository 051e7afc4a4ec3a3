// The Queue port over SQS.
import { createHash, randomUUID } from 'node:crypto';
import {
  ChangeMessageVisibilityCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { Queue, SendOptions, SlotOptions } from '../ports.ts';
import { batchesOf, sendBatches } from './batches.ts';
import { sendUntilTaken } from './resend.ts';
import { asking } from './retries.ts';

const mostPerBatch = 10;
const mostBytes = 256 * 1024;

export interface QueueOptions<Name extends string> {
  client: SQSClient;
  urlOf: (queue: Name) => string;
  /** The `MessageGroupId` of a message, if its queue has groups. */
  messageGroup: (queue: Name, body: unknown) => string | undefined;
  /** Whether the queue is FIFO, and so takes a deduplication id. */
  isOrdered: (queue: Name) => boolean;
  backoffMs?: number;
}

export function awsQueue<Name extends string = string>({
  client,
  urlOf,
  messageGroup,
  isOrdered,
  backoffMs = 50,
}: QueueOptions<Name>): Queue<Name> {
  /** A message that is sent again because its answer was lost keeps its id, so an ordered queue accepts it once. */
  function messageOf(queue: Name, body: unknown, slot: string | undefined): Message {
    const MessageBody = messageBody(queue, body);
    const group = messageGroup(queue, body);
    if (group === undefined) return { MessageBody };
    if (!isOrdered(queue)) return { MessageBody, MessageGroupId: group };
    const id =
      slot === undefined
        ? randomUUID()
        : createHash('sha256')
            .update(JSON.stringify([group, slot]))
            .digest('hex');
    return { MessageBody, MessageGroupId: group, MessageDeduplicationId: id };
  }

  return {
    async send(queue, body, options) {
      const { delaySeconds, slot }: SendOptions = options ?? {};
      const message = { QueueUrl: urlOf(queue), ...messageOf(queue, body, slot), DelaySeconds: delaySeconds };
      await asking('SendMessage', () => client.send(new SendMessageCommand(message)));
    },

    async sendAll(queue, bodies, options) {
      const { slot }: SlotOptions = options ?? {};
      const messages = bodies.map((body, at) => messageOf(queue, body, typeof slot === 'string' ? slot : slot?.[at]));
      const sizeOf = ({ MessageBody }: Message) => Buffer.byteLength(MessageBody);
      const batches = batchesOf(messages, { most: mostPerBatch, mostBytes, sizeOf });
      await sendBatches(batches, (batch) =>
        sendUntilTaken(`The queue ${queue}`, batch, backoffMs, async (pending) => {
          const Entries = pending.map((message, index) => ({ Id: String(index), ...message }));
          const { Failed } = await asking('SendMessageBatch', () =>
            client.send(new SendMessageBatchCommand({ QueueUrl: urlOf(queue), Entries })),
          );
          const failed = new Map(Failed?.map((failure) => [failure.Id, failure]));
          return pending.flatMap((entry, index) => {
            const failure = failed.get(String(index));
            if (failure === undefined) return [];
            return { entry, reason: `${failure.Code} ${failure.Message ?? ''}`, final: failure.SenderFault === true };
          });
        }),
      );
    },

    async postpone(queue, receiptHandle, seconds) {
      const message = { QueueUrl: urlOf(queue), ReceiptHandle: receiptHandle, VisibilityTimeout: seconds };
      await asking('ChangeMessageVisibility', () => client.send(new ChangeMessageVisibilityCommand(message)));
    },
  };
}

interface Message {
  MessageBody: string;
  MessageGroupId?: string;
  MessageDeduplicationId?: string;
}

function messageBody(queue: string, body: unknown): string {
  const text = JSON.stringify(body);
  if (text === undefined) throw new TypeError(`A message to the queue ${queue} must be a JSON value.`);
  const bytes = Buffer.byteLength(text);
  if (bytes > mostBytes) {
    throw new RangeError(
      `A message to the queue ${queue} has ${bytes} bytes of at most ${mostBytes}; store it and send its key.`,
    );
  }
  return text;
}
