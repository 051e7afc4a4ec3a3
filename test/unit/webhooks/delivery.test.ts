import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { feedPageType } from '../../../shared/events/event.ts';
import { WebhookEvent } from '../../../shared/events/feed-event.ts';
import { feedRows } from '../../../shared/events/feed-rows.ts';
import { deliveryRows } from '../../../shared/webhooks/delivery-rows.ts';
import { neverRespond, type Receiver, type ResponseHandler, respond, startReceiver } from '../../harness/receiver.ts';
import { startWebhookSystem, type WebhookSystem } from '../../harness/webhook-system.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

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
const headersOf = (index: number) => {
  const { headers } = receiver.received[index] ?? { headers: {} };
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
};

describe('a delivery', () => {
  test('is the event of the feed, signed according to Standard Webhooks', async () => {
    const { id, secret } = await world.register({ url: `${receiver.url}?a=1` });
    const event = await world.publishAndDrain();
    expect(receiver.received).toHaveLength(1);
    const [got] = receiver.received;
    const headers = headersOf(0);
    expect(got?.url).toBe('/hook?a=1');
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': event.event_id });
    expect(new Webhook(secret).verify(got?.body ?? '', headers)).toEqual(event);
    expect(await world.deliveries(id)).toMatchObject([
      {
        event_id: event.event_id,
        status: 'delivered',
        request_body: got?.body,
        next_attempt_at: null,
        attempts: [{ response_status: 204 }],
      },
    ]);
    expect((await hook(id)).last_delivery_at).not.toBeNull();
  });

  test('does not verify with a changed byte, an old timestamp or another secret', async () => {
    const { secret } = await world.register({ url: receiver.url });
    const other = await world.register({ url: receiver.url, events: ['user.deleted'] });
    await world.publishAndDrain();
    const body = receiver.received[0]?.body ?? '';
    const headers = headersOf(0);
    const verify = (key: string, text: string, more: object = {}) =>
      new Webhook(key).verify(text, { ...headers, ...more });
    expect(() => verify(secret, body)).not.toThrow();
    expect(() => verify(secret, body.replace('steps', 'stepz'))).toThrow('signature');
    expect(() => verify(secret, body, { 'webhook-id': 'evt_other' })).toThrow('signature');
    const old = String(Number(headers['webhook-timestamp']) - 600);
    expect(() => verify(secret, body, { 'webhook-timestamp': old })).toThrow('too old');
    expect(() => verify(other.secret, body)).toThrow('signature');
  });

  test('carries both signatures for a day after the secret was rotated, and one after that', async () => {
    const first = await world.register({ url: receiver.url });
    const next = (await post(`${first.id}/rotate-secret`)).body.data;
    expect(next.secret).not.toBe(first.secret);
    await world.publishAndDrain();
    expect(headersOf(0)['webhook-signature']?.split(' ')).toHaveLength(2);
    for (const { secret } of [first, next]) new Webhook(secret).verify(receiver.received[0]?.body ?? '', headersOf(0));
    await world.passTime(day - hour);
    await world.publishAndDrain();
    expect(headersOf(1)['webhook-signature']?.split(' ')).toHaveLength(2);
    await world.passTime(hour + second);
    await world.publishAndDrain();
    expect(headersOf(2)['webhook-signature']?.split(' ')).toHaveLength(1);
  });

  test('goes to the endpoints that subscribe, once each, and to no other environment', async () => {
    await world.register({ url: `${receiver.url}/all` });
    await world.register({ url: `${receiver.url}/data`, events: ['data.updated'] });
    await world.register({ url: `${receiver.url}/users`, events: ['user.created', 'user.deleted'] });
    await world.register({ url: `${receiver.url}/sandbox` }, world.sandboxToken);
    await world.publishAndDrain();
    expect(receiver.received.map(({ url }) => url).sort()).toEqual(['/hook/all', '/hook/data']);
    await world.publishAndDrain({ type: 'user.deleted' });
    expect(receiver.received.map(({ url }) => url).sort()).toEqual([
      '/hook/all',
      '/hook/all',
      '/hook/data',
      '/hook/users',
    ]);
  });

  test('follows a change all the way from the table', async () => {
    const { id } = await world.register({ url: receiver.url, events: ['user.created'] });
    const userId = await world.system.user(world.token);
    await world.system.host.drain();
    expect(receiver.received.map(({ body }) => JSON.parse(body))).toMatchObject([
      { event_type: 'user.created', user_id: userId },
    ]);
    const [fed] = (await world.listEvents('user.created')).slice(-1);
    expect(WebhookEvent.parse(JSON.parse(receiver.received[0]?.body ?? ''))).toEqual(fed);
    expect(await world.deliveries(id)).toHaveLength(1);
  });

  test('is created once, however often the bus names its page and the queue delivers its message', async () => {
    const { id } = await world.register({ url: receiver.url });
    const { account_id, system } = world;
    await world.publishAndDrain();
    const { next } = await feedRows(system.host.deps.store).readEnd({ account: account_id, env: 'live' });
    const page = { source: 'daybook', type: feedPageType, detail: { account_id, env: 'live', first: next - 1 } };
    for (let times = 0; times < 5; times++) await system.host.deps.bus.publish([page]);
    await system.host.drain();
    const [row] = await world.deliveries(id);
    const job = { webhook_id: id, delivery_id: row.id };
    await system.host.deps.queue.sendAll('deliver', Array(5).fill(job));
    await system.host.drain();
    expect(receiver.received).toHaveLength(1);
    expect(await world.deliveries(id)).toHaveLength(1);
  });

  test('is attempted by one worker at a time, even if many messages name it in the meantime', async () => {
    const { id } = await world.register({ url: receiver.url });
    await world.publishAndDrain();
    const [row] = await world.deliveries(id);
    let finish = () => {};
    receiver.respondWith((response) => {
      finish = () => response.end();
    });
    expect((await post(`${id}/deliveries/${row.id}/redeliver`)).status).toBe(202);
    await receiver.waitForRequests(2);
    for (let sent = 0; sent < 5; sent++)
      await world.system.host.deps.queue.send('deliver', { webhook_id: id, delivery_id: row.id });
    await world.system.host.runSchedule('sweep');
    finish();
    await world.system.host.drain();
    expect(receiver.received).toHaveLength(2);
  });

  test('whose message was lost is found by the sweep', async () => {
    // Rechecks that earlier tests left behind are done by then.
    await world.passTime(minute);
    const { id } = await world.register({ url: receiver.url });
    await world.publishAndDrain();
    const [row] = await world.deliveries(id);
    const { store, clock } = world.system.host.deps;
    const stored = await deliveryRows(store).findById(id, row.id);
    if (!stored) throw new Error('the delivery is missing');
    await deliveryRows(store).restart(stored, clock.now(), clock.now() + minute);
    await world.passTime(0);
    expect(receiver.received).toHaveLength(1);
    await world.passTime(minute);
    expect(receiver.received).toHaveLength(2);
  });
});

describe('the response of an endpoint', () => {
  const closesMidBody: ResponseHandler = (response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('half an ans', () => response.destroy());
  };
  test.each<[what: string, reaction: ResponseHandler, status: string, attempt: object]>([
    ['200 with a body', respond(200, {}, 'thanks'), 'delivered', { response_status: 200, response_body: 'thanks' }],
    ['299', respond(299), 'delivered', { response_status: 299, response_body: '' }],
    ['500', respond(500, {}, 'oh no'), 'pending', { response_status: 500, response_body: 'oh no', error: null }],
    ['404', respond(404), 'pending', { response_status: 404 }],
    ['301 elsewhere', respond(301, { location: 'https://example.com/' }), 'pending', { response_status: 301 }],
    ['307 to itself', respond(307, { location: '/hook' }), 'pending', { response_status: 307 }],
    [
      'a closed connection',
      (response) => response.destroy(),
      'pending',
      { response_status: null, error: 'connection' },
    ],
    ['half an answer', closesMidBody, 'pending', { response_status: 200, error: 'connection' }],
    ['a long body', respond(500, {}, 'é'.repeat(5000)), 'pending', { response_body: 'é'.repeat(512) }],
    ['a huge body', respond(200, {}, 'x'.repeat(1_000_000)), 'delivered', { response_body: 'x'.repeat(1024) }],
    [
      'bytes that are not text',
      (r) => r.end(Buffer.from([0, 255, 65])),
      'delivered',
      { response_body: '\uFFFD\uFFFDA' },
    ],
  ])('is recorded: %s', async (_what, reaction, status, attempt) => {
    receiver.respondWith(reaction);
    const { id } = await world.register({ url: receiver.url });
    await world.publishAndDrain();
    expect(receiver.received).toHaveLength(1);
    expect(await world.deliveries(id)).toMatchObject([{ status, attempts: [attempt] }]);
    await patch(id, { status: 'paused' });
  });

  test('that hangs is aborted after 15 seconds, and the attempt is spent', async () => {
    receiver.respondWith(neverRespond);
    const { id } = await world.register({ url: receiver.url });
    await world.publish();
    await receiver.waitForRequests(1);
    expect(world.timers.pending).toEqual([15_000]);
    world.timers.fire();
    await world.system.host.drain();
    expect(await world.deliveries(id)).toMatchObject([
      { status: 'pending', attempts: [{ response_status: null, response_body: null, error: 'timeout' }] },
    ]);
    expect(world.timers.pending).toEqual([]);
  });

  test('that drips forever is aborted as well', async () => {
    const begun = Promise.withResolvers<void>();
    receiver.respondWith((response) => {
      response.writeHead(200);
      response.write('drip', () => begun.resolve());
    });
    const { id } = await world.register({ url: receiver.url });
    await world.publish();
    await begun.promise;
    await new Promise((resolve) => setImmediate(resolve));
    world.timers.fire();
    await world.system.host.drain();
    expect((await world.deliveries(id))[0]).toMatchObject({ status: 'pending', attempts: [{ error: 'timeout' }] });
  });

  test('with status 410 disables the endpoint with an event, and nothing more is sent', async () => {
    receiver.respondWith(respond(410));
    const { id } = await world.register({ url: receiver.url });
    const watcher = await startReceiver();
    await world.register({ url: watcher.url, events: ['webhook.disabled'] });
    await world.publishAndDrain();
    expect(await hook(id)).toMatchObject({ status: 'disabled', disabled_reason: 'gone' });
    expect(await world.deliveries(id)).toMatchObject([{ status: 'failed', next_attempt_at: null }]);
    await world.publishAndDrain();
    await world.passTime(day);
    expect(receiver.received).toHaveLength(1);
    expect(watcher.received.map(({ body }) => JSON.parse(body))).toMatchObject([
      { event_type: 'webhook.disabled', webhook_id: id },
    ]);
    expect(await world.deliveries(id)).toHaveLength(1);
    receiver.respondWith(respond(204));
    await patch(id, { status: 'active' });
    expect(await hook(id)).toMatchObject({ status: 'active', disabled_reason: null });
    await watcher.close();
  });
});

describe('Retry-After', () => {
  const nextAfter = async (header: string): Promise<number> => {
    receiver.respondWith(respond(503, { 'retry-after': header }));
    const { id } = await world.register({ url: receiver.url });
    await world.publishAndDrain();
    const [{ attempts, next_attempt_at }] = await world.deliveries(id);
    return Date.parse(next_attempt_at) - Date.parse(attempts[0].at);
  };
  const between = (value: number, min: number, slack: number) => {
    expect(value).toBeGreaterThanOrEqual(min);
    expect(value).toBeLessThanOrEqual(min * 1.1 + slack);
  };

  test('in seconds postpones the next attempt', async () => between(await nextAfter('3600'), hour, 5 * second));
  test('as a date postpones the next attempt', async () => {
    const at = new Date(world.system.clock.now() + 2 * hour).toUTCString();
    const waited = await nextAfter(at);
    expect(waited).toBeGreaterThanOrEqual(2 * hour - 5 * second);
    expect(waited).toBeLessThanOrEqual(2.2 * hour + 5 * second);
  });
  test('never brings the next attempt forward', async () => between(await nextAfter('1'), 5 * second, 5 * second));
  test('is honored for a day at most', async () => between(await nextAfter('9999999'), day, 5 * second));
  test.each(['soon', '-5', '12 monkeys', ''])('that is unreadable (%j) changes nothing', async (header) =>
    between(await nextAfter(header), 5 * second, 5 * second),
  );
});

test('an endpoint is failing since the first attempt that failed, until one succeeds', async () => {
  const { id } = await world.register({ url: receiver.url });
  expect((await hook(id)).failing_since).toBeNull();
  receiver.respondWith(respond(503));
  await world.publishAndDrain();
  const { failing_since } = await hook(id);
  const attemptMs = Date.parse((await world.deliveries(id))[0].attempts[0].at);
  expect(Date.parse(failing_since) - attemptMs).toBeLessThan(second);
  expect(Date.parse(failing_since)).toBeGreaterThanOrEqual(attemptMs);
  await world.passTime(10 * second);
  expect(await hook(id)).toMatchObject({ failing_since, last_delivery_at: null });
  receiver.respondWith(respond(204));
  await world.passTime(hour);
  expect(await hook(id)).toMatchObject({ failing_since: null, last_delivery_at: expect.any(String) });
});
