// A system whose deliveries the test controls: timeouts fire when the test says so, and events are
// published directly.

import type { NewEvent } from '../../shared/events/event.ts';
import { EventRow, toEventItem } from '../../shared/events/event-row.ts';
import type { FeedEvent } from '../../shared/events/feed-event.ts';
import { outboxRows } from '../../shared/events/outbox-rows.ts';
import { presentEvent } from '../../shared/events/present-event.ts';
import { createWebhookClient } from '../../shared/platform/egress/webhook-client.ts';
import { makeId } from '../../shared/system/ids.ts';
import type { WebhookWithSecret } from '../../shared/webhooks/webhook.ts';
import { type System, startSystem } from './system.ts';

export interface TestTimers {
  timer(milliseconds: number, ring: () => void): () => void;
  /** The pending timeouts, in milliseconds. */
  readonly pending: number[];
  /** Fires all pending timeouts. */
  fire(): void;
}

export function testTimers(): TestTimers {
  const pending = new Set<{ milliseconds: number; ring: () => void }>();
  return {
    timer(milliseconds, ring) {
      const alarm = { milliseconds, ring };
      pending.add(alarm);
      return () => pending.delete(alarm);
    },
    get pending() {
      return [...pending].map(({ milliseconds }) => milliseconds);
    },
    fire() {
      for (const { ring } of pending) ring();
    },
  };
}

export interface WebhookSystem {
  system: System;
  timers: TestTimers;
  account_id: string;
  token: string;
  sandboxToken: string;
  register(body?: object, token?: string): Promise<WebhookWithSecret>;
  /** Publishes an event and returns it as webhooks receive it. It is not delivered yet. */
  publish(more?: Partial<NewEvent>): Promise<FeedEvent>;
  /** Like `publish`, and waits until all due work is done. */
  publishAndDrain(more?: Partial<NewEvent>): Promise<FeedEvent>;
  /** Publishes several events at once, which form one page. */
  publishTogether(count: number): Promise<FeedEvent[]>;
  /** Advances the clock, sweeps, and waits until all due work is done. */
  passTime(milliseconds: number): Promise<void>;
  /** Waits until all due work is done. Requests that hang in the meantime time out at once. */
  drainWithTimeouts(): Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields it expects and fails if they are missing.
  deliveries(webhookId: string): Promise<any[]>;
  /** The published events of a type. */
  listEvents(type: string): Promise<FeedEvent[]>;
}

export async function startWebhookSystem(): Promise<WebhookSystem> {
  const timers = testTimers();
  const system = await startSystem({ webhookClient: createWebhookClient({ loopback: true, timer: timers.timer }) });
  const { account_id, live_key: token, sandbox_key: sandboxToken } = await system.account();
  const makeEvent = (more: Partial<NewEvent> = {}): NewEvent => {
    const atMs = system.clock.now();
    const id = makeId('event', atMs, crypto.getRandomValues(new Uint8Array(10)));
    return { id, type: 'data.updated', account: account_id, env: 'live', atMs, metrics: ['steps'], ...more };
  };
  async function publishAll(events: readonly NewEvent[]): Promise<FeedEvent[]> {
    const { store } = system.host.deps;
    await store.commit(events.map((event) => outboxRows(store).buildAppend(undefined, event)));
    return events.map((event) => presentEvent(EventRow.parse(toEventItem(event))));
  }
  async function publish(more: Partial<NewEvent> = {}): Promise<FeedEvent> {
    const [event] = await publishAll([makeEvent(more)]);
    if (!event) throw new Error('no event was published');
    return event;
  }

  return {
    system,
    timers,
    account_id,
    token,
    sandboxToken,
    publish,
    publishTogether: (count) => publishAll(Array.from({ length: count }, () => makeEvent())),
    async register(body = {}, key = token) {
      const registration = { url: 'http://127.0.0.1:9/', events: ['*'], ...body };
      const {
        status,
        body: registered,
        text,
      } = await system.call('POST', '/v1/webhooks', { token: key, body: registration });
      if (status !== 201) throw new Error(`expected 201, got ${status}: ${text}`);
      return registered.data;
    },
    async publishAndDrain(more) {
      const event = await publish(more);
      await system.host.drain();
      return event;
    },
    async passTime(milliseconds) {
      system.clock.advance(milliseconds);
      await system.host.runSchedule('sweep');
      await system.host.drain();
    },
    async drainWithTimeouts() {
      let isDone = false;
      const drained = system.host.drain().finally(() => {
        isDone = true;
      });
      while (!isDone) {
        timers.fire();
        await new Promise(setImmediate);
      }
      await drained;
    },
    async deliveries(webhookId) {
      return (await system.call('GET', `/v1/webhooks/${webhookId}/deliveries`, { token })).body.data;
    },
    async listEvents(type) {
      const response = await system.call('GET', `/v1/events?types=${type}`, { token });
      return response.body.events;
    },
  };
}
