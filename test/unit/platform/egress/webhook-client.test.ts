import { createServer as createTlsServer } from 'node:https';
import { createServer, type Server as NetServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Resolve } from '../../../../shared/platform/egress/guarded-agents.ts';
import { createWebhookClient } from '../../../../shared/platform/egress/webhook-client.ts';
import { createCertificate } from '../../../harness/certificate.ts';
import { type Receiver, respond, startReceiver } from '../../../harness/receiver.ts';

/** Counts the connections to any address of this machine, and would respond. */
let inside: NetServer;
let port: number;
let connections = 0;
beforeAll(async () => {
  inside = createServer((socket) => {
    connections += 1;
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
  });
  await new Promise<void>((resolve) => inside.listen(0, '::', resolve));
  const address = inside.address();
  port = address !== null && typeof address === 'object' ? address.port : 0;
});
afterAll(() => new Promise<void>((resolve) => inside.close(() => resolve())));

const makeRequest = (url: string) => ({ url, headers: { 'x-test': 'yes' }, body: '{"a":"é"}' });
const fixed =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

describe('no connection is made', () => {
  const literals = `
    127.0.0.1 127.1 127.0.1 2130706433 0x7f000001 0x7f.0.0.1 0177.0.0.1 017700000001 0 0.0.0.0 0x0 127.0.0.2 127.255.255.254
    [::1] [::] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [::ffff:0:127.0.0.1] [64:ff9b::127.0.0.1]
    [64:ff9b::7f00:1] [2002:7f00:1::1] [2001:0:7f00:1::1] [fe80::1] [fd00:ec2::254] [fc00::1] [ff02::1] [2001:db8::1]
    10.0.0.1 172.16.0.1 192.168.0.1 100.64.0.1 169.254.169.254 2852039166 0xa9fea9fe 0251.0376.0251.0376 192.0.2.1
    198.51.100.1 203.0.113.1 198.18.0.1 224.0.0.1 255.255.255.255 192.0.0.1 168.63.129.16 ①②⑦.⓪.⓪.① 127。0。0。1
  `
    .trim()
    .split(/\s+/);
  test.each(literals)('to the address %s in a URL', async (host) => {
    const client = createWebhookClient({ loopback: false });
    const before = connections;
    for (const scheme of ['http', 'https']) {
      const result = await client.post(makeRequest(`${scheme}://${host}:${port}/`));
      expect(result).toMatchObject({ kind: 'unanswered', reason: 'address_refused' });
    }
    expect(connections).toBe(before);
  });

  test.each([
    ['127.0.0.1'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['169.254.169.254'],
    ['10.0.0.1'],
    ['0.0.0.0'],
    ['fe80::1%lo'],
    ['8.8.8.8', '127.0.0.1'],
    ['127.0.0.1', '8.8.8.8'],
    ['2606:4700:4700::1111', '::1'],
  ])('to a name that resolves to %s %s', async (...addresses) => {
    const client = createWebhookClient({ loopback: false, resolve: fixed(...addresses) });
    const before = connections;
    for (const scheme of ['http', 'https'])
      expect(await client.post(makeRequest(`${scheme}://rebind.example:${port}/`))).toMatchObject({
        reason: 'address_refused',
      });
    expect(connections).toBe(before);
  });

  test('to a name that resolves differently from one lookup to the next: every connection is checked by the address it reaches', async () => {
    const turns = ['8.8.8.8', '127.0.0.1'];
    let looks = 0;
    const resolve: Resolve = async () => [{ address: turns[looks++ % 2] ?? '', family: 4 }];
    const client = createWebhookClient({ loopback: false, resolve });
    const before = connections;
    // The first lookup is what a check at registration would have seen; the lookup of the request
    // decides.
    await resolve('rebind.example');
    expect(await client.post(makeRequest(`http://rebind.example:${port}/`))).toMatchObject({
      reason: 'address_refused',
    });
    expect(looks).toBe(2);
    expect(connections).toBe(before);
  });

  test('to localhost, however it is resolved, outside a laptop', async () => {
    const before = connections;
    const result = await createWebhookClient({ loopback: false }).post(makeRequest(`http://localhost:${port}/`));
    expect(result).toMatchObject({ reason: 'address_refused' });
    expect(connections).toBe(before);
  });

  test('to other private addresses on a laptop', async () => {
    const client = createWebhookClient({ loopback: true, resolve: fixed('192.168.0.1') });
    expect(await client.post(makeRequest('http://nas.example/'))).toMatchObject({ reason: 'address_refused' });
    expect(await client.post(makeRequest('http://10.0.0.1/'))).toMatchObject({ reason: 'address_refused' });
    expect(await client.post(makeRequest(`http://[::ffff:127.0.0.1]:${port}/`))).toMatchObject({
      reason: 'address_refused',
    });
  });

  test('that sends a byte when the address it reached is not the one that was resolved', async () => {
    // The resolver deceives the first check; the second check uses the address of the socket.
    let bytes = 0;
    const server = createServer((socket) => socket.on('data', (chunk) => (bytes += chunk.length)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const at = address !== null && typeof address === 'object' ? address.port : 0;
    let reads = 0;
    const lying = {
      family: 4,
      get address() {
        return reads++ === 0 ? '8.8.8.8' : '127.0.0.1';
      },
    };
    for (const scheme of ['http', 'https']) {
      reads = 0;
      const client = createWebhookClient({ loopback: false, resolve: async () => [lying] });
      expect(await client.post(makeRequest(`${scheme}://lying.example:${at}/`))).toMatchObject({
        reason: 'address_refused',
      });
      expect(reads).toBeGreaterThan(1);
    }
    expect(bytes).toBe(0);
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
});

describe('a webhook request', () => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.close());

  test('arrives byte for byte, and connections are kept alive', async () => {
    const client = createWebhookClient({ loopback: true });
    const before = receiver.connections;
    for (let sent = 0; sent < 5; sent++)
      expect(await client.post(makeRequest(receiver.url))).toMatchObject({ kind: 'answered', status: 204 });
    expect(receiver.received.at(-1)).toMatchObject({ body: '{"a":"é"}', headers: { 'content-length': '10' } });
    expect(receiver.connections - before).toBe(1);
  });

  test('is sent again on a new connection when a kept-alive one was closed in the meantime', async () => {
    const client = createWebhookClient({ loopback: true });
    receiver.respondWith((response) => response.writeHead(204, { 'keep-alive': 'timeout=600' }).end());
    expect(await client.post(makeRequest(receiver.url))).toMatchObject({ status: 204 });
    const before = receiver.received.length;
    let first = true;
    receiver.respondWith((response) => {
      if (first) response.destroy();
      else response.writeHead(204).end();
      first = false;
    });
    expect(await client.post(makeRequest(receiver.url))).toMatchObject({ kind: 'answered', status: 204 });
    expect(receiver.received.length - before).toBe(2);
    receiver.respondWith(respond(204));
  });

  test('follows no redirect', async () => {
    receiver.respondWith(respond(302, { location: `http://127.0.0.1:${port}/` }));
    const before = connections;
    expect(await createWebhookClient({ loopback: true }).post(makeRequest(receiver.url))).toMatchObject({
      status: 302,
    });
    expect(connections).toBe(before);
    receiver.respondWith(respond(204));
  });

  test('goes over TLS to the name in the URL, and not to a server with a certificate for another name', async () => {
    const { key, cert } = createCertificate('hooks.example');
    const server = createTlsServer({ key, cert }, (_request, response) => response.writeHead(204).end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const at = address !== null && typeof address === 'object' ? address.port : 0;
    const trusting = createWebhookClient({ loopback: true, resolve: fixed('127.0.0.1'), tls: { ca: cert } });
    expect(await trusting.post(makeRequest(`https://hooks.example:${at}/`))).toMatchObject({ status: 204 });
    expect(await trusting.post(makeRequest(`https://other.example:${at}/`))).toMatchObject({
      reason: 'connection',
      message: expect.stringContaining('altnames'),
    });
    const wary = createWebhookClient({ loopback: true, resolve: fixed('127.0.0.1') });
    expect(await wary.post(makeRequest(`https://hooks.example:${at}/`))).toMatchObject({ reason: 'connection' });
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });

  test('to many origins keeps a bounded number of connection pools', async () => {
    const client = createWebhookClient({ loopback: true, resolve: fixed('127.0.0.1') });
    const at = new URL(receiver.url).port;
    for (let origin = 0; origin < 300; origin++)
      expect(await client.post(makeRequest(`http://h${origin}.example:${at}/`))).toMatchObject({ status: 204 });
    expect(await client.post(makeRequest(`http://h0.example:${at}/`))).toMatchObject({ status: 204 });
  });
});
