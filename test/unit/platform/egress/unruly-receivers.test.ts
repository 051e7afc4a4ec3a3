// Receivers that do whatever they like with a connection: every exchange ends, by its deadline at the latest, and none of these is a success.
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

/** Answers whatever comes as the test tells it to. */
async function startUnruly(reaction: (socket: Socket) => void): Promise<string> {
  server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
    socket.once('data', () => reaction(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('there is no port');
  return `http://127.0.0.1:${address.port}/hook`;
}

const letter = (url: string) => ({ url, headers: {}, body: '{}' });
const failed = (receipt: WebhookResponse): boolean =>
  receipt.kind === 'unanswered' || receipt.status < 200 || receipt.status >= 300;

/** Writes the same again and again, as fast as it is taken, until the other side has enough. */
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

describe('a receiver that ends it itself', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['answers 101', (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n')],
    [
      'upgrades the connection and stays',
      (socket) =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nhello'),
    ],
    ['answers 101 and hangs up', (socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n')],
    ['hangs up without a word', (socket) => socket.end()],
    ['breaks the connection', (socket) => socket.resetAndDestroy()],
    ['hangs up in its headers', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Le')],
    ['hangs up in its body', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf')],
    [
      'hangs up in its trailers',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-Half'),
    ],
    ['says what is no HTTP', (socket) => socket.end('220 mail.example ESMTP\r\n')],
    ['has headers without end', (socket) => flood(startOf(socket), `X-More: ${'x'.repeat(900)}\r\n`)],
    [
      'has trailers without end',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n');
        flood(socket, `X-More: ${'x'.repeat(900)}\r\n`);
      },
    ],
  ])('%s has failed, long before the deadline', async (_what, reaction) => {
    const alarms = testTimers();
    const courier = createWebhookClient({ loopback: true, timer: alarms.timer });
    const receipt = await courier.post(letter(await startUnruly(reaction)));
    expect(receipt).toSatisfy(failed);
    expect(alarms.pending).toEqual([]);
  });

  test('turns to another protocol: that is its answer, and nothing is left open for it', async () => {
    const courier = createWebhookClient({ loopback: true, timer: testTimers().timer });
    const turns = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
    const url = await startUnruly((socket) => socket.write(turns));
    expect(await courier.post(letter(url))).toMatchObject({ kind: 'answered', status: 101 });
    await expect.poll(() => open.size).toBe(0);
  });

  test('has a body without end: it is read so far and no further', async () => {
    const courier = createWebhookClient({ loopback: true, timer: testTimers().timer });
    const url = await startUnruly((socket) => {
      socket.write('HTTP/1.1 500 Oh\r\nTransfer-Encoding: chunked\r\n\r\n');
      flood(socket, `400\r\n${'x'.repeat(1024)}\r\n`);
    });
    expect(await courier.post(letter(url))).toMatchObject({ kind: 'answered', status: 500, body: 'x'.repeat(1024) });
    await expect.poll(() => open.size).toBe(0);
  });
});

const startOf = (socket: Socket): Socket => {
  socket.write('HTTP/1.1 200 OK\r\n');
  return socket;
};

describe('a receiver that never comes to an end', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['says nothing', () => {}],
    ['floods with 100 Continue', (socket) => flood(socket, 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(20))],
    ['floods with 103 Early Hints', (socket) => flood(socket, 'HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n')],
    ['says 100 Continue and nothing more', (socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n')],
    ['says its headers letter by letter', (socket) => drip(startOf(socket), 'x')],
    ['stops in its headers', (socket) => startOf(socket)],
    ['stops in its body', (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf')],
    [
      'stops before its trailers end',
      (socket) => socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-A: 1\r\n'),
    ],
    [
      'drips its body',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
        drip(socket, '1\r\nx\r\n');
      },
    ],
  ])('%s has failed when the deadline is over, and its connection is closed', async (_what, reaction) => {
    const courier = createWebhookClient({ loopback: true, timeoutMs: 150 });
    const url = await startUnruly(reaction);
    const started = performance.now();
    const receipt = await courier.post(letter(url));
    expect(receipt).toMatchObject({ kind: 'unanswered', reason: 'timeout' });
    expect(performance.now() - started).toBeLessThan(3_000);
    await expect.poll(() => open.size).toBe(0);
  });
});

describe('a receiver that cannot be reached in time', () => {
  test('because its name is looked up without end', async () => {
    const courier = createWebhookClient({ loopback: true, timeoutMs: 50, resolve: () => new Promise(() => {}) });
    await startUnruly(() => {});
    expect(await courier.post(letter('http://slow.example/'))).toMatchObject({ reason: 'timeout' });
  });

  test('because it speaks no TLS', async () => {
    const courier = createWebhookClient({ loopback: true, timeoutMs: 150 });
    const url = (await startUnruly(() => {})).replace('http:', 'https:');
    expect(await courier.post(letter(url))).toMatchObject({ reason: 'timeout' });
    await expect.poll(() => open.size).toBe(0);
  });
});
