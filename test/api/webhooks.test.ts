import { beforeAll, describe, expect, test } from 'vitest';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { EventType } from '../../shared/events/event.ts';
import { WebhookEvent } from '../../shared/events/feed-event.ts';
import { startReceiver } from '../harness/receiver.ts';
import { sharedSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';

let system: System;
let account: NewAccount;
const call = (method: string, path: string, body?: unknown, token = account.live_key) =>
  system.call(method, path, { token, ...(body === undefined ? {} : { body }) });
const url = 'https://example.com/hook';
const register = async (body: object = {}): Promise<string> =>
  (await call('POST', '/v1/webhooks', { url, events: ['data.updated'], ...body })).body.data.id;

beforeAll(async () => {
  system = await sharedSystem();
});
const useNewAccount = async () => {
  account = await system.account();
};

describe('registering a webhook', () => {
  beforeAll(useNewAccount);

  test('returns the webhook and, this once, its secret', async () => {
    const result = await call('POST', '/v1/webhooks', { url, events: ['data.updated', '*', 'data.updated'] });
    const { id, secret, created_at, ...rest } = result.body.data;
    expect(result.status).toBe(201);
    expect(id).toMatch(/^whk_[0-9a-z]{26}$/);
    expect(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')).toHaveLength(32);
    expect(rest).toEqual({
      url,
      events: ['data.updated', '*'],
      status: 'active',
      disabled_reason: null,
      description: null,
    });
    const listed = await call('GET', '/v1/webhooks');
    expect(listed.body.data).toEqual([
      { id, created_at, ...rest, last_delivery_at: null, failing_since: null, behind_since: null },
    ]);
    expect((await call('GET', `/v1/webhooks/${id}`)).body.data).toEqual(listed.body.data[0]);
    expect(listed.text).not.toContain('whsec_');
  });

  test('stores no secret in plain text', async () => {
    const { secret } = (await call('POST', '/v1/webhooks', { url, events: ['*'] })).body.data;
    const page = await system.host.table.query({
      where: '#pk = :pk',
      values: { pk: `E#${account.account_id}#live#HOOKS` },
    });
    expect(page.items.length).toBeGreaterThan(1);
    expect(JSON.stringify(page.items)).not.toContain(secret.slice('whsec_'.length, -4));
  });

  test.each([
    [{ url, events: [] }, 'events'],
    [{ url, events: ['data.deleted'] }, 'events.0'],
    [{ url }, 'events'],
    [{ events: ['*'] }, 'url'],
    [{ url: 'not a url', events: ['*'] }, 'url'],
    [{ url: 'http://example.com/', events: ['*'] }, 'url'],
    [{ url: 'ftp://example.com/', events: ['*'] }, 'url'],
    [{ url: 'https://user:word@example.com/', events: ['*'] }, 'url'],
    [{ url: 'https://10.1.2.3/', events: ['*'] }, 'url'],
    [{ url: 'https://[fd00:ec2::254]/', events: ['*'] }, 'url'],
    [{ url: 'https://0xa9fea9fe/', events: ['*'] }, 'url'],
    [{ url: 'https://printer.local/', events: ['*'] }, 'url'],
    [{ url: 'https://example.com./', events: ['*'] }, 'url'],
    [{ url: 'https://example.com:22/', events: ['*'] }, 'url'],
    [{ url: 'https://example.com/#part', events: ['*'] }, 'url'],
    [{ url: `https://example.com/${'x'.repeat(2048)}`, events: ['*'] }, 'url'],
    [{ url, events: ['*'], description: 'x'.repeat(501) }, 'description'],
    [{ url, events: ['*'], secret: 'whsec_mine' }, 'secret'],
  ])('with %j is rejected, naming the field', async (body, path) => {
    const result = await call('POST', '/v1/webhooks', body);
    expect([result.status, result.body.error, result.body.details.issues[0].path]).toEqual([400, 'invalid_body', path]);
  });

  test('and changing one reject an unknown event type with a list of all types', async () => {
    const created = await call('POST', '/v1/webhooks', { url, events: ['*'] });
    for (const result of [
      await call('POST', '/v1/webhooks', { url, events: ['data.updated', 'score.update'] }),
      await call('PATCH', `/v1/webhooks/${created.body.data.id}`, { events: ['*', 'score.update'] }),
    ]) {
      const message = `"score.update" is not an event type; use ${EventType.options.join(', ')}, or * for all of them`;
      expect([result.status, result.body.error]).toEqual([400, 'invalid_body']);
      expect(result.body.details.issues).toEqual([{ path: 'events.1', message }]);
      expect(result.body.message).toContain(message);
    }
    await call('DELETE', `/v1/webhooks/${created.body.data.id}`);
  });

  test('accepts plain http for localhost only, and the error says so', async () => {
    const result = await call('POST', '/v1/webhooks', { url: 'http://example.com/', events: ['*'] });
    expect(result.body.message).toMatch(/only for localhost.*your own machine/);
    for (const here of ['http://localhost:9/', 'http://127.0.0.1:9/', 'http://[::1]:9/'])
      expect((await call('POST', '/v1/webhooks', { url: here, events: ['*'] })).status).toBe(201);
  });

  test('forty times concurrently creates exactly 16, and deleting one makes room for another', async () => {
    await useNewAccount();
    const result = await Promise.all(
      Array.from({ length: 40 }, () => call('POST', '/v1/webhooks', { url, events: ['*'] })),
    );
    const created = result.filter(({ status }) => status === 201);
    const refused = result.filter(({ status }) => status !== 201);
    expect(created).toHaveLength(16);
    expect(refused.map(({ status, body }) => [status, body.error, body.details])).toEqual(
      Array(24).fill([409, 'limit_reached', { limit: 16 }]),
    );
    expect((await call('DELETE', `/v1/webhooks/${created[0]?.body.data.id}`)).status).toBe(204);
    expect((await call('POST', '/v1/webhooks', { url, events: ['*'] })).status).toBe(201);
    expect((await call('POST', '/v1/webhooks', { url, events: ['*'] })).status).toBe(409);
    expect((await call('POST', '/v1/webhooks', { url, events: ['*'] }, account.sandbox_key)).status).toBe(201);
  });

  test('deleting one webhook many times concurrently frees one place', async () => {
    await useNewAccount();
    for (let count = 0; count < 16; count++) await register();
    const id = (await call('GET', '/v1/webhooks')).body.data[0].id;
    await Promise.all(Array.from({ length: 8 }, () => call('DELETE', `/v1/webhooks/${id}`)));
    expect((await call('POST', '/v1/webhooks', { url, events: ['*'] })).status).toBe(201);
    expect((await call('POST', '/v1/webhooks', { url, events: ['*'] })).status).toBe(409);
  });
});

describe('changing a webhook', () => {
  beforeAll(useNewAccount);

  test('changes the fields that are sent and leaves the rest', async () => {
    const id = await register({ description: 'one' });
    const { last_delivery_at, failing_since, behind_since, ...before } = (await call('GET', `/v1/webhooks/${id}`)).body
      .data;
    const paused = await call('PATCH', `/v1/webhooks/${id}`, { status: 'paused' });
    expect([paused.status, paused.body.data]).toEqual([200, { ...before, status: 'paused' }]);
    const moved = { url: 'https://example.org/', events: ['*'], description: null, status: 'active' };
    expect((await call('PATCH', `/v1/webhooks/${id}`, moved)).body.data).toEqual({ ...before, ...moved });
    const after = { ...before, ...moved, last_delivery_at, failing_since, behind_since };
    expect((await call('GET', `/v1/webhooks/${id}`)).body.data).toEqual(after);
  });

  test('with an empty patch writes nothing but its entry in the audit trail', async () => {
    const id = await register();
    await call('GET', `/v1/webhooks/${id}`);
    const before = system.calls.length;
    expect((await call('PATCH', `/v1/webhooks/${id}`, {})).status).toBe(200);
    const calls = system.calls.slice(before).map(({ operation }) => operation);
    const [admission, begun, done] = Array<string>(3).fill('UpdateItem');
    expect(calls).toEqual([admission, begun, 'GetItem', done]);
  });

  test.each([
    [{ status: 'disabled' }, 'status'],
    [{ events: [] }, 'events'],
    [{ url: 'https://192.168.0.1/' }, 'url'],
    [{ id: 'whk_x' }, 'id'],
  ])('with %j is rejected, naming the field', async (body, path) => {
    const result = await call('PATCH', `/v1/webhooks/${await register()}`, body);
    expect([result.status, result.body.error, result.body.details.issues[0].path]).toEqual([400, 'invalid_body', path]);
  });

  test('concurrently loses no change', async () => {
    await useNewAccount();
    const id = await register();
    const patches = [{ description: 'kept' }, { status: 'paused' }, { events: ['*'] }, { url: 'https://example.net/' }];
    const result = await Promise.all(patches.map((patch) => call('PATCH', `/v1/webhooks/${id}`, patch)));
    expect(result.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await call('GET', `/v1/webhooks/${id}`)).body.data).toMatchObject(Object.assign({}, ...patches));
  });
});

describe('a webhook of another account', () => {
  beforeAll(useNewAccount);
  const requests: [method: string, path: string, body?: object][] = [
    ['GET', ''],
    ['PATCH', '', { status: 'paused' }],
    ['DELETE', ''],
    ['POST', '/rotate-secret'],
    ['POST', '/test'],
    ['GET', '/deliveries'],
    ['POST', '/recover', { since: '2026-01-01T00:00:00Z' }],
    ['POST', '/deliveries/dlv_01k9p3w8x9n4q6s8v0x2z4b6d8/redeliver'],
  ];
  test.each(requests)('is hidden exactly like a missing one: %s %s', async (method, path, body) => {
    const id = await register();
    const otherAccount = await system.account();
    const missing = 'whk_01k9p3wh8j0m2p4r6t8w0y2a4c';
    const foreign = await call(method, `/v1/webhooks/${id}${path}`, body, otherAccount.live_key);
    const otherEnvironment = await call(method, `/v1/webhooks/${id}${path}`, body, account.sandbox_key);
    const none = await call(method, `/v1/webhooks/${missing}${path}`, body);
    const malformed = await call(method, `/v1/webhooks/hello${path}`, body);
    expect([foreign, otherEnvironment, none, malformed].map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(foreign.text).toBe(otherEnvironment.text);
    expect(none.text.replaceAll(missing, id)).toBe(foreign.text);
    expect((await call('GET', `/v1/webhooks/${id}`)).body.data.status).toBe('active');
  });

  test('is listed in its own environment only', async () => {
    await register();
    expect((await call('GET', '/v1/webhooks', undefined, account.sandbox_key)).body.data).toEqual([]);
  });
});

test('a test event is signed and sent immediately, and the response has its outcome', async () => {
  await useNewAccount();
  const receiver = await startReceiver();
  const id = await register({ url: receiver.url });
  const good = await call('POST', `/v1/webhooks/${id}/test`);
  expect(good.body.data).toMatchObject({ delivered: true, attempt: { response_status: 204, error: null } });
  expect(WebhookEvent.parse(JSON.parse(receiver.received[0]?.body ?? ''))).toMatchObject({
    event_id: good.body.data.event_id,
    event_type: 'webhook.test',
    webhook_id: id,
  });
  receiver.respondWith((response) => response.writeHead(500).end('broken'));
  expect((await call('POST', `/v1/webhooks/${id}/test`)).body.data).toMatchObject({
    delivered: false,
    attempt: { response_status: 500, response_body: 'broken' },
  });
  await receiver.close();
  const gone = await call('POST', `/v1/webhooks/${id}/test`);
  expect([gone.status, gone.body.data]).toMatchObject([
    200,
    { delivered: false, attempt: { response_status: null, response_body: null, error: 'connection' } },
  ]);
  expect((await call('GET', `/v1/webhooks/${id}/deliveries`)).body.data).toEqual([]);
});
