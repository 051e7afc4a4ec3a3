// The Queue port over SQS.
import { createHash, randomUUID } from 'node:crypto';
import {
  ChangeMessageVisibilityCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { DeduplicationOptions, Queue, SendOptions } from '../ports.ts';
import { sendBatches, splitIntoBatches } from './batches.ts';
import { callAws } from './retries.ts';
import { sendUntilAccepted } from './send-until-accepted.ts';

const maxBatchCount = 10;
const maxBytes = 256 * 1024;

export interface QueueOptions<Name extends string> {
  client: SQSClient;
  urlOf: (queue: Name) => string;
  /** The `MessageGroupId` of a message, if its queue has groups. */
  messageGroup: (queue: Name, body: unknown) => string | undefined;
  /** Whether the queue is FIFO and therefore accepts a deduplication id. */
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
  /**
   * A message that is resent because its response was lost keeps its id, so an ordered queue
   * accepts it once.
   */
  function buildMessage(queue: Name, body: unknown, deduplicationKey: string | undefined): Message {
    const MessageBody = serializeBody(queue, body);
    const group = messageGroup(queue, body);
    if (group === undefined) return { MessageBody };
    if (!isOrdered(queue)) return { MessageBody, MessageGroupId: group };
    const id =
      deduplicationKey === undefined
        ? randomUUID()
        : createHash('sha256')
            .update(JSON.stringify([group, deduplicationKey]))
            .digest('hex');
    return { MessageBody, MessageGroupId: group, MessageDeduplicationId: id };
  }

  return {
    async send(queue, body, options) {
      const { delaySeconds, deduplicationKey }: SendOptions = options ?? {};
      const message = {
        QueueUrl: urlOf(queue),
        ...buildMessage(queue, body, deduplicationKey),
        DelaySeconds: delaySeconds,
      };
      await callAws('SendMessage', () => client.send(new SendMessageCommand(message)));
    },

    async sendAll(queue, bodies, options) {
      const { deduplicationKey }: DeduplicationOptions = options ?? {};
      const messages = bodies.map((body, at) =>
        buildMessage(queue, body, typeof deduplicationKey === 'string' ? deduplicationKey : deduplicationKey?.[at]),
      );
      const sizeOf = ({ MessageBody }: Message) => Buffer.byteLength(MessageBody);
      const send = (batch: Message[]) =>
        sendUntilAccepted(`The queue ${queue}`, batch, backoffMs, async (pending) => {
          const Entries = pending.map((message, index) => ({ Id: String(index), ...message }));
          const { Failed } = await callAws('SendMessageBatch', () =>
            client.send(new SendMessageBatchCommand({ QueueUrl: urlOf(queue), Entries })),
          );
          const failuresById = new Map(Failed?.map((failure) => [failure.Id, failure]));
          return pending.flatMap((entry, index) => {
            const failure = failuresById.get(String(index));
            if (failure === undefined) return [];
            return { entry, reason: `${failure.Code} ${failure.Message ?? ''}`, final: failure.SenderFault === true };
          });
        });
      for (const round of isOrdered(queue) ? splitIntoRounds(messages) : [messages])
        await sendBatches(splitIntoBatches(round, { maxCount: maxBatchCount, maxBytes, sizeOf }), send);
    },

    async postpone(queue, receiptHandle, seconds) {
      const message = { QueueUrl: urlOf(queue), ReceiptHandle: receiptHandle, VisibilityTimeout: seconds };
      await callAws('ChangeMessageVisibility', () => client.send(new ChangeMessageVisibilityCommand(message)));
    },
  };
}

interface Message {
  MessageBody: string;
  MessageGroupId?: string;
  MessageDeduplicationId?: string;
}

/**
 * The first message of each group, then the second of each, and so on: batches are sent at the same
 * time and may be accepted in part, so a message is sent when the one before it was accepted.
 */
function splitIntoRounds(messages: readonly Message[]): Message[][] {
  const sent = new Map<string | undefined, number>();
  const rounds: Message[][] = [];
  for (const message of messages) {
    const round = sent.get(message.MessageGroupId) ?? 0;
    sent.set(message.MessageGroupId, round + 1);
    const others = rounds[round];
    if (others) others.push(message);
    else rounds.push([message]);
  }
  return rounds;
}

function serializeBody(queue: string, body: unknown): string {
  const text = JSON.stringify(body);
  if (text === undefined) throw new TypeError(`A message for the queue ${queue} must be a JSON value.`);
  const bytes = Buffer.byteLength(text);
  if (bytes > maxBytes) {
    throw new RangeError(
      `A message for the queue ${queue} has ${bytes} bytes; the limit is ${maxBytes}. Store the content and send its key.`,
    );
  }
  return text;
}
