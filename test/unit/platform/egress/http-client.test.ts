// Outgoing requests: what is sent, and servers that stall, flood, redirect or lead to internal
// addresses.
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

/** Starts a server that reacts to each connection as the test says, once data arrives. */
async function startHostile(reaction: (socket: Socket) => void): Promise<string> {
  hostile = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
    socket.once('data', () => reaction(socket));
  });
  await new Promise<void>((resolve) => hostile?.listen(0, '127.0.0.1', resolve));
  const address = hostile.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return `http://127.0.0.1:${address.port}/`;
}

const textOf = ({ body }: HttpResponse): string => Buffer.from(body).toString();

/** Both kinds of client, for a server on this machine. */
const ways: [string, (url: string, options?: Parameters<typeof createFixedOriginClient>[1]) => HttpClient][] = [
  ['to an address that a caller chose', (_url, options) => createGuardedClient({ loopback: true }, options)],
  ['to a host that Daybook chose', (url, options) => createFixedOriginClient([url], options)],
];

describe.each(ways)('%s', (_name, clientFor) => {
  test('the method, path, headers and bytes arrive unchanged, and so does the response', async () => {
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

  test('a request without a body sends none, and its connection is kept alive', async () => {
    const client = clientFor(receiver.url);
    const before = receiver.connections;
    for (let sent = 0; sent < 3; sent++)
      expect(await client.send({ method: 'GET', url: receiver.url })).toMatchObject({ status: 204 });
    expect(receiver.received.at(-1)?.headers).not.toHaveProperty('content-length');
    expect(receiver.connections - before).toBe(1);
  });

  test('a redirect is returned as the response and is not followed', async () => {
    const elsewhere = await startHostile((socket) => socket.end());
    receiver.respondWith(respond(302, { location: elsewhere }));
    const reply = await clientFor(receiver.url).send({ method: 'GET', url: receiver.url });
    expect(reply).toMatchObject({ kind: 'answered', status: 302, headers: { location: elsewhere } });
    expect(open.size).toBe(0);
  });

  test.each<[string, (socket: Socket) => void]>([
    ['sends nothing', () => {}],
    ['stops in the middle of its body', (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf')],
    ['sends 100 Continue and nothing more', (socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n')],
  ])(
    'a server that %s times out at the limit of the request, and its connection is closed',
    async (_what, reaction) => {
      const url = await startHostile(reaction);
      const reply = await clientFor(url).send({ method: 'GET', url, timeoutMs: 150 });
      expect(reply).toMatchObject({ kind: 'unanswered', reason: 'timeout' });
      await expect.poll(() => open.size).toBe(0);
    },
  );

  test('the timeout is that of the request, or ten seconds', async () => {
    const alarms = testTimers();
    const url = await startHostile(() => {});
    const client = clientFor(url, { timer: alarms.timer });
    const both = [client.send({ method: 'GET', url }), client.send({ method: 'GET', url, timeoutMs: 500 })];
    expect(alarms.pending).toEqual([10_000, 500]);
    alarms.fire();
    for (const reply of await Promise.all(both)) expect(reply).toMatchObject({ reason: 'timeout' });
  });

  test('an endless body is read up to the limit and no further, and does not count as a response', async () => {
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
  ])('a response of ten bytes with a limit of %d is %s', async (limit, kind) => {
    receiver.respondWith(respond(200, {}, '0123456789'));
    const client = clientFor(receiver.url);
    expect(await client.send({ method: 'GET', url: receiver.url, maxBytes: limit })).toMatchObject({ kind });
  });

  test('a server that breaks the connection, or does not exist, is reported as a connection failure', async () => {
    const url = await startHostile((socket) => socket.resetAndDestroy());
    expect(await clientFor(url).send({ method: 'GET', url })).toMatchObject({ reason: 'connection' });
    hostile?.close();
    expect(await clientFor(url).send({ method: 'GET', url })).toMatchObject({ reason: 'connection' });
  });

  describe('when a kept-alive connection turns out to be dead', () => {
    /**
     * The first request succeeds and its connection is kept alive; the next request on it is
     * received, and the connection is broken.
     */
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

    test.each(['GET', 'PUT', 'DELETE'] as const)('%s is sent again on a new one', async (method) => {
      const { reply, seen } = await afterAKeptConnection(clientFor(receiver.url), { method, url: receiver.url });
      expect(reply).toMatchObject({ kind: 'answered', status: 204 });
      expect(seen).toBe(2);
    });

    test.each(['POST', 'PATCH'] as const)(
      '%s is never sent twice, and uses a connection of its own',
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

    test('a POST that is repeatable is sent again', async () => {
      const request = { method: 'POST', url: receiver.url, body: '{}', isIdempotent: true } as const;
      const { reply, seen } = await afterAKeptConnection(clientFor(receiver.url), request);
      expect(reply).toMatchObject({ status: 204 });
      expect(seen).toBe(2);
    });
  });
});

describe('an address that a caller chose', () => {
  test.each(['http://127.0.0.1', 'http://localhost', 'http://[::1]', 'http://169.254.169.254', 'http://10.0.0.1'])(
    'is not reached at %s, which is internal',
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

  test('is checked by what its name resolves to at that moment, on kept-alive connections and new ones', async () => {
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    const client = createGuardedClient({ loopback: false }, { resolve });
    const before = receiver.connections;
    const url = `http://rebind.example:${new URL(receiver.url).port}/`;
    for (const method of ['GET', 'POST'] as const)
      expect(await client.send({ method, url })).toMatchObject({ reason: 'address_refused' });
    expect(receiver.connections).toBe(before);
  });
});

describe('a host that Daybook chose', () => {
  test('may resolve to any address, and no other host is contacted', async () => {
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
