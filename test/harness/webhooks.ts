// A system whose deliveries a test drives: time limits ring when the test says so, and events are announced directly.

import type { NewEvent } from '../../shared/events/event.ts';
import { EventRow, eventItem } from '../../shared/events/event-row.ts';
import type { FeedEvent } from '../../shared/events/feed-event.ts';
import { outboxRows } from '../../shared/events/outbox-rows.ts';
import { presentEvent } from '../../shared/events/present-event.ts';
import { openCourier } from '../../shared/platform/egress/courier.ts';
import { makeId } from '../../shared/system/ids.ts';
import type { WebhookWithSecret } from '../../shared/webhooks/webhook.ts';
import { type System, startSystem } from './system.ts';

export interface Alarms {
  timer(milliseconds: number, ring: () => void): () => void;
  /** The limits that were set, in milliseconds. */
  readonly pending: number[];
  /** Every limit that is pending is over now. */
  ring(): void;
}

export function testAlarms(): Alarms {
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
    ring() {
      for (const { ring } of pending) ring();
    },
  };
}

export interface WebhookSystem {
  system: System;
  alarms: Alarms;
  account_id: string;
  token: string;
  sandboxToken: string;
  register(body?: object, token?: string): Promise<WebhookWithSecret>;
  /** Announces an event and returns it as it is told; it is not delivered yet. */
  tell(more?: Partial<NewEvent>): Promise<FeedEvent>;
  /** The same, and waits until everything that is due is done. */
  told(more?: Partial<NewEvent>): Promise<FeedEvent>;
  /** Announces several at once, which make one page. */
  tellTogether(count: number): Promise<FeedEvent[]>;
  /** Puts the clock forward, sweeps, and waits until everything that is due is done. */
  pass(milliseconds: number): Promise<void>;
  /** Waits until everything that is due is done; whoever hangs meanwhile is out of time at once. */
  drainRinging(): Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects, and fails where it is not there.
  deliveries(webhookId: string): Promise<any[]>;
  /** The events of a type that were written. */
  written(type: string): Promise<FeedEvent[]>;
}

export async function startWebhookSystem(): Promise<WebhookSystem> {
  const alarms = testAlarms();
  const system = await startSystem({ courier: openCourier({ loopback: true, timer: alarms.timer }) });
  const { account_id, live_key: token, sandbox_key: sandboxToken } = await system.account();
  const announced = (more: Partial<NewEvent> = {}): NewEvent => {
    const atMs = system.clock.now();
    const id = makeId('event', atMs, crypto.getRandomValues(new Uint8Array(10)));
    return { id, type: 'data.updated', account: account_id, env: 'live', atMs, metrics: ['steps'], ...more };
  };
  async function announce(events: readonly NewEvent[]): Promise<FeedEvent[]> {
    const { store } = system.host.deps;
    await store.commit(events.map((event) => outboxRows(store).appending(undefined, event)));
    return events.map((event) => presentEvent(EventRow.parse(eventItem(event))));
  }
  async function tell(more: Partial<NewEvent> = {}): Promise<FeedEvent> {
    const [event] = await announce([announced(more)]);
    if (!event) throw new Error('nothing was announced');
    return event;
  }

  return {
    system,
    alarms,
    account_id,
    token,
    sandboxToken,
    tell,
    tellTogether: (count) => announce(Array.from({ length: count }, () => announced())),
    async register(body = {}, key = token) {
      const asked = { url: 'http://127.0.0.1:9/', events: ['*'], ...body };
      const { status, body: got, text } = await system.call('POST', '/v1/webhooks', { token: key, body: asked });
      if (status !== 201) throw new Error(`expected 201, got ${status}: ${text}`);
      return got.data;
    },
    async told(more) {
      const event = await tell(more);
      await system.host.drain();
      return event;
    },
    async pass(milliseconds) {
      system.clock.advance(milliseconds);
      await system.host.runSchedule('sweep');
      await system.host.drain();
    },
    async drainRinging() {
      let isDone = false;
      const drained = system.host.drain().finally(() => {
        isDone = true;
      });
      while (!isDone) {
        alarms.ring();
        await new Promise(setImmediate);
      }
      await drained;
    },
    async deliveries(webhookId) {
      return (await system.call('GET', `/v1/webhooks/${webhookId}/deliveries`, { token })).body.data;
    },
    async written(type) {
      const told = await system.call('GET', `/v1/events?types=${type}`, { token });
      return told.body.events;
    },
  };
}
