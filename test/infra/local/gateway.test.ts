import { type ClientRequest, request } from 'node:http';
import { connect } from 'node:net';
import { Duplex } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import type { Host } from '../../../infra/local/host.ts';
import { answerMalformedRequest } from '../../../infra/local/malformed-requests.ts';
import { createRouter } from '../../../infra/local/router.ts';
import type { LogFields } from '../../../shared/platform/log-codes.ts';
import { rawExchange } from '../../harness/raw-request.ts';
import { httpFunctions } from './fixtures/manifest.ts';
import { memoryHost } from './local-host.ts';

const httpHost = () => memoryHost({ functions: httpFunctions });

async function fetchEcho(host: Host, path: string, init: RequestInit = {}): Promise<APIGatewayProxyEventV2> {
  const response = await fetch(`${host.baseUrl}${path}`, init);
  return JSON.parse(await response.text());
}

describe('the event that a function receives', () => {
  test('has the fields of payload format 2.0', async () => {
    const host = await httpHost();
    const event = await fetchEcho(host, '/users/ann%20b/days/2026-03-01?metric=a&metric=b&x=1%2B1', {
      headers: { 'User-Agent': 'tester', 'X-Two': 'one', cookie: 'a=1; b=2' },
    });
    expect(event).toMatchObject({
      version: '2.0',
      routeKey: 'ANY /users/{id}/days/{day}',
      rawPath: '/users/ann b/days/2026-03-01',
      rawQueryString: 'metric=a&metric=b&x=1%2B1',
      cookies: ['a=1', 'b=2'],
      queryStringParameters: { metric: 'a,b', x: '1+1' },
      pathParameters: { id: 'ann b', day: '2026-03-01' },
      isBase64Encoded: false,
      requestContext: {
        routeKey: 'ANY /users/{id}/days/{day}',
        stage: '$default',
        http: {
          method: 'GET',
          path: '/users/ann b/days/2026-03-01',
          protocol: 'HTTP/1.1',
          sourceIp: '127.0.0.1',
          userAgent: 'tester',
        },
      },
    });
    expect(event.headers).toMatchObject({ 'user-agent': 'tester', 'x-two': 'one', 'x-forwarded-proto': 'http' });
    expect(event.headers).not.toHaveProperty('cookie');
    expect(event).not.toHaveProperty('body');
    expect(event.requestContext.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(event.requestContext.time).toMatch(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/);
    expect(Math.abs(event.requestContext.timeEpoch - Date.now())).toBeLessThan(60_000);
  });

  test('joins a repeated header with a comma', async () => {
    const host = await httpHost();
    const text = await new Promise<string>((resolve, reject) => {
      const outgoing = request(`${host.baseUrl}/echo`, { headers: { 'x-many': ['one', 'two'] } }, (incoming) => {
        incoming.setEncoding('utf8');
        let body = '';
        incoming.on('data', (chunk) => {
          body += chunk;
        });
        incoming.on('end', () => resolve(body));
      });
      outgoing.on('error', reject);
      outgoing.end();
    });
    expect(JSON.parse(text).headers['x-many']).toBe('one,two');
  });

  test('has text bodies as text and everything else as base64', async () => {
    const host = await httpHost();
    const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) =>
      fetchEcho(host, '/echo', { method: 'POST', body, headers });
    expect(await post('{"a":"ä"}', { 'content-type': 'application/json; charset=utf-8' })).toMatchObject({
      body: '{"a":"ä"}',
      isBase64Encoded: false,
    });
    expect(await post(new Uint8Array([0, 255, 128]), { 'content-type': 'application/octet-stream' })).toMatchObject({
      body: Buffer.from([0, 255, 128]).toString('base64'),
      isBase64Encoded: true,
    });
    expect(await post('{}', { 'content-type': 'application/json', 'content-encoding': 'gzip' })).toMatchObject({
      body: Buffer.from('{}').toString('base64'),
      isBase64Encoded: true,
    });
  });
});

describe('the response', () => {
  test('can be binary', async () => {
    const host = await httpHost();
    const response = await fetch(`${host.baseUrl}/binary`);
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([0, 255, 1, 254]);
  });

  test('sets each cookie separately', async () => {
    const host = await httpHost();
    const response = await fetch(`${host.baseUrl}/cookies`);
    expect(response.status).toBe(204);
    expect(response.headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2']);
  });

  test('to HEAD has the length of the body and no body', async () => {
    const host = await httpHost();
    const response = await fetch(`${host.baseUrl}/binary`, { method: 'HEAD' });
    expect(response.headers.get('content-length')).toBe('4');
    expect(await response.text()).toBe('');
  });

  test('of a function that throws is a documented 500, and the reason is logged', async () => {
    const logged: unknown[] = [];
    const host = await memoryHost({
      functions: httpFunctions,
      log: (level, message, fields) => logged.push({ level, message, ...fields }),
    });
    const response = await fetch(`${host.baseUrl}/throw`);
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ error: 'internal_error', details: {} });
    expect(logged).toMatchObject([
      { level: 'error', function: 'echo', cause: { message: 'this function always fails' } },
    ]);
  });

  test('of a function that times out is a 503 that says to retry', async () => {
    const impatient = Object.entries(httpFunctions).map(([name, spec]) => [name, { ...spec, timeoutSeconds: 0.05 }]);
    const host = await memoryHost({ functions: Object.fromEntries(impatient) });
    const response = await fetch(`${host.baseUrl}/never`);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await response.json()).toMatchObject({ error: 'unavailable' });
  });

  test("that exceeds Lambda's size limit is a 500 locally too", async () => {
    const host = await httpHost();
    expect((await fetch(`${host.baseUrl}/too-long`)).status).toBe(500);
  });

  test('to more than 10 MB is 413, but not to exactly 10 MB', async () => {
    const host = await httpHost();
    const post = (bytes: number) =>
      fetch(`${host.baseUrl}/cookies`, {
        method: 'POST',
        body: new Uint8Array(bytes),
        headers: { authorization: 'x' },
      });
    const limit = 10 * 1024 * 1024;
    expect((await post(limit)).status).toBe(204);
    const refused = await post(limit + 1);
    expect(refused.status).toBe(413);
    expect(await refused.json()).toMatchObject({ error: 'payload_too_large', details: {} });
  });
});

describe('request bodies', () => {
  const mega = 1024 * 1024;

  test('without a credential can have up to 1 MB', async () => {
    const host = await httpHost();
    const post = async (bytes: number) =>
      (await fetch(`${host.baseUrl}/cookies`, { method: 'POST', body: new Uint8Array(bytes) })).status;
    expect([await post(mega), await post(mega + 1)]).toEqual([204, 413]);
  });

  test('from a provider, which authenticates with a signature, can be larger', async () => {
    const host = await httpHost();
    const path = `${host.baseUrl}/v1/providers/garmin/push/secret`;
    expect((await fetch(path, { method: 'POST', body: new Uint8Array(mega + 1) })).status).toBe(200);
  });

  test('do not count against the memory limit once they are answered', async () => {
    const host = await httpHost();
    const [body, headers] = [new Uint8Array(10 * mega), { authorization: 'x' }];
    for (let sent = 0; sent < 7; sent++)
      expect((await fetch(`${host.baseUrl}/cookies`, { method: 'POST', body, headers })).status).toBe(204);
  });

  test('over the limit of their route are rejected before any of it arrives', async () => {
    const { echo } = httpFunctions;
    if (echo?.trigger.kind !== 'http') throw new Error('the fixture manifest changed');
    const routes = [...echo.trigger.routes, { method: 'post', path: '/short', maxBodyBytes: 100 }];
    const host = await memoryHost({ functions: { echo: { ...echo, trigger: { ...echo.trigger, routes } } } });
    const refused = await new Promise<number | undefined>((resolve, reject) => {
      const clientRequest = request(`${host.baseUrl}/short`, { method: 'POST', headers: { 'content-length': 101 } });
      clientRequest.on('error', reject);
      clientRequest.on('response', (response) => {
        clientRequest.destroy();
        resolve(response.statusCode);
      });
      clientRequest.flushHeaders();
    });
    const post = async (bytes: number) =>
      (await fetch(`${host.baseUrl}/short`, { method: 'POST', body: new Uint8Array(bytes) })).status;
    expect([refused, await post(101), await post(100)]).toEqual([413, 413, 200]);
  });

  test('that never end, on eight connections that hold the maximum, do not block other requests', async () => {
    const host = await httpHost();
    const post = async (bytes: number) =>
      (
        await fetch(`${host.baseUrl}/cookies`, {
          method: 'POST',
          body: new Uint8Array(bytes),
          headers: { authorization: 'x' },
        })
      ).status;
    const hostile: ClientRequest[] = [];
    const refusals: (number | undefined)[] = [];
    for (let sentCount = 0; sentCount < 8; sentCount++) {
      const headers = { authorization: 'x', 'content-length': 10 * mega };
      const clientRequest = request(`${host.baseUrl}/cookies`, { method: 'POST', headers });
      clientRequest.on('error', () => {});
      clientRequest.on('response', (response) => {
        refusals.push(response.statusCode);
        response.resume();
      });
      // The host, which runs in this process, reads this before the next request is sent.
      await new Promise((resolve) => clientRequest.write(new Uint8Array(9 * mega), resolve));
      for (let turn = 0; turn < 2_000; turn++) await new Promise(setImmediate);
      hostile.push(clientRequest);
    }
    expect([await post(10 * mega), await post(mega), await post(100)]).toEqual([204, 204, 204]);
    expect(refusals.length).toBeGreaterThanOrEqual(5);
    expect(new Set(refusals)).toEqual(new Set([503]));
    for (const clientRequest of hostile) clientRequest.destroy();
    expect(await post(10 * mega)).toBe(204);
  });
});

test('a function that writes to the table without the grant fails', async () => {
  const logged: LogFields[] = [];
  const host = await memoryHost({
    functions: httpFunctions,
    log: (_level, _message, fields = {}) => logged.push(fields),
  });
  expect((await fetch(`${host.baseUrl}/ungranted`)).status).toBe(500);
  expect(String(logged[0]?.cause)).toContain('echo may not call PutItem');
  expect(await host.table.get({ pk: 'UNGRANTED', sk: 'ITEM' })).toBeUndefined();
});

test('a caller that disconnects during a request does not affect the next one', async () => {
  const host = await httpHost();
  await new Promise<void>((resolve, reject) => {
    const socket = connect(host.port, '127.0.0.1', () => {
      socket.write('POST /echo HTTP/1.1\r\nhost: local\r\ncontent-length: 1000\r\n\r\nhalf', () => socket.destroy());
    });
    socket.on('error', reject);
    socket.on('close', () => resolve());
  });
  expect((await fetch(`${host.baseUrl}/echo`)).status).toBe(200);
});

describe('routing', () => {
  const functionOf = (path: string) => createRouter(httpFunctions)(path)?.functionName;

  test('prefers a literal segment over a parameter', () => {
    expect(functionOf('/users/me')).toBe('other');
    expect(functionOf('/users/you')).toBe('echo');
  });

  test('routes every method of a path to the same function', async () => {
    const host = await httpHost();
    const response = await fetch(`${host.baseUrl}/users/me`, { method: 'DELETE' });
    expect(await response.text()).toBe('other');
  });

  test('knows the body limit of each method of a path', () => {
    const { echo } = httpFunctions;
    if (echo?.trigger.kind !== 'http') throw new Error('the fixture manifest changed');
    const routes = [
      { method: 'put', path: '/short/{id}', maxBodyBytes: 100 },
      { method: 'get', path: '/short/{id}' },
      { method: 'patch', path: '/short/{name}', maxBodyBytes: 200 },
    ] as const;
    const match = createRouter({ echo: { ...echo, trigger: { ...echo.trigger, routes } } })('/short/one');
    expect([...(match?.maxBodyBytes ?? [])]).toEqual([
      ['PUT', 100],
      ['PATCH', 200],
    ]);
  });

  test('sends unknown paths to the fallback', () => {
    expect(createRouter(httpFunctions)('/nowhere/at/all')).toEqual({
      functionName: 'echo',
      routeKey: '$default',
      pathParameters: {},
    });
    expect(createRouter(httpFunctions)('/users/')?.routeKey).toBe('$default');
  });

  test('rejects a manifest in which two functions serve the same path', () => {
    const { echo, other } = httpFunctions;
    if (!echo || !other) throw new Error('the fixture manifest changed');
    const twice = { ...other, trigger: { kind: 'http', routes: [{ method: 'get', path: '/users/{name}' }] } as const };
    expect(() => createRouter({ echo, twice })).toThrow('both serve /users/{name}');
  });
});

const postTo = (...headers: string[]) => `POST /echo HTTP/1.1\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`;

test.each([
  ['an unknown method', 'BREW /echo HTTP/1.1\r\nHost: localhost\r\n\r\n', 400, /malformed/],
  ['no version', 'GET /echo\r\n\r\n', 400, /exactly one Host/],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, /malformed/],
  ['a header without a name', 'GET /echo HTTP/1.1\r\nHost: localhost\r\n: a\r\n\r\n', 400, /malformed/],
  ['two lengths', `${postTo('Host: a', 'Content-Length: 1', 'Content-Length: 2')}a`, 400, /malformed/],
  ['a length that is not a number', postTo('Host: a', 'Content-Length: many'), 400, /malformed/],
  ['a length and chunks', `${postTo('Host: a', 'Content-Length: 1', 'Transfer-Encoding: chunked')}0`, 400, /malformed/],
  [
    'a chunk without a size',
    `${postTo('Host: a', 'Transfer-Encoding: chunked')}5\r\nabcde\r\nzz\r\n`,
    400,
    /malformed/,
  ],
  [
    'endless extensions of a chunk',
    `${postTo('Host: a', 'Transfer-Encoding: chunked')}5;${'a'.repeat(20_000)}\r\nabcde\r\n`,
    413,
    /extensions of a chunk/,
  ],
  ['endless headers', `GET /echo HTTP/1.1\r\nHost: localhost\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`, 431, /16 kB/],
  ['an endless path', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, 431, /16 kB/],
  ['no Host', 'GET /echo HTTP/1.1\r\nConnection: close\r\n\r\n', 400, /exactly one Host/],
  [
    'no Host but a host in the path',
    'GET http://a/echo HTTP/1.1\r\nConnection: close\r\n\r\n',
    400,
    /exactly one Host/,
  ],
  ['two hosts', 'GET /echo HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n', 400, /exactly one Host/],
  [
    'an unknown expectation',
    `${postTo('Host: a', 'Expect: tea', 'Content-Length: 0', 'Connection: close')}`,
    417,
    /Expect/,
  ],
  ['a request to a proxy', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n', 400, /not a proxy/],
])('malformed HTTP returns the standard error body: %s', async (_what, text, status, message) => {
  const { baseUrl } = await httpHost();
  const exchanged = await rawExchange(baseUrl, text);
  const [head = '', body = ''] = exchanged.split('\r\n\r\n');
  expect(head.split('\r\n')[0]).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  for (const header of [
    /^content-type: application\/json$/im,
    /^x-request-id: [0-9a-f-]{36}$/im,
    /^ratelimit: /im,
    /^ratelimit-policy: /im,
    /^cache-control: no-store$/im,
    /^connection: close$/im,
  ])
    expect(head).toMatch(header);
  expect(JSON.parse(body)).toEqual({
    error: status === 413 ? 'payload_too_large' : 'invalid_request',
    message: expect.stringMatching(message),
    details: {},
  });
});

test('HTTP/1.0 needs no Host header', async () => {
  const { baseUrl } = await httpHost();
  expect(await rawExchange(baseUrl, 'GET /echo HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /);
});

test('a request that takes too long to arrive gets a 408 with the standard error body', async () => {
  const written: Buffer[] = [];
  const socket = new Duplex({
    read() {},
    write(chunk, _encoding, done) {
      written.push(chunk);
      done();
    },
  });
  answerMalformedRequest(Object.assign(new Error('too slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
  await finished(socket, { readable: false });
  const [head = '', body = ''] = Buffer.concat(written).toString().split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/);
  expect(JSON.parse(body)).toMatchObject({ error: 'invalid_request', details: {} });
  socket.destroy();
});
