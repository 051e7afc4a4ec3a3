// Receivers that misuse a connection: every exchange ends, at its deadline at the latest, and none
// of them counts as a success.
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createWebhookClient } from '../../../../shared/platform/egress/webhook-client.ts';
import type { WebhookResponse } from '../../../../shared/platform/ports.ts';
import { testTimers } from '../../../harness/webhook-system.ts';

let server: Server;
const open = new Set<Socket>();
afterEach(async () => {
  for (const socket of open) socket.destroy();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

/** Starts a server that reacts to each connection as the test says. */
async function startUnruly(reaction: (socket: Socket) => void): Promise<string> {
  server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
    socket.once('data', () => reaction(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return `http://127.0.0.1:${address.port}/hook`;
}

const makeRequest = (url: string) => ({ url, headers: {}, body: '{}' });
const failed = (response: WebhookResponse): boolean =>
  response.kind === 'unanswered' || response.status < 200 || response.status >= 300;

/** Writes the same chunk again and again, as fast as it is read, until the other side closes. */
const flood = (socket: Socket, chunk: string) => {
  const more = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', more);
  more();
};
const drip = (socket: Socket, chunk: string) => {
  const timer = setInterval(() => socket.write(chunk), 1);
  socket.on('close', () => clearInterval(timer));
};

describe('a receiver that ends the exchange itself', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['answers 101', (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n')],
    [
      'upgrades the connection and stays',
      (socket) =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nhello'),
    ],
    ['answers 101 and hangs up', (socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n')],
    ['hangs up without a response', (socket) => socket.end()],
    ['breaks the connection', (socket) => socket.resetAndDestroy()],
    ['hangs up in the middle of its headers', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Le')],
    ['hangs up in the middle of its body', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf')],
    [
      'hangs up in the middle of its trailers',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-Half'),
    ],
    ['does not speak HTTP', (socket) => socket.end('220 mail.example ESMTP\r\n')],
    ['sends endless headers', (socket) => flood(startOf(socket), `X-More: ${'x'.repeat(900)}\r\n`)],
    [
      'sends endless trailers',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n');
        flood(socket, `X-More: ${'x'.repeat(900)}\r\n`);
      },
    ],
  ])('and %s counts as failed, long before the deadline', async (_what, reaction) => {
    const timers = testTimers();
    const client = createWebhookClient({ loopback: true, timer: timers.timer });
    const response = await client.post(makeRequest(await startUnruly(reaction)));
    expect(response).toSatisfy(failed);
    expect(timers.pending).toEqual([]);
  });

  test('and switches protocols gets its status recorded, and nothing is left open', async () => {
    const client = createWebhookClient({ loopback: true, timer: testTimers().timer });
    const turns = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
    const url = await startUnruly((socket) => socket.write(turns));
    expect(await client.post(makeRequest(url))).toMatchObject({ kind: 'answered', status: 101 });
    await expect.poll(() => open.size).toBe(0);
  });

  test('and sends an endless body has it read up to the limit and no further', async () => {
    const client = createWebhookClient({ loopback: true, timer: testTimers().timer });
    const url = await startUnruly((socket) => {
      socket.write('HTTP/1.1 500 Oh\r\nTransfer-Encoding: chunked\r\n\r\n');
      flood(socket, `400\r\n${'x'.repeat(1024)}\r\n`);
    });
    expect(await client.post(makeRequest(url))).toMatchObject({
      kind: 'answered',
      status: 500,
      body: 'x'.repeat(1024),
    });
    await expect.poll(() => open.size).toBe(0);
  });
});

const startOf = (socket: Socket): Socket => {
  socket.write('HTTP/1.1 200 OK\r\n');
  return socket;
};

describe('a receiver that never ends the exchange', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['sends nothing', () => {}],
    ['floods with 100 Continue', (socket) => flood(socket, 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(20))],
    ['floods with 103 Early Hints', (socket) => flood(socket, 'HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n')],
    ['sends 100 Continue and nothing more', (socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n')],
    ['sends its headers character by character', (socket) => drip(startOf(socket), 'x')],
    ['stops in the middle of its headers', (socket) => startOf(socket)],
    ['stops in the middle of its body', (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf')],
    [
      'stops before the end of its trailers',
      (socket) => socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-A: 1\r\n'),
    ],
    [
      'sends its body byte by byte',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
        drip(socket, '1\r\nx\r\n');
      },
    ],
  ])('and %s counts as failed at the deadline, and its connection is closed', async (_what, reaction) => {
    const client = createWebhookClient({ loopback: true, timeoutMs: 150 });
    const url = await startUnruly(reaction);
    const started = performance.now();
    const response = await client.post(makeRequest(url));
    expect(response).toMatchObject({ kind: 'unanswered', reason: 'timeout' });
    expect(performance.now() - started).toBeLessThan(3_000);
    await expect.poll(() => open.size).toBe(0);
  });
});

describe('a receiver that cannot be reached', () => {
  test('times out when its name lookup never ends', async () => {
    const client = createWebhookClient({ loopback: true, timeoutMs: 50, resolve: () => new Promise(() => {}) });
    await startUnruly(() => {});
    expect(await client.post(makeRequest('http://slow.example/'))).toMatchObject({ reason: 'timeout' });
  });

  test('times out when it does not speak TLS', async () => {
    const client = createWebhookClient({ loopback: true, timeoutMs: 150 });
    const url = (await startUnruly(() => {})).replace('http:', 'https:');
    expect(await client.post(makeRequest(url))).toMatchObject({ reason: 'timeout' });
    await expect.poll(() => open.size).toBe(0);
  });
});
