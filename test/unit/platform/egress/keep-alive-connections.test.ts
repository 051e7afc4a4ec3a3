// Kept-alive connections: how many there are, for which origins, and which requests are sent on
// them only once.
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createGuardedClient } from '../../../../shared/platform/egress/http-client.ts';
import type { HttpClient } from '../../../../shared/platform/ports.ts';

const sockets = new Set<Socket>();
let server: Server;
let received: { headers: Record<string, unknown>; socket: Socket; nth: number }[];
let mute: (path: string) => boolean;
const requestsOn = new Map<Socket, number>();
beforeEach(async () => {
  received = [];
  mute = () => false;
  server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const nth = (requestsOn.get(request.socket) ?? 0) + 1;
    requestsOn.set(request.socket, nth);
    received.push({ headers: request.headers, socket: request.socket, nth });
    if (request.url === '/dead' && nth > 1) request.socket.destroy();
    else if (!mute(request.url ?? '')) response.writeHead(204).end();
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
const port = () => (server.address() as AddressInfo).port;
const url = (path: string, host = '127.0.0.1') => `http://${host}:${port()}${path}`;
const anyName = { resolve: async () => [{ address: '127.0.0.1', family: 4 }] };
const open = (): HttpClient => createGuardedClient({ loopback: true }, anyName);

test('a request that times out on a kept-alive connection is not sent again', async () => {
  const client = open();
  await client.send({ method: 'GET', url: url('/') });
  mute = (path) => path === '/mute';
  const reply = await client.send({ method: 'GET', url: url('/mute'), timeoutMs: 200 });
  expect(reply).toMatchObject({ kind: 'unanswered', reason: 'timeout' });
  await client.send({ method: 'GET', url: url('/after') });
  expect(received.map(({ nth }) => nth)).toEqual([1, 2, 1]);
});

test('a request is sent on a new connection when every kept-alive one is dead', async () => {
  const client = open();
  const get = (path: string) => client.send({ method: 'GET', url: url(path) });
  await Promise.all([get('/'), get('/'), get('/')]);
  expect(await get('/dead')).toMatchObject({ kind: 'answered', status: 204 });
  expect(received.map(({ nth }) => nth)).toEqual([1, 1, 1, 2, 1]);
});

test('the Host header is that of the URL, regardless of the given headers', async () => {
  await open().send({ method: 'GET', url: url('/'), headers: { host: 'inside.example' } });
  expect(received[0]?.headers['host']).toBe(`127.0.0.1:${port()}`);
});

test('a request that must not be sent twice leaves no connection behind', async () => {
  await open().send({ method: 'POST', url: url('/'), body: 'x' });
  await vi.waitFor(() => expect(sockets.size).toBe(0));
  expect(received[0]?.headers['connection']).toBe('close');
});

test('at most 64 origins keep connections, and one that waits for its response keeps its own', async () => {
  const client = open();
  mute = (path) => path === '/slow';
  const waiting = client.send({ method: 'GET', url: url('/slow', 'slow.example'), timeoutMs: 20_000 });
  for (let n = 0; n < 70; n++) await client.send({ method: 'GET', url: url('/', `host-${n}.example`) });
  await vi.waitFor(() => expect(sockets.size).toBe(64));
  const slow = received.findIndex(({ headers }) => String(headers['host']).startsWith('slow'));
  expect(received[slow]?.socket.destroyed).toBe(false);
  server.closeAllConnections();
  await waiting;
});

test('a name without any address is reported as a connection failure', async () => {
  const client = createGuardedClient({ loopback: true }, { resolve: async () => [] });
  expect(await client.send({ method: 'GET', url: url('/', 'nowhere.example'), timeoutMs: 2_000 })).toMatchObject({
    kind: 'unanswered',
    reason: 'connection',
    message: 'nowhere.example has no address',
  });
});
