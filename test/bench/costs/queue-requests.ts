// Counts requests to queues and the event bus as AWS charges them.
import type { Counter } from './usage.ts';

export interface QueueCounter {
  requestKind(queue: string): Counter;
  recordSent(queue: string, messages: number): void;
  /** Returns how many of the messages were not sent by a function but by the event bus. */
  recordReceived(queue: string, messages: number, isFifo: boolean): number;
}

export function queueCounter(): QueueCounter {
  const fifo = new Set<string>();
  const waiting = new Map<string, number>();
  return {
    requestKind: (queue) => (fifo.has(queue) ? 'fifoRequests' : 'standardRequests'),
    recordSent: (queue, messages) => void waiting.set(queue, (waiting.get(queue) ?? 0) + messages),
    recordReceived(queue, messages, isFifo) {
      if (isFifo) fifo.add(queue);
      const left = (waiting.get(queue) ?? 0) - messages;
      waiting.set(queue, Math.max(0, left));
      return Math.max(0, -left);
    },
  };
}

/** Extracts the queue's name in the function manifest from an ARN. */
export const parseQueueArn = (arn: string): { name: string; isFifo: boolean } => ({
  name: (arn.split(':').at(-1) ?? '').replace(/^daybook-/, '').replace(/\.fifo$/, ''),
  isFifo: arn.endsWith('.fifo'),
});

const chunkBytes = 64 * 1024;
const messagesPerRequest = 10;

/** Queues and the event bus charge per 64 KB. */
export const countChunks = (sent: unknown): number =>
  (Array.isArray(sent) ? sent : [sent]).reduce(
    (sum, each) => sum + Math.max(1, Math.ceil(Buffer.byteLength(JSON.stringify(each) ?? '') / chunkBytes)),
    0,
  );
export const countRequests = (messages: unknown[]): number => {
  let requests = 0;
  for (let at = 0; at < messages.length; at += messagesPerRequest) {
    const bytes = Buffer.byteLength(JSON.stringify(messages.slice(at, at + messagesPerRequest)));
    requests += Math.max(1, Math.ceil(bytes / chunkBytes));
  }
  return requests;
};
