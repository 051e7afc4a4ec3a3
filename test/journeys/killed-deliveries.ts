// Kills a host at given moments while users are created and delivered to a webhook, and checks the
// final state.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished } from 'vitest';
import type { FeedEvent } from '../../shared/events/feed-event.ts';
import { deliveryRows } from '../../shared/webhooks/delivery-rows.ts';
import type { WebhookWithSecret } from '../../shared/webhooks/webhook.ts';
import { type ChildHost, startChildHost } from '../harness/child-host.ts';
import { createUsers } from '../harness/faults.ts';
import { oneTo } from '../harness/outbox.ts';
import { type ReceivedRequest, type Receiver, respond, startReceiver } from '../harness/receiver.ts';
import { type System, startSystem } from '../harness/system.ts';

const writers = 4;
/** Longer than a lost message or an outbox row waits for the sweep. */
const beyondSweepMs = 120_000;

async function registerWebhook(host: ChildHost, url: string): Promise<WebhookWithSecret> {
  const response = await fetch(`${host.baseUrl}/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${host.demo.live_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url, events: ['*'] }),
  });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`expected 201, got ${response.status}: ${text}`);
  return JSON.parse(text).data;
}

/** A moment right after an acknowledgment or during a delivery, plus some milliseconds. */
export interface KillMoment {
  stage: 'written' | 'delivered';
  after: number;
  delayMs: number;
}

/** Picks a moment from the seeded generator. */
export function randomKillMoment(random: () => number): KillMoment {
  return {
    stage: random() < 0.5 ? 'written' : 'delivered',
    after: 1 + Math.floor(random() * 40),
    delayMs: random() * 60,
  };
}

async function writeUntilKilled(
  host: ChildHost,
  moment: KillMoment,
  receiver: Receiver,
  acknowledged: Set<string>,
): Promise<void> {
  const reached = Promise.withResolvers<void>();
  const enough = acknowledged.size + moment.after;
  const writing = oneTo(writers).map(() =>
    createUsers(host, (user) => {
      acknowledged.add(user);
      if (moment.stage === 'written' && acknowledged.size === enough) reached.resolve();
    }),
  );
  if (moment.stage === 'delivered')
    receiver.waitForRequests(receiver.received.length + moment.after).then(reached.resolve);
  await Promise.race([reached.promise, Promise.all(writing)]);
  await new Promise((resolve) => setTimeout(resolve, moment.delayMs));
  await host.kill();
  await Promise.all(writing);
}

async function listUsers(system: System, token: string): Promise<string[]> {
  const users: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const path: string = `/v1/users?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const { body } = await system.call('GET', path, { token });
    users.push(...body.data.map(({ id }: { id: string }) => id));
    cursor = body.next_cursor;
  }
  return users;
}

async function readFeed(system: System, token: string): Promise<FeedEvent[]> {
  const events: FeedEvent[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await system.call('GET', `/v1/events${cursor === '' ? '' : `?cursor=${cursor}`}`, { token });
    events.push(...body.events);
    if (!body.has_more) return events;
    cursor = body.cursor;
  }
}

/** Verifies the signature and returns the content of the request. */
function verifyRequest({ headers, body }: ReceivedRequest, secret: string): { id: string; event: unknown } {
  const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  return { id: sent['webhook-id'] ?? '', event: new Webhook(secret).verify(body, sent) };
}

/** Kills the host once at each of the moments. */
export async function deliverThroughKills(moments: readonly KillMoment[], random: () => number): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'daybook-'));
  const receiver = await startReceiver();
  // Some responses are delayed, so that a kill also interrupts deliveries in progress.
  receiver.respondWith((response, received) => {
    setTimeout(() => respond(204)(response, received), random() < 0.5 ? 0 : random() * 40);
  });
  let host: ChildHost | undefined;
  let last: System | undefined;
  onTestFinished(async () => {
    await host?.kill();
    await last?.stop();
    await receiver.close();
    rmSync(data, { recursive: true, force: true });
  });

  const acknowledged = new Set<string>();
  let webhook: WebhookWithSecret | undefined;
  let token = '';
  for (const moment of moments) {
    const running = await startChildHost(data);
    host = running;
    token = running.demo.live_key;
    webhook ??= await registerWebhook(running, receiver.url);
    await writeUntilKilled(running, moment, receiver, acknowledged);
  }
  if (!webhook) throw new Error('no webhook was registered');
  const { id, secret } = webhook;

  const system = await startSystem({ dataDir: data, env: { PATH: process.env['PATH'] } });
  last = system;
  await system.host.drain();
  system.clock.advance(beyondSweepMs);
  await system.host.runSchedule('sweep');
  await system.host.drain();

  const users = await listUsers(system, token);
  expect(users).toEqual(expect.arrayContaining([...acknowledged]));
  const feed = await readFeed(system, token);
  expect(feed.map(({ user_id }) => user_id).toSorted()).toEqual(users.toSorted());
  const byId = new Map<string, unknown>(feed.map((event) => [event.event_id, event]));
  const deliveries = receiver.received.map((received) => verifyRequest(received, secret));
  for (const delivery of deliveries) expect(delivery.event).toEqual(byId.get(delivery.id));
  expect([...new Set(deliveries.map((delivery) => delivery.id))].toSorted()).toEqual([...byId.keys()].toSorted());

  const { deliveries: rows } = await deliveryRows(system.host.deps.store).readPage(id, 10_000, undefined);
  expect(rows.map(({ eventId, status }) => `${eventId} ${status}`).toSorted()).toEqual(
    [...byId.keys()].map((eventId) => `${eventId} delivered`).toSorted(),
  );
}
