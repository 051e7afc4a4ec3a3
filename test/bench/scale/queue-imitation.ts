// One queue and its Lambda mapping: batches side by side, more of them by the minute, and the messages
// of a group one after the other.
import { failedIds } from '../../../infra/local/batch-result.ts';
import { type HostedFunctions, type Run, triggeredBy } from '../../../infra/local/function-runner.ts';
import type { Log } from '../../../shared/engine/ports.ts';
import type { VirtualTime } from './virtual-time.ts';

export interface QueueImitation {
  take(body: unknown, options?: object): void;
  /** How many waited at the same time. */
  maxWaiting(): number;
  reset(): void;
}

interface Message {
  id: string;
  body: string;
  group: string | undefined;
  receives: number;
}

/** Lambda begins with five batches at once, and adds as many in a minute. */
const firstAtOnce = 5;
const moreAMinute = 300;
const receiveMs = 10;
const visibilityMs = 120_000;
const maxReceives = 5;

export function queueImitation(options: {
  name: string;
  time: VirtualTime;
  wait(milliseconds: number): Promise<void>;
  hosted: HostedFunctions;
  run: Run;
  log: Log;
}): QueueImitation {
  const { name, time, wait, hosted, run, log } = options;
  const consumer = triggeredBy(hosted, 'queue').find(({ trigger }) => trigger.queue === name);
  const waiting: Message[] = [];
  const busyGroups = new Set<string>();
  let number = 0;
  let running = 0;
  let maxWaiting = 0;
  let isLooking = false;
  let busySinceMs: number | undefined;

  const ceiling = (): number => {
    const minutes = (time.now() - (busySinceMs ?? time.now())) / 60_000;
    return Math.min(consumer?.trigger.mostAtOnce ?? 1_000, Math.floor(firstAtOnce + minutes * moreAMinute));
  };

  /** In order; of each group at most those that follow each other, while none of it is under way. */
  function nextBatch(size: number): Message[] {
    const batch: Message[] = [];
    const passedBy = new Set<string>();
    for (let at = 0; at < waiting.length && batch.length < size; ) {
      const message = waiting[at];
      if (message === undefined) break;
      const { group } = message;
      if (group !== undefined && (busyGroups.has(group) || passedBy.has(group))) {
        passedBy.add(group);
        at++;
      } else batch.push(...waiting.splice(at, 1));
    }
    return batch;
  }

  function pump(): void {
    if (!consumer) return;
    busySinceMs = waiting.length + running > 0 ? (busySinceMs ?? time.now()) : undefined;
    while (running < ceiling()) {
      const batch = nextBatch(consumer.trigger.batchSize);
      if (batch.length === 0) return;
      running++;
      for (const { group } of batch) if (group !== undefined) busyGroups.add(group);
      void time.track(handle(batch, consumer.name));
    }
    if (waiting.length > 0 && !isLooking) void time.track(lookAgain());
  }

  /** When Lambda may do more than before. */
  async function lookAgain(): Promise<void> {
    isLooking = true;
    await time.sleep(1_000);
    isLooking = false;
    pump();
  }

  async function handle(batch: readonly Message[], consumerName: string): Promise<void> {
    await wait(receiveMs);
    let failed: ReadonlySet<string>;
    try {
      failed = failedIds(await run(consumerName, eventOf(batch, name)));
    } catch (error) {
      log('error', 'a batch failed', { queue: name, error });
      failed = new Set(batch.map(({ id }) => id));
    }
    running--;
    const again = batch.filter(({ id }) => failed.has(id));
    const done = batch.filter(({ id }) => !failed.has(id));
    for (const { group } of done)
      if (group !== undefined && !again.some((each) => each.group === group)) busyGroups.delete(group);
    for (const message of again) void time.track(comeAgain(message));
    pump();
  }

  async function comeAgain(message: Message): Promise<void> {
    await time.sleep(visibilityMs);
    if (message.group !== undefined) busyGroups.delete(message.group);
    if (message.receives + 1 >= maxReceives)
      log('error', 'a message was given up', { queue: name, body: message.body });
    else waiting.unshift({ ...message, receives: message.receives + 1 });
    pump();
  }

  return {
    take(body, given) {
      const { delayMs, group } = optionsIn(given);
      const message = { id: `${name}-${number++}`, body: JSON.stringify(body), group, receives: 0 };
      const arrive = () => {
        waiting.push(message);
        maxWaiting = Math.max(maxWaiting, waiting.length);
        pump();
      };
      if (delayMs > 0) void time.track(time.sleep(delayMs).then(arrive));
      else arrive();
    },
    maxWaiting: () => maxWaiting,
    reset() {
      maxWaiting = waiting.length;
    },
  };
}

/** Whatever the port calls the group of a message. */
function optionsIn(options: object = {}): { delayMs: number; group: string | undefined } {
  const given = new Map<string, unknown>(Object.entries(options));
  const delay = given.get('delaySeconds');
  const group = [...given].find(([name]) => /group/i.test(name))?.[1];
  return {
    delayMs: typeof delay === 'number' ? delay * 1_000 : 0,
    group: typeof group === 'string' ? group : undefined,
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
