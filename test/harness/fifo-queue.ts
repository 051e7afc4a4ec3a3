// A FIFO queue and the function that reads it, as SQS and Lambda have them, on virtual time: a group
// is blocked while one of its messages is hidden, a key is remembered for five minutes after it was
// sent, even when its message was delivered or purged, and groups are found only among the first
// 120,000 messages.
import type { SQSEvent } from 'aws-lambda';
import type { QueueHandler } from '../../functions/runtime/on-queue.ts';
import { visibilitySeconds } from '../../infra/function-spec.ts';
import { functions, queues } from '../../infra/functions.ts';
import type { Clock } from '../../shared/platform/ports.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { type FifoQueueName, getMessageGroupId } from '../../shared/system/jobs.ts';

const rememberedMs = 5 * 60_000;
const searchedMessages = 120_000;

interface Message {
  id: string;
  body: string;
  group: string;
  receives: number;
  sentMs: number;
  firstReceivedMs: number | undefined;
  visibleMs: number;
}

export interface FifoQueue {
  queue: Deps['queue'];
  /** The messages that were not deleted, hidden ones included. */
  waiting(group?: string): number;
  /** How long messages of a group waited until they were first received, at most. */
  maxDelayMs(group: string): number;
  readonly deadLetters: readonly string[];
  /**
   * Hands out what is visible, batch by batch, until nothing is or the time is over. Returns how many
   * batches.
   */
  run(deps: Deps, untilMs?: number): Promise<number>;
  purge(): void;
  /** The process of the current run dies: its call never ends, and no message is deleted. */
  die(): Promise<never>;
}

const readers = {
  user: functions['write-user'],
  feed: functions.feed,
  connection: functions.sync,
} as const satisfies Record<FifoQueueName, object>;

export function openFifoQueue(name: FifoQueueName, handler: QueueHandler, clock: Clock): FifoQueue {
  const { trigger, timeoutSeconds } = readers[name];
  const sentAt = new Map<string, number>();
  const delays = new Map<string, number>();
  const deadLetters: string[] = [];
  let messages: Message[] = [];
  let sent = 0;
  let death = Promise.withResolvers<undefined>();

  function accept(queue: string, body: unknown, key: string | undefined): void {
    if (queue !== name) return;
    const nowMs = clock.now();
    const group = getMessageGroupId(name, body) ?? '';
    const remembered = `${group} ${key}`;
    if (key !== undefined && nowMs - (sentAt.get(remembered) ?? Number.NEGATIVE_INFINITY) < rememberedMs) return;
    if (key !== undefined) sentAt.set(remembered, nowMs);
    const [id, text] = [`m${++sent}`, JSON.stringify(body)];
    messages.push({ id, body: text, group, receives: 0, sentMs: nowMs, firstReceivedMs: undefined, visibleMs: nowMs });
  }

  const queue: Deps['queue'] = {
    send: async (target, body, options) => accept(target, body, options?.deduplicationKey),
    async sendAll(target, bodies, options) {
      const { deduplicationKey: keys } = options ?? {};
      for (const [at, body] of bodies.entries()) accept(target, body, typeof keys === 'string' ? keys : keys?.[at]);
    },
    async postpone(_target, receipt, seconds) {
      for (const message of messages) if (message.id === receipt) message.visibleMs = clock.now() + seconds * 1_000;
    },
  };

  function receive(): Message[] {
    const nowMs = clock.now();
    const blocked = new Set<string>();
    const batch: Message[] = [];
    for (const message of messages.slice(0, searchedMessages)) {
      if (message.visibleMs > nowMs) blocked.add(message.group);
      if (blocked.has(message.group)) continue;
      if (message.receives === queues[name].maxReceives) {
        deadLetters.push(message.body);
        messages = messages.filter((other) => other !== message);
        continue;
      }
      batch.push(message);
      if (batch.length === trigger.batchSize) break;
    }
    for (const message of batch) {
      message.receives += 1;
      message.visibleMs = nowMs + visibilitySeconds(name, timeoutSeconds) * 1_000;
      message.firstReceivedMs ??= nowMs;
      delays.set(message.group, Math.max(delays.get(message.group) ?? 0, message.firstReceivedMs - message.sentMs));
    }
    return batch;
  }

  return {
    queue,
    deadLetters,
    waiting: (group) => messages.filter((message) => group === undefined || message.group === group).length,
    maxDelayMs: (group) => delays.get(group) ?? 0,
    async run(deps, untilMs = Number.POSITIVE_INFINITY) {
      const handle = handler.build({ ...deps, queue });
      for (let batches = 0; ; batches++) {
        const batch = clock.now() < untilMs ? receive() : [];
        if (batch.length === 0) return batches;
        death = Promise.withResolvers();
        const result = await Promise.race([handle(toEvent(batch)), death.promise]);
        if (!result) continue;
        const failed = new Set(result.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
        const done = new Set(batch.filter(({ id }) => !failed.has(id)));
        messages = messages.filter((message) => !done.has(message));
      }
    },
    purge() {
      messages = [];
    },
    die() {
      death.resolve(undefined);
      return new Promise(() => {});
    },
  };
}

const toEvent = (batch: readonly Message[]): SQSEvent => ({
  Records: batch.map(({ id, body, group, receives, sentMs, firstReceivedMs }) => ({
    messageId: id,
    receiptHandle: id,
    body,
    attributes: {
      ApproximateReceiveCount: `${receives}`,
      SentTimestamp: `${sentMs}`,
      SenderId: 'sender',
      ApproximateFirstReceiveTimestamp: `${firstReceivedMs}`,
      MessageGroupId: group,
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: '',
    awsRegion: '',
  })),
});
