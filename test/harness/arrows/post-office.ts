// The map in one process, over a table in memory and a clock that moves by its readings: every
// message, stream record, bus event and tick goes through here, so that a test can lose, double or
// hold back any of them.
import { createHash } from 'node:crypto';
import { makeDeps } from '../../../functions/runtime/deps.ts';
import { functionRunner, loadHandler, triggeredBy } from '../../../infra/local/function-runner.ts';
import { grantedBus, grantedMail, grantedQueue, grantedTable } from '../../../infra/local/grants.ts';
import { makeRouting } from '../../../infra/local/routing.ts';
import { lambdaImage } from '../../../infra/local/stream-record.ts';
import { eventSource } from '../../../shared/events/event.ts';
import { marshalItem } from '../../../shared/platform/aws/marshal.ts';
import {
  type Bus,
  type Letter,
  type Mail,
  type MailMessage,
  MailThrottled,
  type Queue,
} from '../../../shared/platform/ports.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { isOrdered, messageGroup } from '../../../shared/system/jobs.ts';
import type { Asking, Told } from '../ask.ts';
import type { MemoryTable } from '../memory-table.ts';
import { eventsIn } from '../outbox.ts';
import { arrowTo, hosted } from './map-arrows.ts';
import { streamedTable } from './streamed-table.ts';

export interface Message {
  arrow: string;
  /** What it is about: two of an arrow that say the same are of one kind. */
  kind: string;
  to: string;
  event: object;
  dueMs: number;
  tries: number;
  /** How many workers get it: at the same time, unless it has a group. */
  copies: number;
  /** In an ordered queue messages of a group are worked one at a time. */
  group?: string;
}
export type Fate = 'drop' | 'double' | 'late';
/** So many messages of this arrow and kind pass; the next one meets with this fate. */
export interface Fault {
  arrow: string;
  kind: string;
  after: number;
  fate: Fate;
}

/** What a run can go on from. */
export interface Moment {
  table: MemoryTable;
  nowMs: number;
  letters: readonly Letter[];
  mails: readonly MailMessage[];
  /** How many random things there were: a run that goes on draws the same ones. */
  draws: number;
}

export interface PostOffice {
  deps: Deps;
  table: MemoryTable;
  call(method: string, path: string, asking?: Asking): Promise<Told>;
  /** Everything that was sent, in order. */
  sent: readonly Message[];
  /** What webhooks were sent. */
  letters: Letter[];
  /** What people were sent. */
  mails: readonly MailMessage[];
  /** What the receiver answers from now on. */
  react(reaction: (letter: Letter) => number): void;
  /** Delivers what is due now. */
  drain(): Promise<void>;
  /** The same while every reading of the clock takes so long. */
  drainSlowly(readingMs: number): Promise<void>;
  /** Lets time pass, with every schedule of the map. */
  pass(minutes: number): Promise<void>;
  /** What was held back comes now. */
  releaseLate(): void;
  /** What has come before comes once more. */
  repeat(messages: readonly Message[]): void;
  deadLetters: readonly Message[];
  log: { level: string; message: string; fields: Record<string, unknown> }[];
  moment(): Moment;
}

const minuteMs = 60_000;
/** As long as a failed message stays hidden. */
const retryMs = 20_000;
const mostTries = 5;
/** An ordered queue takes a message of a slot once in that time. */
const slotMs = 5 * minuteMs;

export function openPostOffice(from: Moment, faults: readonly Fault[] = []): PostOffice {
  let nowMs = from.nowMs;
  let readingMs = 1;
  let draws = from.draws;
  const table = from.table.copy();
  const letters = [...from.letters];
  const mails = [...from.mails];
  let reaction: (letter: Letter) => number = () => 204;
  const ahead = faults.map((fault) => ({ ...fault }));
  const sent: Message[] = [];
  const waiting: Message[] = [];
  const late: Message[] = [];
  const deadLetters: Message[] = [];
  const log: PostOffice['log'] = [];

  function post(message: Omit<Message, 'tries' | 'copies'>): void {
    const posted = { ...message, tries: 0, copies: 1 };
    sent.push(posted);
    const met = ahead.filter(({ arrow, kind }) => arrow === message.arrow && kind === message.kind);
    const fate = met.find(({ after }) => after === 0)?.fate;
    for (const fault of met) fault.after -= 1;
    if (fate === 'late') late.push(posted);
    else if (fate !== 'drop') waiting.push({ ...posted, copies: fate === 'double' ? 2 : 1 });
  }

  const consumerOf = (queue: string): string => {
    const [consumer, ...others] = triggeredBy(hosted, 'queue').filter(({ trigger }) => trigger.queue === queue);
    if (!consumer || others.length > 0) throw new Error(`the queue ${queue} must have one consumer`);
    return consumer.name;
  };
  const takenAt = new Map<string, number>();
  const isTaken = (group: string | undefined, slot: string | undefined): boolean => {
    const name = `${group} ${slot}`;
    if (slot === undefined || nowMs - (takenAt.get(name) ?? Number.NEGATIVE_INFINITY) >= slotMs) {
      if (slot !== undefined) takenAt.set(name, nowMs);
      return true;
    }
    return false;
  };
  const messageOf = (queue: string, body: unknown) => {
    const group = messageGroup(queue, body);
    const attributes = { ApproximateReceiveCount: '1', ...(group === undefined ? {} : { MessageGroupId: group }) };
    const messageId = `m${sent.length}`;
    return { Records: [{ messageId, receiptHandle: messageId, body: JSON.stringify(body), attributes }] };
  };
  const queueFrom = (sender: string): Queue => {
    const send: Queue['send'] = async (queue, body, { delaySeconds = 0, slot } = {}) => {
      const group = isOrdered(queue) ? `${queue} ${messageGroup(queue, body)}` : undefined;
      if (!isTaken(group, slot)) return;
      post({
        arrow: arrowTo.queue(sender, queue),
        kind: Object.keys(body ?? {}).join(),
        to: consumerOf(queue),
        event: messageOf(queue, body),
        dueMs: nowMs + delaySeconds * 1000,
        ...(group === undefined ? {} : { group }),
      });
    };
    return {
      send,
      async sendAll(queue, bodies, { slot } = {}) {
        for (const [at, body] of bodies.entries()) {
          const own = typeof slot === 'string' ? slot : slot?.[at];
          await send(queue, body, own === undefined ? {} : { slot: own });
        }
      },
      // A message that failed comes again at the post office's own pace.
      postpone: async () => {},
    };
  };
  const bus: Bus = {
    async publish(entries) {
      for (const { source, type, detail } of entries)
        for (const { name, trigger } of triggeredBy(hosted, 'queue'))
          if (source === eventSource && trigger.busTypes?.includes(type))
            post({
              arrow: arrowTo.bus(name),
              kind: type,
              to: name,
              event: messageOf(trigger.queue, detail),
              dueMs: nowMs,
            });
    },
  };
  const readers = triggeredBy(hosted, 'stream');
  const streamed = streamedTable(
    table,
    () => true,
    ({ name: change, key, after }) => {
      for (const { name, trigger } of readers) {
        if (change === 'REMOVE' || typeof after?.[trigger.attribute] !== 'string') continue;
        post({
          arrow: arrowTo.stream(name),
          kind: eventsIn([after])
            .map(({ type }) => type)
            .join(),
          to: name,
          event: {
            Records: [
              {
                eventName: change,
                dynamodb: {
                  SequenceNumber: String(sent.length),
                  Keys: lambdaImage(marshalItem({ ...key })),
                  NewImage: lambdaImage(marshalItem(after)),
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
    // Each reading is later than the one before.
    clock: {
      now() {
        const readMs = nowMs;
        nowMs += readingMs;
        return readMs;
      },
    },
    random: { bytes: (count: number) => createHash('shake256', { outputLength: count }).update(`${draws++}`).digest() },
    log: (level: string, message: string, fields: Record<string, unknown> = {}) =>
      void log.push({ level, message, fields }),
    courier: {
      async post(letter: Letter) {
        letters.push(letter);
        return { kind: 'answered', status: reaction(letter), body: '', retryAfter: undefined } as const;
      },
    },
    mail: busyMail(mails),
    place: { kind: 'local', mailSender: 'team@example.com' } as const,
  };
  const run = functionRunner({
    functions: hosted,
    async start(name, spec) {
      // From the sources, over engines in memory: it is about the messages between functions.
      const { build } = await loadHandler(spec.entry);
      return build(
        makeDeps({
          ...engines,
          table: grantedTable(streamed, name, spec.table),
          queue: grantedQueue(queueFrom(name), name, spec),
          bus: grantedBus(bus, name, spec),
          mail: grantedMail(engines.mail, name, spec),
          rootSecret: spec.secret ? engines.rootSecret : undefined,
        }),
      );
    },
  });

  async function worked({ to, event }: Message): Promise<boolean> {
    try {
      const result = await run(to, event);
      return !(hasFailures(result) && result.batchItemFailures.length > 0);
    } catch (error) {
      log.push({ level: 'error', message: `${to} threw`, fields: { error } });
      return false;
    }
  }

  async function deliver(message: Message): Promise<void> {
    const outcomes: boolean[] = [];
    if (message.group === undefined)
      outcomes.push(...(await Promise.all(Array.from({ length: message.copies }, () => worked(message)))));
    else for (let copy = 0; copy < message.copies; copy++) outcomes.push(await worked(message));
    if (outcomes.every((done) => done)) return;
    const again = { ...message, tries: message.tries + 1, dueMs: nowMs + retryMs };
    // Those of its group wait behind it.
    if (again.tries < mostTries) waiting.unshift(again);
    else deadLetters.push(again);
  }

  function nextDue(): Message | undefined {
    const held = new Set<string>();
    for (const [at, { dueMs, group }] of waiting.entries()) {
      if (dueMs <= nowMs && !(group !== undefined && held.has(group))) return waiting.splice(at, 1)[0];
      if (group !== undefined) held.add(group);
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

  const repeat = (messages: readonly Message[]): void =>
    void waiting.push(...messages.map((message) => ({ ...message, dueMs: nowMs })));

  const route = makeRouting(hosted);
  return {
    deps: makeDeps(engines),
    table,
    sent,
    letters,
    mails,
    log,
    deadLetters,
    drain,
    async drainSlowly(ms) {
      readingMs = ms;
      await drain();
      readingMs = 1;
    },
    react(next) {
      reaction = next;
    },
    async call(method, path, { token, body, raw, headers = {} } = {}) {
      const { pathname, search } = new URL(path, 'http://test');
      const { functionName } = route(pathname) ?? { functionName: 'nobody' };
      const result = await run(functionName, {
        version: '2.0',
        rawPath: decodeURIComponent(pathname),
        rawQueryString: search.slice(1),
        headers: {
          host: 'test',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        requestContext: {
          domainName: 'test',
          requestId: `r${sent.length}`,
          http: { method, path: pathname, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: '' },
        },
        ...(raw === undefined && body === undefined ? {} : { body: raw?.toString() ?? JSON.stringify(body) }),
        isBase64Encoded: false,
      });
      return toldIn(result);
    },
    async pass(minutes) {
      for (let left = minutes; left > 0; left--) {
        await drainUntil((Math.floor(nowMs / minuteMs) + 1) * minuteMs);
        for (const { name, trigger } of triggeredBy(hosted, 'schedule'))
          if (Math.floor(nowMs / minuteMs) % trigger.everyMinutes === 0)
            post({ arrow: arrowTo.schedule(name), kind: 'tick', to: name, event: {}, dueMs: nowMs });
        await drain();
      }
    },
    releaseLate: () => repeat(late.splice(0)),
    repeat,
    moment: () => ({ table: table.copy(), nowMs, letters: [...letters], mails: [...mails], draws }),
  };
}

const hasFailures = (result: unknown): result is { batchItemFailures: unknown[] } =>
  typeof result === 'object' && result !== null && 'batchItemFailures' in result;

interface HttpResult {
  statusCode: number;
  headers?: Record<string, string>;
  cookies?: string[];
  body?: string;
}
/** Holds because the functions that answer requests answer so. */
const asHttpResult = (result: unknown): HttpResult => result as HttpResult;

function toldIn(result: unknown): Told {
  const { statusCode, headers = {}, cookies = [], body: text = '' } = asHttpResult(result);
  const isJson = headers['content-type']?.startsWith('application/json') ?? false;
  return {
    status: statusCode,
    headers: new Headers([
      ...Object.entries(headers),
      ...cookies.map((cookie) => ['set-cookie', cookie] as [string, string]),
    ]),
    text,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  };
}

/** The very first message meets too many others, so that its worker has itself woken. */
function busyMail(mails: MailMessage[]): Mail {
  let isBusy = mails.length === 0;
  return {
    async send(message) {
      const wasBusy = isBusy;
      isBusy = false;
      if (wasBusy) throw new MailThrottled('too many at once');
      mails.push(message);
    },
  };
}
