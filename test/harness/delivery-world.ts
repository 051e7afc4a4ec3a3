// The path from the outbox to endpoints on its own table. Messages wait until they are due by the
// test's clock. The test decides how endpoints respond and which messages are lost.
import { randomBytes } from 'node:crypto';
import { makeDeps } from '../../functions/runtime/deps.ts';
import { deliverWorker } from '../../functions/workers/deliver.ts';
import { feedWorker } from '../../functions/workers/feed.ts';
import { relayWorker } from '../../functions/workers/relay.ts';
import { sweepWorker } from '../../functions/workers/sweep.ts';
import type { NewEvent } from '../../shared/events/event.ts';
import type { FeedName } from '../../shared/events/feed-rows.ts';
import type { Table, WebhookRequest } from '../../shared/platform/ports.ts';
import type { Caller } from '../../shared/system/caller.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { jobs } from '../../shared/system/jobs.ts';
import { type DeliveryRow, deliveryRows } from '../../shared/webhooks/delivery-rows.ts';
import { registerWebhook } from '../../shared/webhooks/endpoints.ts';
import type { Subscription, WebhookWithSecret } from '../../shared/webhooks/webhook.ts';
import { type TestClock, testClock } from './clock.ts';
import { newEvent, newFeedName, oneTo, type RecordingBus, recordingBus, writeEvents } from './outbox.ts';

export interface QueuedMessage {
  queue: 'feed' | 'deliver';
  body: unknown;
  dueMs: number;
}

export type MessageFault = 'lost' | 'doubled' | 'late';

export interface DeliveryWorld {
  deps: Deps;
  clock: TestClock;
  feed: FeedName;
  caller: Caller;
  bus: RecordingBus;
  /** Messages that no worker has received yet. A test may remove or duplicate some. */
  queued: QueuedMessage[];
  /** The n-th message from now on is lost, delivered twice, or delivered when it is released. */
  injectFault(n: number, fate: MessageFault): void;
  releaseLate(): void;
  /** The requests sent to endpoints. */
  webhookRequests: WebhookRequest[];
  /** Sets the status of each response. Undefined means no response. */
  respondWith(respond: (request: WebhookRequest) => number | undefined): void;
  /** The same world on another table, for fault injection. */
  withTable(table: Table): Deps;
  register(events?: Subscription[], path?: string): Promise<WebhookWithSecret>;
  /**
   * Commits one event at a time and delivers their stream records. Returns the ids of the events.
   */
  publishEvents(count: number, more?: Partial<NewEvent>): Promise<string[]>;
  /** Runs workers until no message is due. */
  run(): Promise<void>;
  /** Advances time one minute at a time, with a sweep each minute. */
  passMinutes(minutes: number): Promise<void>;
  deliveries(webhook: string): Promise<DeliveryRow[]>;
}

const minuteMs = 60_000;

export function openDeliveryWorld(table: Table, clock: TestClock = testClock()): DeliveryWorld {
  const feed = newFeedName();
  const caller: Caller = { kind: 'api_key', ...feed, form: 2 };
  const bus = recordingBus();
  const queued: QueuedMessage[] = [];
  const webhookRequests: WebhookRequest[] = [];
  let respond: (request: WebhookRequest) => number | undefined = () => 204;
  let plannedFault: { left: number; fate: MessageFault } | undefined;
  const late: QueuedMessage[] = [];
  const put = (queue: string, body: unknown, delaySeconds = 0): void => {
    if (queue !== 'feed' && queue !== 'deliver') return;
    const message = {
      queue,
      body: JSON.parse(JSON.stringify(body)),
      dueMs: clock.now() + delaySeconds * 1000,
    } as const;
    const fate = plannedFault && plannedFault.left-- === 0 ? plannedFault.fate : undefined;
    if (fate === 'late') late.push(message);
    if (fate === undefined || fate === 'doubled') queued.push(message);
    if (fate === 'doubled') queued.push(message);
  };
  const withTable = (own: Table): Deps =>
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
      webhookClient: {
        async post(request) {
          webhookRequests.push(request);
          const status = respond(request);
          if (status === undefined)
            return { kind: 'unanswered', reason: 'timeout', message: '', status: undefined, body: '' };
          return { kind: 'answered', status, body: '', retryAfter: undefined };
        },
      },
      rootSecret: 'a root secret of more than 32 characters',
      clock,
      log: () => {},
      deployment: { kind: 'local' },
    });
  const deps = withTable(table);
  const deliver = deliverWorker(deps);

  async function take({ queue, body }: QueuedMessage): Promise<void> {
    if (queue === 'feed') await feedWorker(deps)(jobs.feed.parse(body));
    if (queue === 'deliver') await deliver(jobs.deliver.parse(body));
  }
  async function run(): Promise<void> {
    for (;;) {
      for (const page of bus.pages.splice(0)) put('deliver', page);
      const at = queued.findIndex(({ dueMs }) => dueMs <= clock.now());
      const [next] = at < 0 ? [] : queued.splice(at, 1);
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
    queued,
    webhookRequests,
    withTable,
    run,
    injectFault(n, fate) {
      plannedFault = { left: n, fate };
    },
    releaseLate() {
      queued.push(...late.splice(0).map((message) => ({ ...message, dueMs: clock.now() })));
    },
    respondWith(next) {
      respond = next;
    },
    register: (events = ['*'], path = randomBytes(4).toString('hex')) =>
      registerWebhook(deps, caller, { url: `http://127.0.0.1:9/${path}`, events }),
    async publishEvents(count, more = {}) {
      const events = oneTo(count).map(() => newEvent(feed, { atMs: clock.now(), ...more }));
      const keys = await writeEvents(deps.store, events);
      await relayWorker(deps)(keys.map((key) => ({ ...key, feed: `${feed.account}#${feed.env}` })));
      return events.map(({ id }) => id);
    },
    async passMinutes(minutes) {
      for (let left = minutes; left > 0; left -= 1) {
        clock.advance(minuteMs);
        await run();
        await sweepWorker(deps)();
        await run();
      }
    },
    deliveries: async (webhook) => (await deliveryRows(deps.store).readPage(webhook, 10_000, undefined)).deliveries,
  };
}
