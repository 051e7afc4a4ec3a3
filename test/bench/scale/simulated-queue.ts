// One queue and its Lambda event source mapping: concurrent batches that scale up by the minute,
// and messages of a group in order.
import { readFailedIds } from '../../../infra/local/batch-result.ts';
import type { Run } from '../../../infra/local/function-runner.ts';
import type { LogCode } from '../../../shared/platform/log-codes.ts';
import type { Log } from '../../../shared/platform/ports.ts';
import { functionsWithTrigger, messageGroupOf } from './manifest-triggers.ts';
import type { VirtualTime } from './virtual-time.ts';

export interface SendOptions {
  delaySeconds?: number;
  /** A group accepts one message per slot within five minutes. */
  slot?: string;
}
export interface SimulatedQueue {
  send(body: unknown, options?: SendOptions): void;
  /** Sets when a message is delivered again if its run fails. */
  postpone(receipt: string, seconds: number): void;
  /** The maximum number of messages that waited at the same time. */
  maxWaiting(): number;
  reset(): void;
}

/** The queue itself also logs what AWS does not: that a message became a dead letter. */
export type SimulationLog = (
  level: Parameters<Log>[0],
  code: LogCode | 'message_dead_lettered',
  fields?: Parameters<Log>[2],
) => void;

interface Message {
  id: string;
  body: string;
  group: string | undefined;
  receives: number;
}

/** Lambda begins with five concurrent batches and adds 300 per minute. */
const initialConcurrency = 5;
const concurrencyPerMinute = 300;
const receiveMs = 10;
const maxReceives = 5;
const slotMs = 300_000;

export function simulatedQueue(options: {
  name: string;
  time: VirtualTime;
  wait(milliseconds: number): Promise<void>;
  run: Run;
  log: SimulationLog;
}): SimulatedQueue {
  const { name, time, wait, run, log } = options;
  const consumer = functionsWithTrigger('queue').find(({ trigger }) => trigger.queue === name);
  const waiting: Message[] = [];
  const busyGroups = new Set<string>();
  const postponed = new Map<string, number>();
  const slots = new Map<string, number>();
  let number = 0;
  let running = 0;
  let maxWaiting = 0;
  let isScheduled = false;
  let busySinceMs: number | undefined;

  const ceiling = (maxAtOnce: number): number => {
    const minutes = (time.now() - (busySinceMs ?? time.now())) / 60_000;
    return Math.min(maxAtOnce, Math.floor(initialConcurrency + minutes * concurrencyPerMinute));
  };

  /** Takes messages in order. Skips groups that have a message in progress. */
  function nextBatch(size: number): Message[] {
    const batch: Message[] = [];
    for (let at = 0; at < waiting.length && batch.length < size; ) {
      const group = waiting[at]?.group;
      if (group !== undefined && busyGroups.has(group)) at++;
      else batch.push(...waiting.splice(at, 1));
    }
    return batch;
  }

  function pump(): void {
    if (!consumer) return;
    const { batchSize, maxConcurrency } = consumer.trigger;
    busySinceMs = waiting.length + running > 0 ? (busySinceMs ?? time.now()) : undefined;
    while (running < ceiling(maxConcurrency)) {
      const batch = nextBatch(batchSize);
      if (batch.length === 0) break;
      running++;
      for (const { group } of batch) if (group !== undefined) busyGroups.add(group);
      void time.track(handle(batch, consumer));
    }
    if (waiting.length > 0 && !isScheduled) void time.track(pumpLater());
  }

  /** Pumps again when Lambda may have scaled up. */
  async function pumpLater(): Promise<void> {
    isScheduled = true;
    await time.sleep(1_000);
    isScheduled = false;
    pump();
  }

  async function handle(
    batch: readonly Message[],
    { name: reader, timeoutSeconds }: { name: string; timeoutSeconds: number },
  ): Promise<void> {
    await wait(receiveMs);
    let failed: ReadonlySet<string>;
    try {
      failed = readFailedIds(await run(reader, eventOf(batch, name)));
    } catch (error) {
      log('error', 'batch_failed', { queue: name, cause: error });
      failed = new Set(batch.map(({ id }) => id));
    }
    running--;
    for (const [group, messages] of Map.groupBy(batch, (message) => message.group)) {
      const again = messages.filter(({ id }) => failed.has(id));
      if (again.length > 0) void time.track(retryLater(again, timeoutSeconds));
      else if (group !== undefined) busyGroups.delete(group);
    }
    pump();
  }

  /** After the visibility timeout, or after the delay that the run requested. */
  async function retryLater(messages: readonly Message[], timeoutSeconds: number): Promise<void> {
    const [first] = messages;
    if (!first) return;
    const hiddenSeconds = (first.group === undefined ? 6 : 2) * timeoutSeconds;
    await time.sleep((postponed.get(first.id) ?? hiddenSeconds) * 1_000);
    if (first.group !== undefined) busyGroups.delete(first.group);
    const retried = messages.map((message) => ({ ...message, receives: message.receives + 1 }));
    for (const { id, receives } of retried)
      if (receives >= maxReceives) log('error', 'message_dead_lettered', { queue: name, message_id: id });
    waiting.unshift(...retried.filter(({ receives }) => receives < maxReceives));
    pump();
  }

  function isRepeated(group: string | undefined, slot: string | undefined): boolean {
    if (group === undefined || slot === undefined) return false;
    const slotKey = JSON.stringify([group, slot]);
    const isSame = (slots.get(slotKey) ?? Number.NEGATIVE_INFINITY) > time.now() - slotMs;
    if (!isSame) slots.set(slotKey, time.now());
    return isSame;
  }

  return {
    send(body, { delaySeconds = 0, slot } = {}) {
      const group = messageGroupOf(name, body);
      if (isRepeated(group, slot)) return;
      const message = { id: `${name}-${number++}`, body: JSON.stringify(body), group, receives: 0 };
      const arrive = () => {
        waiting.push(message);
        maxWaiting = Math.max(maxWaiting, waiting.length);
        pump();
      };
      if (delaySeconds > 0) void time.track(time.sleep(delaySeconds * 1_000).then(arrive));
      else arrive();
    },
    postpone: (receipt, seconds) => void postponed.set(receipt, seconds),
    maxWaiting: () => maxWaiting,
    reset() {
      maxWaiting = waiting.length;
    },
  };
}

const eventOf = (batch: readonly Message[], queue: string) => ({
  Records: batch.map(({ id, body, group, receives }) => ({
    messageId: id,
    receiptHandle: id,
    body,
    attributes: {
      ApproximateReceiveCount: String(receives + 1),
      ...(group === undefined ? {} : { MessageGroupId: group }),
    },
    messageAttributes: {},
    eventSource: 'aws:sqs',
    eventSourceARN: `arn:aws:sqs:us-east-1:000000000000:daybook-${queue}${group === undefined ? '' : '.fifo'}`,
  })),
});
