// The bodies on the webhooks page have the shape of real deliveries: every event type is made to
// happen, and its delivery compared with the example.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getEventExample } from '../../functions/api/guides/event-examples.ts';
import { EventType } from '../../shared/events/event.ts';
import type { FeedEvent } from '../../shared/events/feed-event.ts';
import { dayMs } from '../../shared/platform/time/local-day.ts';
import { formatTimestamp } from '../../shared/platform/time/time.ts';
import { maxDeliveryAttempts } from '../../shared/webhooks/delivery-backoff.ts';
import { openPhone } from '../harness/phone.ts';
import { type Receiver, respond, startReceiver } from '../harness/receiver.ts';
import { createMember } from '../harness/team-members.ts';
import { startWebhookSystem, type WebhookSystem } from '../harness/webhook-system.ts';

let world: WebhookSystem;
let receiver: Receiver;
let failing: Receiver;

beforeAll(async () => {
  [world, receiver, failing] = await Promise.all([startWebhookSystem(), startReceiver(), startReceiver()]);
  await world.register({ url: receiver.url });
  await useUser();
  await useMember();
  await exhaustDelivery();
  await world.passTime(77 * dayMs);
});
afterAll(async () => {
  await Promise.all([world.system.stop(), receiver.close(), failing.close()]);
});

async function call(method: string, path: string, body?: object) {
  const response = await world.system.call(method, path, { token: world.token, ...(body ? { body } : {}) });
  expect([path, response.status < 300]).toEqual([path, true]);
  await world.system.host.drain();
  return response.body;
}

async function useUser(): Promise<void> {
  const id = await world.system.user(world.token);
  const [date, dayBefore] = [1, 2].map((days) => formatTimestamp(world.system.clock.now() - days * dayMs).slice(0, 10));
  const sleep = [
    { start: `${dayBefore}T22:30:00Z`, end: `${date}T06:30:00Z`, asleep_minutes: 430, in_bed_minutes: 480 },
  ];
  const counted = { apple_health: 7000, samsung_health: 9000 } as const;
  for (const provider of ['apple_health', 'samsung_health'] as const) {
    const phone = await openPhone(world.system, world.token, id, provider);
    const daily = [{ date, metric: 'steps', value: counted[provider], unit: 'count' }];
    const device = { name: provider, model: provider, type: 'wrist' };
    const response = await phone.upload({ time_zone: 'UTC', device, daily, sleep });
    expect([response.status, response.body.rejected]).toEqual([202, []]);
    await world.system.host.drain();
  }
  await world.passTime(60 * 60_000);
  await call('PATCH', `/v1/users/${id}/consolidation`, { metrics: { steps: { method: 'avg' } } });
  const { data } = await call('GET', `/v1/users/${id}/devices`);
  await call('DELETE', `/v1/users/${id}/devices/${data[0].id}`);
  await call('DELETE', `/v1/users/${id}`);
}

async function useMember(): Promise<void> {
  const { member } = await createMember(world.system.host.deps, world.account_id);
  for (const status of ['archived', 'active']) await call('PATCH', `/v1/team/roster/${member}`, { status });
  await call('DELETE', `/v1/team/roster/${member}`);
}

async function exhaustDelivery(): Promise<void> {
  failing.respondWith(respond(500));
  const { id } = await world.register({ url: failing.url, events: ['user.created'] });
  await call('POST', '/v1/users', {});
  for (let waits = 0; waits < 2 * maxDeliveryAttempts; waits += 1) {
    const [{ status, next_attempt_at }] = await world.deliveries(id);
    if (status !== 'pending') return;
    await world.passTime(Date.parse(next_attempt_at) - world.system.clock.now() + 65_000);
  }
}

const listDelivered = (type: EventType): FeedEvent[] =>
  receiver.received.map(({ body }): FeedEvent => JSON.parse(body)).filter((event) => event.event_type === type);

/** What kind of value a field has: an id by its prefix, a list or an object by what is in it. */
function kindOf(value: unknown): string {
  if (Array.isArray(value)) return `list of ${value.length === 0 ? 'nothing' : kindOf(value[0])}`;
  if (typeof value === 'object' && value !== null) return `object of ${kindOf(Object.values(value)[0])}`;
  if (typeof value !== 'string') return value === null ? 'null' : typeof value;
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return 'date';
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)) return 'time';
  return /^([a-z]{3})_[0-9a-z]{26}$/.exec(value)?.[1] ?? 'text';
}

const shapeOf = (event: object): [name: string, kind: string][] =>
  Object.entries(event).map(([name, value]) => [name, kindOf(value)]);

test.each(EventType.options)('the example of %s has the shape of its deliveries', (type) => {
  const { body } = getEventExample(type);
  const delivered = listDelivered(type);
  expect(delivered).not.toEqual([]);
  for (const event of delivered) expect(Object.keys(event)).toEqual(Object.keys(body));
  expect(delivered.map(shapeOf)).toContainEqual(shapeOf(body));
});
