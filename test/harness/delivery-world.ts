// The way from the outbox to endpoints over a table of one's own: messages wait until they are due by the clock of the
// test, which also decides what endpoints answer and what gets lost.
import { randomBytes } from 'node:crypto';
import { makeDeps } from '../../functions/runtime/deps.ts';
import { deliverWorker } from '../../functions/workers/deliver.ts';
import { feedWorker } from '../../functions/workers/feed.ts';
import { relayWorker } from '../../functions/workers/relay.ts';
import { sweepWorker } from '../../functions/workers/sweep.ts';
import type { NewEvent } from '../../shared/events/event.ts';
import type { FeedName } from '../../shared/events/feed-rows.ts';
import type { Letter, Table } from '../../shared/platform/ports.ts';
import type { Caller } from '../../shared/system/caller.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { jobs } from '../../shared/system/jobs.ts';
import { type DeliveryRow, deliveryRows } from '../../shared/webhooks/delivery-rows.ts';
import { registerWebhook } from '../../shared/webhooks/endpoints.ts';
import type { Subscription, WebhookWithSecret } from '../../shared/webhooks/webhook.ts';
import { type TestClock, testClock } from './clock.ts';
import { freshFeed, newEvent, oneTo, type RecordingBus, recordingBus, writeEvents } from './outbox.ts';

export interface Waiting {
  queue: 'feed' | 'deliver';
  body: unknown;
  dueMs: number;
}

export type Fate = 'lost' | 'doubled' | 'late';

export interface DeliveryWorld {
  deps: Deps;
  clock: TestClock;
  feed: FeedName;
  caller: Caller;
  bus: RecordingBus;
  /** Messages that nobody has taken yet. A test may take some away, or put some there twice. */
  waiting: Waiting[];
  /** The n-th message from now on is lost, comes twice, or comes when it is released. */
  spoil(n: number, fate: Fate): void;
  releaseLate(): void;
  /** What endpoints were sent. */
  letters: Letter[];
  /** The status that a request is answered with; undefined is no answer. */
  react(reaction: (letter: Letter) => number | undefined): void;
  /** The same world over a table of one's own making, for faults. */
  over(table: Table): Deps;
  register(events?: Subscription[], path?: string): Promise<WebhookWithSecret>;
  /** Commits of one event each, and what the stream tells of them. Returns the ids of the events. */
  announce(count: number, more?: Partial<NewEvent>): Promise<string[]>;
  /** Workers take what is due until nothing is. */
  run(): Promise<void>;
  /** Time passes a minute at a time, each with a sweep. */
  pass(minutes: number): Promise<void>;
  deliveries(webhook: string): Promise<DeliveryRow[]>;
}

const minuteMs = 60_000;

export function openDeliveryWorld(table: Table, clock: TestClock = testClock()): DeliveryWorld {
  const feed = freshFeed();
  const caller: Caller = { kind: 'api_key', ...feed, form: 2 };
  const bus = recordingBus();
  const waiting: Waiting[] = [];
  const letters: Letter[] = [];
  let reaction: (letter: Letter) => number | undefined = () => 204;
  let spoiled: { left: number; fate: Fate } | undefined;
  const late: Waiting[] = [];
  const put = (queue: string, body: unknown, delaySeconds = 0): void => {
    if (queue !== 'feed' && queue !== 'deliver') return;
    const message = {
      queue,
      body: JSON.parse(JSON.stringify(body)),
      dueMs: clock.now() + delaySeconds * 1000,
    } as const;
    const fate = spoiled && spoiled.left-- === 0 ? spoiled.fate : undefined;
    if (fate === 'late') late.push(message);
    if (fate === undefined || fate === 'doubled') waiting.push(message);
    if (fate === 'doubled') waiting.push(message);
  };
  const over = (own: Table): Deps =>
    makeDeps({
      table: own,
      queue: {
        send: async (queue, body, options) => put(queue, body, options?.delaySeconds),
        sendAll: async (queue, bodies) => {
          for (const body of bodies) put(queue, body);
        },
        postpone: async () => {},
      },
      bus,
      courier: {
        async post(letter) {
          letters.push(letter);
          const status = reaction(letter);
          if (status === undefined)
            return { kind: 'unanswered', reason: 'timeout', message: '', status: undefined, body: '' };
          return { kind: 'answered', status, body: '', retryAfter: undefined };
        },
      },
      rootSecret: 'a root secret of more than 32 characters',
      clock,
      log: () => {},
      place: { kind: 'local' },
    });
  const deps = over(table);
  const deliver = deliverWorker(deps);

  async function take({ queue, body }: Waiting): Promise<void> {
    if (queue === 'feed') await feedWorker(deps)(jobs.feed.parse(body));
    if (queue === 'deliver') await deliver(jobs.deliver.parse(body));
  }
  async function run(): Promise<void> {
    for (;;) {
      for (const page of bus.pages.splice(0)) put('deliver', page);
      const at = waiting.findIndex(({ dueMs }) => dueMs <= clock.now());
      const [next] = at < 0 ? [] : waiting.splice(at, 1);
      if (!next) return;
      await take(next);
    }
  }

  return {
    deps,
    clock,
    feed,
    caller,
    bus,
    waiting,
    letters,
    over,
    run,
    spoil(n, fate) {
      spoiled = { left: n, fate };
    },
    releaseLate() {
      waiting.push(...late.splice(0).map((message) => ({ ...message, dueMs: clock.now() })));
    },
    react(next) {
      reaction = next;
    },
    register: (events = ['*'], path = randomBytes(4).toString('hex')) =>
      registerWebhook(deps, caller, { url: `http://127.0.0.1:9/${path}`, events }),
    async announce(count, more = {}) {
      const events = oneTo(count).map(() => newEvent(feed, { atMs: clock.now(), ...more }));
      const keys = await writeEvents(deps.store, events);
      await relayWorker(deps)(keys.map((key) => ({ ...key, feed: `${feed.account}#${feed.env}` })));
      return events.map(({ id }) => id);
    },
    async pass(minutes) {
      for (let left = minutes; left > 0; left -= 1) {
        clock.advance(minuteMs);
        await run();
        await sweepWorker(deps)();
        await run();
      }
    },
    deliveries: async (webhook) => (await deliveryRows(deps.store).page(webhook, 10_000, undefined)).deliveries,
  };
}
