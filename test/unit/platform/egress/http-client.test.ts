// Requests of our own: what goes out, and servers that stall, flood, redirect or lead inside.
import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createFixedOriginClient, createGuardedClient } from '../../../../shared/platform/egress/http-client.ts';
import type { HttpClient, HttpResponse } from '../../../../shared/platform/ports.ts';
import { type Receiver, respond, startReceiver } from '../../../harness/receiver.ts';
import { testTimers } from '../../../harness/webhook-system.ts';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

let hostile: Server | undefined;
const open = new Set<Socket>();
afterEach(async () => {
  receiver.respondWith(respond(204));
  for (const socket of open) socket.destroy();
  await new Promise<void>((resolve) => (hostile ? hostile.close(() => resolve()) : resolve()));
  hostile = undefined;
});

/** Does with a connection what the test tells it to, once something was asked. */
async function startHostile(reaction: (socket: Socket) => void): Promise<string> {
  hostile = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
    socket.once('data', () => reaction(socket));
  });
  await new Promise<void>((resolve) => hostile?.listen(0, '127.0.0.1', resolve));
  const address = hostile.address();
  if (address === null || typeof address === 'string') throw new Error('there is no port');
  return `http://127.0.0.1:${address.port}/`;
}

const textOf = ({ body }: HttpResponse): string => Buffer.from(body).toString();

/** Both ways out, to a server on this machine. */
const ways: [string, (url: string, options?: Parameters<typeof createFixedOriginClient>[1]) => HttpClient][] = [
  ['to an address that somebody else chose', (_url, options) => createGuardedClient({ loopback: true }, options)],
  ['to a host that we chose', (url, options) => createFixedOriginClient([url], options)],
];

describe.each(ways)('%s', (_name, clientFor) => {
  test('method, path, headers and bytes arrive as they are, and so does the answer', async () => {
    receiver.respondWith((response, { body }) => response.writeHead(201, { 'X-Seen': 'yes' }).end(`got ${body}`));
    const url = new URL('/v2/sleep?day=2026-03-05', receiver.url).href;
    const reply = await clientFor(url).send({
      method: 'PUT',
      url,
      headers: { authorization: 'Bearer t' },
      body: Buffer.from('{"a":"é"}'),
    });
    expect(receiver.received.at(-1)).toMatchObject({
      url: '/v2/sleep?day=2026-03-05',
      body: '{"a":"é"}',
      headers: { authorization: 'Bearer t', 'content-length': '10' },
    });
    expect(reply).toMatchObject({ kind: 'answered', status: 201, headers: { 'x-seen': 'yes' } });
    expect(textOf(reply)).toBe('got {"a":"é"}');
  });

  test('a request without a body has none, and its connection is kept', async () => {
    const client = clientFor(receiver.url);
    const before = receiver.connections;
    for (let sent = 0; sent < 3; sent++)
      expect(await client.send({ method: 'GET', url: receiver.url })).toMatchObject({ status: 204 });
    expect(receiver.received.at(-1)?.headers).not.toHaveProperty('content-length');
    expect(receiver.connections - before).toBe(1);
  });

  test('a redirect is an answer: nobody follows it', async () => {
    const elsewhere = await startHostile((socket) => socket.end());
    receiver.respondWith(respond(302, { location: elsewhere }));
    const reply = await clientFor(receiver.url).send({ method: 'GET', url: receiver.url });
    expect(reply).toMatchObject({ kind: 'answered', status: 302, headers: { location: elsewhere } });
    expect(open.size).toBe(0);
  });

  test.each<[string, (socket: Socket) => void]>([
    ['says nothing', () => {}],
    ['stops in its body', (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf')],
    ['says 100 Continue and nothing more', (socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n')],
  ])(
    'a server that %s is given up at the time limit of the request, and its connection closed',
    async (_what, reaction) => {
      const url = await startHostile(reaction);
      const reply = await clientFor(url).send({ method: 'GET', url, timeoutMs: 150 });
      expect(reply).toMatchObject({ kind: 'unanswered', reason: 'timeout' });
      await expect.poll(() => open.size).toBe(0);
    },
  );

  test('the limit is the request’s own, or ten seconds', async () => {
    const alarms = testTimers();
    const url = await startHostile(() => {});
    const client = clientFor(url, { timer: alarms.timer });
    const both = [client.send({ method: 'GET', url }), client.send({ method: 'GET', url, timeoutMs: 500 })];
    expect(alarms.pending).toEqual([10_000, 500]);
    alarms.fire();
    for (const reply of await Promise.all(both)) expect(reply).toMatchObject({ reason: 'timeout' });
  });

  test('a body without end is read to the bound and no further, and is no answer', async () => {
    const url = await startHostile((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      const more = () => {
        while (!socket.destroyed && socket.write(`400\r\n${'x'.repeat(1024)}\r\n`));
      };
      socket.on('drain', more);
      more();
    });
    const reply = await clientFor(url).send({ method: 'GET', url, maxBytes: 100_000 });
    expect(reply).toMatchObject({ kind: 'unanswered', reason: 'too_large', status: 200 });
    expect(reply.body).toHaveLength(100_000);
    await expect.poll(() => open.size).toBe(0);
  });

  test.each([
    [10, 'answered'],
    [9, 'unanswered'],
  ])('an answer of ten bytes with a bound of %d is %s', async (mostBytes, kind) => {
    receiver.respondWith(respond(200, {}, '0123456789'));
    const client = clientFor(receiver.url);
    expect(await client.send({ method: 'GET', url: receiver.url, maxBytes: mostBytes })).toMatchObject({ kind });
  });

  test('a server that breaks the connection, or is not there, is told apart from one that answers', async () => {
    const url = await startHostile((socket) => socket.resetAndDestroy());
    expect(await clientFor(url).send({ method: 'GET', url })).toMatchObject({ reason: 'connection' });
    hostile?.close();
    expect(await clientFor(url).send({ method: 'GET', url })).toMatchObject({ reason: 'connection' });
  });

  describe('when a kept connection turns out to be dead', () => {
    /** The first request is answered and the connection kept; the next one on it is seen, and the connection broken. */
    async function afterAKeptConnection(client: HttpClient, request: Parameters<HttpClient['send']>[0]) {
      receiver.respondWith((response) => response.writeHead(204, { 'keep-alive': 'timeout=600' }).end());
      expect(await client.send({ method: 'GET', url: receiver.url })).toMatchObject({ status: 204 });
      const [seen, connections] = [receiver.received.length, receiver.connections];
      receiver.respondWith((response) => {
        if (receiver.received.length === seen + 1) response.destroy();
        else response.writeHead(204).end();
      });
      const reply = await client.send(request);
      return { reply, seen: receiver.received.length - seen, connections: receiver.connections - connections };
    }

    test.each(['GET', 'PUT', 'DELETE'] as const)('%s goes out again on a new one', async (method) => {
      const { reply, seen } = await afterAKeptConnection(clientFor(receiver.url), { method, url: receiver.url });
      expect(reply).toMatchObject({ kind: 'answered', status: 204 });
      expect(seen).toBe(2);
    });

    test.each(['POST', 'PATCH'] as const)(
      '%s never goes out twice, and takes a connection of its own',
      async (method) => {
        const client = clientFor(receiver.url);
        const { reply, seen, connections } = await afterAKeptConnection(client, {
          method,
          url: receiver.url,
          body: 'code=1',
        });
        expect(reply).toMatchObject({ kind: 'unanswered', reason: 'connection' });
        expect([seen, connections]).toEqual([1, 1]);
      },
    );

    test('a POST that may be repeated is', async () => {
      const request = { method: 'POST', url: receiver.url, body: '{}', isIdempotent: true } as const;
      const { reply, seen } = await afterAKeptConnection(clientFor(receiver.url), request);
      expect(reply).toMatchObject({ status: 204 });
      expect(seen).toBe(2);
    });
  });
});

describe('an address that somebody else chose', () => {
  test.each(['http://127.0.0.1', 'http://localhost', 'http://[::1]', 'http://169.254.169.254', 'http://10.0.0.1'])(
    'is not reached at %s, which is inside',
    async (origin) => {
      const before = receiver.connections;
      const url = `${origin}:${new URL(receiver.url).port}/`;
      for (const method of ['GET', 'POST'] as const)
        expect(await createGuardedClient({ loopback: false }).send({ method, url })).toMatchObject({
          kind: 'unanswered',
          reason: 'address_refused',
        });
      expect(receiver.connections).toBe(before);
    },
  );

  test('is judged by where its name leads at that moment, on kept connections and fresh ones', async () => {
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    const client = createGuardedClient({ loopback: false }, { resolve });
    const before = receiver.connections;
    const url = `http://rebind.example:${new URL(receiver.url).port}/`;
    for (const method of ['GET', 'POST'] as const)
      expect(await client.send({ method, url })).toMatchObject({ reason: 'address_refused' });
    expect(receiver.connections).toBe(before);
  });
});

describe('a host that we chose', () => {
  test('may lead anywhere, and no other host is spoken to', async () => {
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    const { port } = new URL(receiver.url);
    const client = createFixedOriginClient([`http://api.vendor.example:${port}`], { resolve });
    const before = receiver.connections;
    expect(await client.send({ method: 'GET', url: `http://api.vendor.example:${port}/v2` })).toMatchObject({
      status: 204,
    });
    for (const url of [
      `http://other.example:${port}/`,
      `https://api.vendor.example:${port}/`,
      'http://api.vendor.example/',
      `http://api.vendor.example.evil.example:${port}/`,
      `http://api.vendor.example:${port}@other.example/`,
      receiver.url,
    ])
      expect(await client.send({ method: 'GET', url })).toMatchObject({
        kind: 'unanswered',
        reason: 'address_refused',
      });
    expect(receiver.connections - before).toBe(1);
  });
});
