import { randomBytes } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatLogLine } from '../../functions/runtime/log.ts';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { type RawResponse, rawExchange, rawRequest } from '../harness/raw-request.ts';
import { type System, startSystem } from '../harness/system.ts';

let system: System;
let account: NewAccount;
let isRandomFailing = false;

beforeAll(async () => {
  system = await startSystem({
    random: {
      bytes(count) {
        if (isRandomFailing) throw new Error('internals: row K#7 of table t');
        return randomBytes(count);
      },
    },
  });
  account = await system.account();
});
afterAll(() => system.stop());

const bearer = () => ({ authorization: `Bearer ${account.live_key}` });
const raw = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  rawRequest(system.host.baseUrl, { method, path, headers: { ...bearer(), ...headers } });
const withFailingRandom = async <T>(work: () => Promise<T>): Promise<T> => {
  isRandomFailing = true;
  try {
    return await work();
  } finally {
    isRandomFailing = false;
  }
};

describe('compression', () => {
  test.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['BR', 'br'],
    ['*', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br; q=0.000, gzip; q=0.1', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['br;q=0, gzip;q=0', undefined],
    ['gzip;q=high', undefined],
    ['identity', undefined],
    ['deflate, zstd', undefined],
    ['', undefined],
  ])('of a large body for "%s" is %s', async (accepted, used) => {
    const response = await raw('/v1/metrics', { 'accept-encoding': accepted });
    expect(response.headers['content-encoding']).toBe(used);
    expect(response.headers.vary).toBe('Accept-Encoding');
    const bytes =
      used === 'br'
        ? brotliDecompressSync(response.bytes)
        : used === 'gzip'
          ? gunzipSync(response.bytes)
          : response.bytes;
    expect(bytes.equals((await raw('/v1/metrics')).bytes)).toBe(true);
    expect(response.headers['content-length']).toBe(String(response.bytes.length));
    if (used) expect(response.bytes.length).toBeLessThan(bytes.length / 3);
  });

  test('leaves small bodies uncompressed', async () => {
    const response = await raw('/healthz', { 'accept-encoding': 'br, gzip' });
    expect(response.headers['content-encoding']).toBeUndefined();
    expect(JSON.parse(response.bytes.toString())).toMatchObject({ status: 'ok' });
  });
});

describe('a conditional read', () => {
  test('returns 304 without a body, regardless of the encoding', async () => {
    const { headers } = await raw('/v1/metrics');
    const compressed = await raw('/v1/metrics', { 'accept-encoding': 'br' });
    const etag = headers.etag ?? '';
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
    expect(compressed.headers.etag).toBe(etag);
    for (const known of [etag, `"other", ${etag}`, `W/"other",${etag}`, etag.slice(2), '*']) {
      const response = await raw('/v1/metrics', { 'if-none-match': known, 'accept-encoding': 'gzip' });
      expect([response.status, response.bytes.length, response.headers.etag]).toEqual([304, 0, etag]);
      expect(response.headers.vary).toBe('Accept-Encoding');
    }
    for (const known of ['"other"', 'W/"other"', etag.slice(0, -2), ''])
      expect((await raw('/v1/metrics', { 'if-none-match': known })).status).toBe(200);
  });

  test('has a new ETag once its content has changed', async () => {
    const path = `/v1/users/${await system.user(account.live_key)}`;
    const before = (await raw(path)).headers.etag ?? '';
    expect((await raw(path, { 'if-none-match': before })).status).toBe(304);
    await system.call('PATCH', path, { token: account.live_key, body: { timezone: 'Asia/Tokyo' } });
    const after = await raw(path, { 'if-none-match': before });
    expect(after.status).toBe(200);
    expect(after.headers.etag).not.toBe(before);
  });

  test('is never cached, and neither is any other response', async () => {
    expect((await raw('/v1/metrics')).headers['cache-control']).toBe('no-store');
    const created = await system.call('POST', '/v1/users', { token: account.live_key, body: {} });
    expect([created.headers.get('cache-control'), created.headers.get('etag')]).toEqual(['no-store', null]);
    const missing = await raw('/v1/users/nobody', { 'if-none-match': '*' });
    expect([missing.status, missing.headers['cache-control'], missing.headers.etag]).toEqual([
      404,
      'no-store',
      undefined,
    ]);
  });
});

describe('HEAD', () => {
  test('has the status and headers of GET, and no body', async () => {
    const got = await raw('/v1/metrics');
    const head = await raw('/v1/metrics', {}, 'HEAD');
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    for (const name of ['content-type', 'etag', 'vary', 'cache-control'])
      expect(head.headers[name]).toBe(got.headers[name]);
    expect((await raw('/v1/metrics', { 'if-none-match': got.headers.etag ?? '' }, 'HEAD')).status).toBe(304);
    expect((await raw('/v1/users/nobody', {}, 'HEAD')).status).toBe(404);
    expect((await raw('/v1/auth/user-token', {}, 'HEAD')).status).toBe(405);
  });
});

describe('a browser', () => {
  test('can send a preflight request without a token', async () => {
    const { status, headers, bytes } = await rawRequest(system.host.baseUrl, {
      method: 'OPTIONS',
      path: '/v1/users/usr_1',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'authorization,content-type',
      },
    });
    expect([status, bytes.length]).toEqual([204, 0]);
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['access-control-allow-methods']).toBe('DELETE, GET, HEAD, OPTIONS, PATCH');
    for (const name of ['Authorization', 'Cache-Control', 'Content-Type', 'Idempotency-Key', 'If-None-Match'])
      expect(headers['access-control-allow-headers']).toContain(name);
    expect(Number(headers['access-control-max-age'])).toBeGreaterThan(0);
  });

  test('can read the rate limit, ETag and request id headers', async () => {
    const exposed = (await raw('/v1/metrics')).headers['access-control-expose-headers'];
    for (const name of ['ETag', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id'])
      expect(exposed).toContain(name);
  });
});

describe('every response', () => {
  const large = JSON.stringify({ external_ref: 'x'.repeat(1_000_001) });
  const post = (path: string, body: string, type = 'application/json') =>
    rawRequest(system.host.baseUrl, {
      method: 'POST',
      path,
      headers: { ...bearer(), 'content-type': type, 'content-length': Buffer.byteLength(body) },
      body,
    });
  const ofKeys = '"default";q=200;w=2';
  const ofAddresses = '"default";q=500;w=10';
  const cases: [status: number, ask: () => Promise<RawResponse>, policy?: string][] = [
    [200, () => raw('/v1/metrics')],
    [200, () => raw('/docs'), ofAddresses],
    [201, () => post('/v1/users', '{}')],
    [204, () => raw('/v1/users', {}, 'OPTIONS'), ofAddresses],
    [304, () => raw('/v1/metrics', { 'if-none-match': '*' })],
    [400, () => raw('/v1/users?limit=0')],
    [401, () => raw('/v1/users', { authorization: 'Bearer nothing' }), ofAddresses],
    [404, () => raw('/nothing/here'), ofAddresses],
    [404, () => raw('/v1/users/nobody')],
    [405, () => raw('/v1/users', {}, 'DELETE'), ofAddresses],
    [413, () => post('/v1/users', large)],
    [415, () => post('/v1/users', 'a=1', 'application/x-www-form-urlencoded')],
    [500, () => withFailingRandom(() => post('/v1/users', '{}'))],
  ];
  test.each(cases)(
    'with status %i has the documented headers and body',
    async (status, sendRequest, policy = ofKeys) => {
      const response = await sendRequest();
      expect(response.status).toBe(status);
      expect(response.headers['x-request-id']).toMatch(/^[\w-]{8,}$/);
      expect(response.headers['ratelimit-policy']).toBe(policy);
      expect(response.headers.ratelimit).toMatch(/^"default";r=\d+;t=\d+$/);
      expect(response.headers['access-control-allow-origin']).toBe('*');
      if (status >= 400) expectErrorBody(response);
    },
  );

  test('has its own request id', async () => {
    const ids = await Promise.all(
      Array.from({ length: 10 }, async () => (await raw('/healthz')).headers['x-request-id']),
    );
    expect(new Set(ids).size).toBe(10);
  });
});

function expectErrorBody(response: RawResponse): void {
  expect(response.headers['content-type']).toBe('application/json');
  const body = JSON.parse(response.bytes.toString());
  expect(Object.keys(body).sort()).toEqual(['details', 'error', 'message']);
  expect(body.error).toMatch(/^[a-z_]+$/);
}

describe('an internal error', () => {
  test('is a 500 that reveals no internals to the caller, while the log has the details', async () => {
    const response = await withFailingRandom(() =>
      system.call('POST', '/v1/users', { token: account.live_key, body: {} }),
    );
    expect(response.status).toBe(500);
    expect(response.body).toEqual({ error: 'internal_error', message: expect.any(String), details: {} });
    expect(response.text).not.toMatch(/internals|row|\.ts|at /);
    const line = system.log.find(({ fields }) => fields['request_id'] === response.headers.get('x-request-id'));
    expect(line).toMatchObject({ level: 'error', fields: { status: 500, code: 'internal_error' } });
    const written = formatLogLine('error', 'request', line?.fields);
    expect(written).toContain('internals: row K#7 of table t');
    expect(written).toContain('http-core.test.ts');
  });

  test('an unavailable table is a 503 that says when to retry', async () => {
    // A separate system, because the test kills its database.
    const own = await startSystem();
    const { live_key } = await own.account();
    const [engine] = own.host.enginePids;
    if (engine === undefined) throw new Error('the host started no engine');
    process.kill(engine, 'SIGKILL');
    await own.host.engineFailure;
    const response = await own.call('GET', '/v1/users', { token: live_key });
    expect([response.status, response.body.error]).toEqual([503, 'unavailable']);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(response.text).not.toMatch(/ECONN|127\.0\.0\.1|engine|dynamo/i);
    expect((await own.call('GET', '/healthz')).status).toBe(200);
    expect(own.log.filter(({ message }) => message === 'request')).toContainEqual(
      expect.objectContaining({
        level: 'error',
        fields: expect.objectContaining({ status: 503, code: 'unavailable' }),
      }),
    );
    await own.stop();
  });
});

describe('the access log', () => {
  test('has one line per request with its id, and contains no personal data or secret', async () => {
    const { account_id, live_key } = await system.account();
    const userBody = {
      external_ref: 'ada.lovelace+7@example.org',
      profile: { date_of_birth: '1987-06-05', weight_kg: 77.77 },
    };
    const before = system.log.length;
    const ids: (string | null)[] = [];
    const secrets = [live_key];
    const call = async (method: string, path: string, options: Parameters<System['call']>[2] = {}) => {
      const response = await system.call(method, path, { token: live_key, ...options });
      ids.push(response.headers.get('x-request-id'));
      return response;
    };
    const user: string = (await call('POST', '/v1/users', { body: userBody })).body.id;
    await call('POST', '/v1/users', { body: {} });
    await call('POST', '/v1/users', { body: userBody });
    await call('POST', '/v1/users', { raw: '{"external_ref": "ada.lovelace+7@example.org", "profile": 1987-06-05' });
    await call('POST', '/v1/users', { body: { 'ada.lovelace+7@example.org': '1987-06-05' } });
    await call('PATCH', `/v1/users/${user}`, { body: { profile: { weight_kg: 777.7 } } });
    await call('GET', `/v1/users/${user}`);
    await call('GET', `/v1/users?external_ref=${encodeURIComponent(userBody.external_ref)}`);
    await call('GET', `/v1/users/${encodeURIComponent(userBody.external_ref)}`);
    await call('GET', `/people/${encodeURIComponent(userBody.external_ref)}`);
    const page = await call('GET', '/v1/users?limit=1');
    secrets.push(page.body.next_cursor);
    await call('GET', `/v1/users?limit=1&cursor=${page.body.next_cursor}x`);
    const issued = await call('POST', '/v1/auth/user-token', { body: { user_id: user } });
    const mobile = await call('POST', '/v1/auth/mobile-token', { body: { user_id: user } });
    secrets.push(issued.body.token, mobile.body.token);
    await call('GET', `/v1/users/${user}/devices`, { token: issued.body.token });
    await call('GET', `/v1/users/${user}/devices`, { token: `${issued.body.token}x` });
    await call('GET', '/v1/users', { token: mobile.body.token });
    await withFailingRandom(() =>
      call('POST', '/v1/users', { body: { ...userBody, external_ref: 'ada.lovelace+8@example.org' } }),
    );
    await call('DELETE', `/v1/users/${user}`);
    await system.host.drain();

    const lines = system.log.slice(before);
    const requests = lines.filter(({ message }) => message === 'request');
    expect(requests.map(({ fields }) => fields['request_id'])).toEqual(ids);
    expect(requests[0]).toEqual({
      level: 'info',
      message: 'request',
      fields: {
        request_id: ids[0],
        method: 'POST',
        route: '/v1/users',
        status: 201,
        ms: expect.any(Number),
        account_id,
        env: 'live',
        caller: 'api_key',
      },
    });
    const written = lines.map(({ level, message, fields }) => formatLogLine(level, message, fields));
    expect(written.every((line) => !line.includes('\n'))).toBe(true);
    const everything = written.join('\n');
    for (const word of ['lovelace', 'example.org', '1987-06', '777.7', ...secrets])
      expect(everything.includes(word), word).toBe(false);
  });
});

describe('an unusual request', () => {
  test.each([
    ['/v1/users/%', 404],
    ['/v1/users/%zz', 404],
    ['/v1/users/%ff%fe', 404],
    ['/v1/users/%00', 404],
    ['/%', 404],
    ['/%E0%A4%A', 404],
    ['/v1/users/a%3Fb', 404],
    ['/v1/users/a%23b', 404],
    ['/openapi.json%3Fx', 404],
    ['/openapi.json%23x', 404],
    ['/v1/users%2F', 404],
    ['/v1//users', 404],
    ['//elsewhere.example/openapi.json', 404],
    ['/\\elsewhere.example/openapi.json', 404],
    ['/v1/users/%2e%2e/%2e%2e/etc/passwd', 404],
    [`/v1/users/${'a'.repeat(8000)}`, 404],
    [`/${'a/'.repeat(4000)}`, 404],
    ['/v1/users?limit=%', 400],
    ['/v1/users?cursor=%ff', 400],
    [`/v1/users?cursor=${'a'.repeat(8000)}`, 400],
    ['/v1/users?limit=1&limit=1', 400],
  ])('%s returns %i', async (path, status) => {
    const response = await raw(path);
    expect(response.status).toBe(status);
    expect(response.headers['x-request-id']).toBeTruthy();
    expectErrorBody(response);
  });

  test.each([
    ['constructor', 400],
    ['toString', 400],
    ['hasOwnProperty', 400],
    ['__proto__', 200],
  ])('the unknown parameter %s returns %i', async (name, status) => {
    const response = await raw(`/v1/users?${name}=1&${name}=2`);
    expect(response.status).toBe(status);
    if (status === 400) expectErrorBody(response);
  });

  test('two Authorization headers are rejected', async () => {
    const both = ['authorization', `Bearer ${account.live_key}`, 'authorization', `Bearer ${account.live_key}`];
    const response = await rawRequest(system.host.baseUrl, { path: '/v1/users', headers: ['host', 'x', ...both] });
    expect(response.status).toBe(401);
    expectErrorBody(response);
  });

  test.each(['TRACE', 'PUT', 'PROPFIND', 'OPTIONS'])('%s returns the documented error', async (method) => {
    const response = await raw('/nothing', {}, method);
    expect(response.status).toBe(404);
    expectErrorBody(response);
  });

  test('non-ASCII headers are harmless', async () => {
    const response = await raw('/v1/metrics', { 'x-name': 'J\u00fcrgen \u00ff', 'accept-encoding': '\u00e9' });
    expect(response.status).toBe(200);
  });

  test('text that is not valid Unicode is rejected by field', async () => {
    const response = await system.call('POST', '/v1/users', {
      token: account.live_key,
      raw: '{"external_ref":"\\ud800"}',
    });
    expect([response.status, response.body.error, response.body.details.issues[0].path]).toEqual([
      400,
      'invalid_body',
      'external_ref',
    ]);
  });

  test('malformed HTTP is closed with a 400, and the next request is served', async () => {
    for (const text of [
      'POST /v1/users HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n{}',
      'POST /v1/users HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}',
      'GET /v1/users HTTP/1.1\r\nHost: x\r\nBad Header: x\r\n\r\n',
    ])
      expect(await rawExchange(system.host.baseUrl, text)).toMatch(/^HTTP\/1\.1 400 /);
    expect((await raw('/healthz')).status).toBe(200);
  });
});
