// Runs the function manifest in one process, with an in-memory table and a clock that advances with
// each reading. Every message, stream record, bus event and schedule tick passes through here, so
// that a test can drop, duplicate or delay any of them.
import { createHash } from 'node:crypto';
import { makeDeps } from '../../../functions/runtime/deps.ts';
import { createFunctionRunner, listByTrigger, loadHandler } from '../../../infra/local/function-runner.ts';
import { withBusGrants, withMailGrants, withQueueGrants, withTableGrants } from '../../../infra/local/grants.ts';
import { createRouter } from '../../../infra/local/router.ts';
import { toLambdaImage } from '../../../infra/local/stream-record.ts';
import { eventSource } from '../../../shared/events/event.ts';
import { marshalItem } from '../../../shared/platform/aws/marshal.ts';
import {
  type Bus,
  type Log,
  type Mail,
  type MailMessage,
  MailThrottled,
  type Queue,
  type WebhookRequest,
} from '../../../shared/platform/ports.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { getMessageGroupId, isFifoQueue } from '../../../shared/system/jobs.ts';
import { buildHttpEvent, parseHttpResult } from '../http-events.ts';
import type { MemoryTable } from '../memory-table.ts';
import { readEvents } from '../outbox.ts';
import type { ApiResponse, RequestOptions } from '../send-request.ts';
import type { LogLine } from '../system.ts';
import { edgeTo, hostedFunctions } from './manifest-edges.ts';
import { streamedTable } from './streamed-table.ts';

export interface Message {
  edge: string;
  /**
   * What the message is about. Two messages of an edge with the same content type are of the same
   * kind.
   */
  kind: string;
  to: string;
  event: object;
  dueMs: number;
  tries: number;
  /** How many workers receive the message: concurrently, unless it has a group. */
  copies: number;
  /** In a FIFO queue, messages of a group are processed one at a time. */
  group?: string;
}
export type Fate = 'drop' | 'double' | 'late';
/** Lets `after` messages of this edge and kind pass. The next one gets this fate. */
export interface MessageFault {
  edge: string;
  kind: string;
  after: number;
  fate: Fate;
}

/** The state from which a run can continue. */
export interface Snapshot {
  table: MemoryTable;
  nowMs: number;
  webhookRequests: readonly WebhookRequest[];
  emails: readonly MailMessage[];
  /** The number of random draws so far, so that a continued run draws the same values. */
  randomDraws: number;
}

export interface SimulatedSystem {
  deps: Deps;
  table: MemoryTable;
  call(method: string, path: string, options?: RequestOptions): Promise<ApiResponse>;
  /** Every message sent, in order. */
  sent: readonly Message[];
  /** The requests sent to webhook endpoints. */
  webhookRequests: WebhookRequest[];
  /** The emails sent. */
  emails: readonly MailMessage[];
  /** Sets how the receiver responds from now on. */
  respondWith(respond: (webhookRequest: WebhookRequest) => number): void;
  /** Delivers the messages that are due now. */
  drain(): Promise<void>;
  /** Like `drain`, with a clock that advances this much with each reading. */
  drainSlowly(readingMs: number): Promise<void>;
  /** Advances time and runs every schedule of the manifest. */
  passMinutes(minutes: number): Promise<void>;
  /** Delivers the messages that were delayed. */
  releaseLate(): void;
  /** Delivers messages again that were already delivered. */
  redeliver(messages: readonly Message[]): void;
  deadLetters: readonly Message[];
  log: LogLine[];
  snapshot(): Snapshot;
}

const minuteMs = 60_000;
/** How long a failed message stays invisible. */
const retryMs = 20_000;
const maxAttempts = 5;
/** A FIFO queue accepts one message per deduplication key within this time. */
const slotMs = 5 * minuteMs;

export function openSimulatedSystem(from: Snapshot, faults: readonly MessageFault[] = []): SimulatedSystem {
  let nowMs = from.nowMs;
  let readingMs = 1;
  let randomDraws = from.randomDraws;
  const table = from.table.copy();
  const webhookRequests = [...from.webhookRequests];
  const emails = [...from.emails];
  let respond: (webhookRequest: WebhookRequest) => number = () => 204;
  const plannedFaults = faults.map((fault) => ({ ...fault }));
  const sent: Message[] = [];
  const waiting: Message[] = [];
  const late: Message[] = [];
  const deadLetters: Message[] = [];
  const log: SimulatedSystem['log'] = [];

  function enqueue(message: Omit<Message, 'tries' | 'copies'>): void {
    const queuedMessage = { ...message, tries: 0, copies: 1 };
    sent.push(queuedMessage);
    const matching = plannedFaults.filter(
      ({ edge: plannedEdge, kind }) => plannedEdge === message.edge && kind === message.kind,
    );
    const fate = matching.find(({ after }) => after === 0)?.fate;
    for (const fault of matching) fault.after -= 1;
    if (fate === 'late') late.push(queuedMessage);
    else if (fate !== 'drop') waiting.push({ ...queuedMessage, copies: fate === 'double' ? 2 : 1 });
  }

  const consumerOf = (queue: string): string => {
    const [consumer, ...others] = listByTrigger(hostedFunctions, 'queue').filter(
      ({ trigger }) => trigger.queue === queue,
    );
    if (!consumer || others.length > 0) throw new Error(`the queue ${queue} must have one consumer`);
    return consumer.name;
  };
  const acceptedAt = new Map<string, number>();
  const isAccepted = (group: string | undefined, slot: string | undefined): boolean => {
    const name = `${group} ${slot}`;
    if (slot === undefined || nowMs - (acceptedAt.get(name) ?? Number.NEGATIVE_INFINITY) >= slotMs) {
      if (slot !== undefined) acceptedAt.set(name, nowMs);
      return true;
    }
    return false;
  };
  const messageOf = (queue: string, body: unknown) => {
    const group = getMessageGroupId(queue, body);
    const attributes = { ApproximateReceiveCount: '1', ...(group === undefined ? {} : { MessageGroupId: group }) };
    const messageId = `m${sent.length}`;
    return { Records: [{ messageId, receiptHandle: messageId, body: JSON.stringify(body), attributes }] };
  };
  const queueFrom = (sender: string): Queue => {
    const send: Queue['send'] = async (queue, body, { delaySeconds = 0, deduplicationKey: slot } = {}) => {
      const group = isFifoQueue(queue) ? `${queue} ${getMessageGroupId(queue, body)}` : undefined;
      if (!isAccepted(group, slot)) return;
      enqueue({
        edge: edgeTo.queue(sender, queue),
        kind: Object.keys(body ?? {}).join(),
        to: consumerOf(queue),
        event: messageOf(queue, body),
        dueMs: nowMs + delaySeconds * 1000,
        ...(group === undefined ? {} : { group }),
      });
    };
    return {
      send,
      async sendAll(queue, bodies, { deduplicationKey: slot } = {}) {
        for (const [at, body] of bodies.entries()) {
          const own = typeof slot === 'string' ? slot : slot?.[at];
          await send(queue, body, own === undefined ? {} : { deduplicationKey: own });
        }
      },
      // A failed message is redelivered after the fixed `retryMs`.
      postpone: async () => {},
    };
  };
  const bus: Bus = {
    async publish(entries) {
      for (const { source, type, detail } of entries)
        for (const { name, trigger } of listByTrigger(hostedFunctions, 'queue'))
          if (source === eventSource && trigger.busTypes?.includes(type))
            enqueue({
              edge: edgeTo.bus(name),
              kind: type,
              to: name,
              event: messageOf(trigger.queue, detail),
              dueMs: nowMs,
            });
    },
  };
  const readers = listByTrigger(hostedFunctions, 'stream');
  const streamed = streamedTable(
    table,
    () => true,
    ({ name: change, key, after }) => {
      for (const { name, trigger } of readers) {
        if (change === 'REMOVE' || typeof after?.[trigger.attribute] !== 'string') continue;
        enqueue({
          edge: edgeTo.stream(name),
          kind: readEvents([after])
            .map(({ type }) => type)
            .join(),
          to: name,
          event: {
            Records: [
              {
                eventName: change,
                dynamodb: {
                  SequenceNumber: String(sent.length),
                  Keys: toLambdaImage(marshalItem({ ...key })),
                  NewImage: toLambdaImage(marshalItem(after)),
                },
              },
            ],
          },
          dueMs: nowMs,
        });
      }
    },
  );

  const engines = {
    table: streamed,
    queue: queueFrom('nobody'),
    bus,
    rootSecret: 'a root secret of more than 32 characters',
    // Each reading is later than the previous one.
    clock: {
      now() {
        const readMs = nowMs;
        nowMs += readingMs;
        return readMs;
      },
    },
    random: {
      bytes: (count: number) => createHash('shake256', { outputLength: count }).update(`${randomDraws++}`).digest(),
    },
    log: (...[level, message, fields = {}]: Parameters<Log>) => void log.push({ level, message, fields }),
    webhookClient: {
      async post(webhookRequest: WebhookRequest) {
        webhookRequests.push(webhookRequest);
        return { kind: 'answered', status: respond(webhookRequest), body: '', retryAfter: undefined } as const;
      },
    },
    mail: busyMail(emails),
    deployment: { kind: 'local', mailSender: 'team@example.com' } as const,
  };
  const run = createFunctionRunner({
    functions: hostedFunctions,
    async start(name, spec) {
      // Loaded from source, with in-memory engines, because these tests are about the messages
      // between functions.
      const { build } = await loadHandler(spec.entry);
      return build(
        makeDeps({
          ...engines,
          table: withTableGrants(streamed, name, spec),
          queue: withQueueGrants(queueFrom(name), name, spec),
          bus: withBusGrants(bus, name, spec),
          mail: withMailGrants(engines.mail, name, spec),
          rootSecret: spec.secret ? engines.rootSecret : undefined,
        }),
      );
    },
  });

  async function runMessage({ to, event }: Message): Promise<boolean> {
    try {
      const result = await run(to, event);
      return !(hasFailures(result) && result.batchItemFailures.length > 0);
    } catch (error) {
      log.push({ level: 'error', message: 'batch_failed', fields: { function: to, cause: error } });
      return false;
    }
  }

  async function deliver(message: Message): Promise<void> {
    const outcomes: boolean[] = [];
    if (message.group === undefined)
      outcomes.push(...(await Promise.all(Array.from({ length: message.copies }, () => runMessage(message)))));
    else for (let copy = 0; copy < message.copies; copy++) outcomes.push(await runMessage(message));
    if (outcomes.every((done) => done)) return;
    const retried = { ...message, tries: message.tries + 1, dueMs: nowMs + retryMs };
    // Messages of the same group wait behind it.
    if (retried.tries < maxAttempts) waiting.unshift(retried);
    else deadLetters.push(retried);
  }

  function nextDue(): Message | undefined {
    const blockedGroups = new Set<string>();
    for (const [at, { dueMs, group }] of waiting.entries()) {
      if (dueMs <= nowMs && !(group !== undefined && blockedGroups.has(group))) return waiting.splice(at, 1)[0];
      if (group !== undefined) blockedGroups.add(group);
    }
    return undefined;
  }

  async function drain(): Promise<void> {
    for (let next = nextDue(); next; next = nextDue()) await deliver(next);
  }

  async function drainUntil(endMs: number): Promise<void> {
    for (;;) {
      await drain();
      const nextMs = Math.min(endMs, ...waiting.flatMap(({ dueMs }) => (dueMs > nowMs ? dueMs : [])));
      nowMs = Math.max(nowMs, nextMs);
      if (nowMs >= endMs) return drain();
    }
  }

  const redeliver = (messages: readonly Message[]): void =>
    void waiting.push(...messages.map((message) => ({ ...message, dueMs: nowMs })));

  const route = createRouter(hostedFunctions);
  return {
    deps: makeDeps(engines),
    table,
    sent,
    webhookRequests,
    emails,
    log,
    deadLetters,
    drain,
    async drainSlowly(ms) {
      readingMs = ms;
      await drain();
      readingMs = 1;
    },
    respondWith(next) {
      respond = next;
    },
    async call(method, path, options = {}) {
      const { pathname } = new URL(path, 'http://test');
      const { functionName } = route(pathname) ?? { functionName: 'nobody' };
      const event = buildHttpEvent(method, path, options, `r${sent.length}`);
      return parseHttpResult(await run(functionName, event));
    },
    async passMinutes(minutes) {
      for (let left = minutes; left > 0; left--) {
        await drainUntil((Math.floor(nowMs / minuteMs) + 1) * minuteMs);
        for (const { name, trigger } of listByTrigger(hostedFunctions, 'schedule'))
          if (Math.floor(nowMs / minuteMs) % trigger.everyMinutes === 0)
            enqueue({ edge: edgeTo.schedule(name), kind: 'tick', to: name, event: {}, dueMs: nowMs });
        await drain();
      }
    },
    releaseLate: () => redeliver(late.splice(0)),
    redeliver,
    snapshot: () => ({
      table: table.copy(),
      nowMs,
      webhookRequests: [...webhookRequests],
      emails: [...emails],
      randomDraws,
    }),
  };
}

const hasFailures = (result: unknown): result is { batchItemFailures: unknown[] } =>
  typeof result === 'object' && result !== null && 'batchItemFailures' in result;

/** Throttles the very first message, so that its worker schedules a retry. */
function busyMail(emails: MailMessage[]): Mail {
  let isBusy = emails.length === 0;
  return {
    async send(message) {
      const wasBusy = isBusy;
      isBusy = false;
      if (wasBusy) throw new MailThrottled('too many requests');
      emails.push(message);
    },
  };
}
