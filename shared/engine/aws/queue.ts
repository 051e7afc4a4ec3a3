// The Queue port over SQS.
import { SendMessageBatchCommand, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { Queue } from '../ports.ts';
import { batchesOf, sendBatches } from './batches.ts';
import { sendUntilTaken } from './resend.ts';
import { asking } from './retries.ts';

const mostPerBatch = 10;
const mostBytes = 256 * 1024;

export interface QueueOptions<Name extends string> {
  client: SQSClient;
  urlOf: (queue: Name) => string;
  backoffMs?: number;
}

export function awsQueue<Name extends string = string>({
  client,
  urlOf,
  backoffMs = 50,
}: QueueOptions<Name>): Queue<Name> {
  return {
    async send(queue, body, options) {
      const message = { QueueUrl: urlOf(queue), MessageBody: messageBody(queue, body) };
      await asking('SendMessage', () =>
        client.send(new SendMessageCommand({ ...message, DelaySeconds: options?.delaySeconds })),
      );
    },

    async sendAll(queue, bodies) {
      const messages = bodies.map((body) => messageBody(queue, body));
      const batches = batchesOf(messages, { most: mostPerBatch, mostBytes, sizeOf: Buffer.byteLength });
      await sendBatches(batches, (batch) =>
        sendUntilTaken(`The queue ${queue}`, batch, backoffMs, async (pending) => {
          const Entries = pending.map((MessageBody, index) => ({ Id: String(index), MessageBody }));
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
  };
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
