import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deliveryRows } from '../../../../shared/store/deliveries.ts';
import { answer, hang, type Receiver, startReceiver } from '../../../harness/receiver.ts';
import { startWebhookSystem, type WebhookSystem } from '../../../harness/webhooks.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** As decided, in words of its own: the waits between the thirteen attempts. */
const decided = [5, 60, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, 86_400, 86_400];

let world: WebhookSystem;
let receiver: Receiver;

beforeAll(async () => {
  world = await startWebhookSystem();
});
afterAll(() => world.system.stop());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  const { body } = await world.system.call('GET', '/v1/webhooks', { token: world.token });
  for (const { id } of body.data) await world.system.call('DELETE', `/v1/webhooks/${id}`, { token: world.token });
  await receiver.close();
});

const hook = async (id: string) =>
  (await world.system.call('GET', `/v1/webhooks/${id}`, { token: world.token })).body.data;
const patch = (id: string, body: object) =>
  world.system.call('PATCH', `/v1/webhooks/${id}`, { token: world.token, body });
const post = (path: string, body?: object) =>
  world.system.call('POST', `/v1/webhooks/${path}`, { token: world.token, ...(body ? { body } : {}) });
const seen = () => receiver.received.length;

/** Waits for the next attempt: a moment before it is due nothing happens, then it does. */
async function nextAttempt(webhookId: string): Promise<void> {
  const [delivery] = await world.deliveries(webhookId);
  const wait = Date.parse(delivery.next_attempt_at) - world.system.clock.now();
  const before = seen();
  await world.pass(wait - 4 * second);
  expect(seen()).toBe(before);
  await world.pass(minute + 5 * second);
  expect(seen()).toBe(before + 1);
}

describe('an endpoint that always fails', () => {
  test('is tried thirteen times as decided, then the delivery is exhausted and the endpoint disabled, with events', async () => {
    receiver.react(answer(500));
    const { id } = await world.register({ url: receiver.url, events: ['data.updated', 'webhook.exhausted'] });
    const event = await world.told();
    for (const wait of decided) {
      const [{ attempts, next_attempt_at }] = await world.deliveries(id);
      const waits = Date.parse(next_attempt_at) - Date.parse(attempts.at(-1).at);
      expect(waits).toBeGreaterThanOrEqual(wait * second);
      expect(waits).toBeLessThanOrEqual(wait * second * 1.1 + 5 * second);
      await nextAttempt(id);
    }
    expect(seen()).toBe(13);
    const [delivery] = await world.deliveries(id);
    expect(delivery).toMatchObject({ status: 'exhausted', next_attempt_at: null });
    expect(delivery.attempts).toHaveLength(13);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([event.event_id]));
    expect(await world.written('webhook.exhausted')).toMatchObject([{ webhook_id: id, delivery_id: delivery.id }]);
    expect(await world.written('webhook.disabled')).toMatchObject([{ webhook_id: id }]);
    expect(await hook(id)).toMatchObject({ status: 'disabled', disabled_reason: 'failing' });
    await world.pass(10 * day);
    expect(seen()).toBe(13);
  });

  test('stays active while others of its deliveries arrive, and is not told of its own exhaustion', async () => {
    const { id } = await world.register({ url: receiver.url });
    const bad = await world.tell();
    receiver.react((response, { headers }) => {
      response.writeHead(headers['webhook-id'] === bad.event_id ? 500 : 204).end();
    });
    await world.system.host.drain();
    for (let tried = 1; tried < 13; tried++) {
      await world.pass(12 * hour);
      await world.told();
      await world.pass(15 * hour);
    }
    const all = await world.deliveries(id);
    expect(all.find(({ event_id }) => event_id === bad.event_id).status).toBe('exhausted');
    expect(all.filter(({ status }) => status === 'delivered')).toHaveLength(12);
    expect((await hook(id)).status).toBe('active');
    expect(all.filter(({ event_type }) => event_type === 'webhook.exhausted')).toEqual([]);
    expect(await world.written('webhook.exhausted')).toMatchObject([{}, { webhook_id: id }]);
  });

  test('two that fail do not send each other’s failures for ever', async () => {
    receiver.react(answer(500));
    const one = await world.register({ url: receiver.url });
    const two = await world.register({ url: receiver.url });
    const before = (await world.written('webhook.exhausted')).length;
    await world.told({ event_type: 'webhook.exhausted', webhook_id: one.id });
    expect(await world.deliveries(one.id)).toEqual([]);
    for (const wait of decided) await world.pass(wait * second * 1.1 + second);
    expect((await world.deliveries(two.id)).map(({ status }) => status)).toContain('exhausted');
    expect(await world.written('webhook.exhausted')).toHaveLength(before);
  });
});

describe('sending again', () => {
  async function exhausted(webhookId: string): Promise<string> {
    const event = await world.tell();
    receiver.react((response, { headers }) => {
      response.writeHead(headers['webhook-id'] === event.event_id ? 500 : 204).end();
    });
    await world.system.host.drain();
    for (const wait of decided) {
      await world.pass(wait * second * 1.1 + second);
      await world.told();
    }
    const found = (await world.deliveries(webhookId)).find(({ event_id }) => event_id === event.event_id);
    expect(found.status).toBe('exhausted');
    return found.id;
  }

  test('an exhausted delivery has all its attempts before it again, with the same id and body', async () => {
    const { id } = await world.register({ url: receiver.url, events: ['data.updated'] });
    const deliveryId = await exhausted(id);
    const before = receiver.received[0];
    const told = await post(`${id}/deliveries/${deliveryId}/redeliver`);
    expect([told.status, told.body.data.status]).toEqual([202, 'pending']);
    await world.system.host.drain();
    expect(receiver.received.at(-1)?.headers['webhook-id']).toBe(before?.headers['webhook-id']);
    expect(receiver.received.at(-1)?.body).toBe(before?.body);
    receiver.react(answer(200));
    await world.pass(minute + 6 * second);
    const again = (await world.deliveries(id)).find((each) => each.id === deliveryId);
    expect(again).toMatchObject({ status: 'delivered' });
    expect(again.attempts).toHaveLength(15);
  });

  test('a delivered one can be sent again, an unknown one cannot', async () => {
    const { id } = await world.register({ url: receiver.url });
    await world.told();
    const [delivery] = await world.deliveries(id);
    await post(`${id}/deliveries/${delivery.id}/redeliver`);
    await world.system.host.drain();
    expect(seen()).toBe(2);
    for (const missing of ['dlv_01k9p3w8x9n4q6s8v0x2z4b6d8', 'hello'])
      expect((await post(`${id}/deliveries/${missing}/redeliver`)).status).toBe(404);
    const other = await world.register({ url: receiver.url });
    expect((await post(`${other.id}/deliveries/${delivery.id}/redeliver`)).status).toBe(404);
  });

  test('recover sends everything that did not arrive since a time, also what was missed while paused', async () => {
    const { id } = await world.register({ url: receiver.url, events: ['data.updated'] });
    await patch(id, { status: 'paused' });
    const early = await world.told();
    await world.pass(hour);
    const since = new Date(world.system.clock.now()).toISOString();
    await world.pass(second);
    const missed = await world.told();
    expect((await post(`${id}/recover`, { since })).body).toMatchObject({ error: 'webhook_inactive' });
    await patch(id, { status: 'active' });
    const arrived = await world.told();
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([arrived.event_id]);
    const told = await post(`${id}/recover`, { since });
    expect([told.status, told.body.data]).toEqual([202, { recovered: 1, more: false }]);
    await world.system.host.drain();
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([arrived.event_id, missed.event_id]);
    expect((await world.deliveries(id)).map(({ event_id, status }) => [event_id, status])).toEqual([
      [arrived.event_id, 'delivered'],
      [missed.event_id, 'delivered'],
      [early.event_id, 'missed'],
    ]);
    expect((await post(`${id}/recover`, { since: '1900-01-01T00:00:00+02:00' })).body.data.recovered).toBe(1);
    expect((await post(`${id}/recover`, { since: 'yesterday' })).status).toBe(400);
  });

  test('recover takes a thousand at a time and says when there is more', async () => {
    const { id } = await world.register({ url: receiver.url, events: ['data.updated'] });
    await patch(id, { status: 'paused' });
    for (let sent = 0; sent < 21; sent++) await Promise.all(Array.from({ length: 50 }, () => world.tell()));
    await world.system.host.drain();
    await patch(id, { status: 'active' });
    const since = '2026-01-01T00:00:00Z';
    expect((await post(`${id}/recover`, { since })).body.data).toEqual({ recovered: 1000, more: true });
    expect((await post(`${id}/recover`, { since })).body.data).toEqual({ recovered: 50, more: false });
    await world.system.host.drain();
    // On a busy machine the endpoint may look stuck to so many at once: those that were turned away stay due, and come with the sweep.
    let kept = 0;
    for await (const { status } of deliveryRows(world.system.host.deps.store).from(id, ''))
      if (status === 'delivered' || status === 'pending') kept++;
    expect(kept).toBe(1050);
    expect(receiver.received.length).toBeGreaterThan(900);
    await world.pass(2 * minute);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1050);
    // A thousand events from the outbox to their receiver are real work.
  }, 90_000);
});

describe('pending deliveries', () => {
  test('are cancelled with their webhook: nothing is sent afterwards', async () => {
    receiver.react(answer(500));
    const { id } = await world.register({ url: receiver.url });
    await world.told();
    await world.told();
    expect(seen()).toBe(2);
    expect((await world.system.call('DELETE', `/v1/webhooks/${id}`, { token: world.token })).status).toBe(204);
    for (const wait of decided) await world.pass(wait * second * 1.2 + minute);
    expect(seen()).toBe(2);
    const left = await world.system.host.table.query({ where: '#pk = :pk', values: { pk: `H#${id}` } });
    expect(left.items).toEqual([]);
  });

  test('of a paused webhook are not sent', async () => {
    receiver.react(answer(500));
    const { id } = await world.register({ url: receiver.url });
    await world.told();
    await patch(id, { status: 'paused' });
    await world.pass(10 * minute);
    expect(seen()).toBe(1);
    expect((await world.deliveries(id))[0].status).toBe('failed');
  });

  test('are sent to the new url after a change', async () => {
    receiver.react(answer(500));
    const { id } = await world.register({ url: receiver.url });
    await world.told();
    const moved = await startReceiver();
    await patch(id, { url: moved.url });
    await world.pass(10 * second);
    expect(moved.received).toHaveLength(1);
    await moved.close();
  });

  test('are listed newest first, page by page, and none is skipped or repeated', async () => {
    const { id } = await world.register({ url: receiver.url });
    const sent: string[] = [];
    for (let count = 0; count < 7; count++) {
      sent.unshift((await world.told()).event_id);
      world.system.clock.advance(5);
    }
    const listed: string[] = [];
    let cursor = '';
    for (let pages = 0; pages < 4; pages++) {
      const path = `/v1/webhooks/${id}/deliveries?limit=2${cursor}`;
      const { body } = await world.system.call('GET', path, { token: world.token });
      listed.push(...body.data.map(({ event_id }: { event_id: string }) => event_id));
      if (pages === 1) await world.told();
      cursor = `&cursor=${body.next_cursor}`;
      if (body.next_cursor === null) break;
    }
    expect(listed).toEqual(sent);
  });
});

describe('a dead endpoint', () => {
  test('that hangs delays no other: 500 deliveries to a healthy one finish meanwhile', async () => {
    const healthy = await startReceiver();
    receiver.react(hang);
    const dead = await world.register({ url: receiver.url, events: ['data.updated'] });
    await world.register({ url: healthy.url, events: ['data.updated'] });
    // On a busy machine a healthy one may look stuck, to more than may line up or after a slow answer: what is turned away waits for a sweep.
    const letGo = world.system.clock.hold();
    for (const told of [250, 500]) {
      await Promise.all(Array.from({ length: 250 }, () => world.tell()));
      await healthy.arrived(told);
    }
    letGo();
    expect(new Set(healthy.received.map(({ headers }) => headers['webhook-id'])).size).toBe(500);
    expect(seen()).toBeLessThanOrEqual(16);
    await world.drainRinging();
    expect((await world.deliveries(dead.id)).every(({ status }) => status === 'pending')).toBe(true);
    await healthy.close();
  });

  test('is left alone after five failures in a row, but for one probe at a time, and no attempt is lost on it', async () => {
    receiver.react(answer(500));
    const { id } = await world.register({ url: receiver.url });
    for (let sent = 0; sent < 5; sent++) await world.told();
    expect(seen()).toBe(5);
    await Promise.all(Array.from({ length: 20 }, () => world.tell()));
    await world.system.host.drain();
    expect(seen()).toBe(5);
    expect((await world.deliveries(id)).filter(({ attempts }) => attempts.length === 0)).toHaveLength(20);
    await world.pass(2 * minute);
    expect(seen()).toBe(6);
    receiver.react(answer(204));
    for (let waits = 0; waits < 4; waits++) await world.pass(5 * minute);
    expect((await world.deliveries(id)).map(({ status }) => status)).toEqual(Array(25).fill('delivered'));
    const attempts = (await world.deliveries(id)).reduce((sum, each) => sum + each.attempts.length, 0);
    expect(attempts).toBe(seen());
  });
});
