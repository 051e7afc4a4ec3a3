// Bodies that never end hold little, not for long, and nobody else's room.
import { once } from 'node:events';
import { type ClientRequest, createServer, type IncomingMessage, request } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type BodyMemoryLimits, createIncomingBodies, isRejected } from '../../../infra/local/incoming-bodies.ts';

const kilo = 1_000;
const bodyLimits: BodyMemoryLimits = {
  unfinishedBytes: 40 * kilo,
  finishedBytes: 40 * kilo,
  reserveBytes: 10 * kilo,
  smallBytes: kilo,
  windowMs: 60_000,
  windowBytes: 10,
};

interface SendOptions {
  /** Undefined: it does not say. */
  length?: number | undefined;
  sender?: string;
}

interface SentRequest {
  path: string;
  request: ClientRequest;
  /** What became of it: the count of its bytes, or why it was refused. */
  outcome: Promise<string>;
}

/** Each request is known by its path, and comes from the address that it names. */
async function startBodyServer({ keep = false } = {}) {
  const bodies = createIncomingBodies(bodyLimits);
  const arrived = new Map<string, number>();
  const server = createServer(async (incoming, response) => {
    const name = incoming.url ?? '';
    incoming.on('data', (chunk: Buffer) => arrived.set(name, (arrived.get(name) ?? 0) + chunk.length));
    setSender(incoming, incoming.headers['x-sender']);
    const body = await bodies.read(incoming, 30 * kilo).catch(() => 'too_slow' as const);
    response.end(isRejected(body) ? body : String(body.bytes.length));
    if (!isRejected(body) && !keep) body.release();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  let count = 0;

  /** Resolves when what was sent is held. */
  async function send(bytes: number, { sender = '', ...said }: SendOptions = {}): Promise<SentRequest> {
    const path = `/${count++}`;
    const length = 'length' in said ? said.length : bytes;
    const headers = {
      ...(length === undefined ? {} : { 'content-length': length }),
      ...(sender ? { 'x-sender': sender } : {}),
    };
    const clientRequest = request({ port, host: '127.0.0.1', method: 'POST', path, headers, agent: false });
    const outcome = new Promise<string>((resolve) => {
      clientRequest.once('error', () => resolve('left'));
      clientRequest.once('response', (response: IncomingMessage) => {
        response.setEncoding('utf8');
        response.on('data', resolve);
      });
    });
    if (length === bytes) clientRequest.end(new Uint8Array(bytes));
    else clientRequest.write(new Uint8Array(bytes));
    await arrival(path, bytes);
    return { path, request: clientRequest, outcome };
  }

  async function arrival(path: string, bytes: number): Promise<void> {
    while ((arrived.get(path) ?? 0) < bytes) await new Promise(setImmediate);
  }

  async function more({ path, request: clientRequest }: SentRequest, bytes: number): Promise<void> {
    const before = arrived.get(path) ?? 0;
    clientRequest.write(new Uint8Array(bytes));
    await arrival(path, before + bytes);
  }
  return { send, more };
}

/** As if it had come from there: a machine has but one address to send from. */
function setSender(incoming: IncomingMessage, sender: string | string[] | undefined): void {
  if (typeof sender === 'string') Object.defineProperty(incoming.socket, 'remoteAddress', { value: sender });
}

describe('where unfinished bodies are too much', () => {
  test('one that held its room longest gives way, and whoever comes is taken', async () => {
    const { send } = await startBodyServer();
    const held = [];
    for (let each = 0; each < 4; each++) held.push(await send(10 * kilo, { length: 20 * kilo }));
    expect(await (await send(20 * kilo)).outcome).toBe(String(20 * kilo));
    const refused = await Promise.race(held.map(({ outcome }) => outcome));
    expect(refused).toBe('too_much');
  });

  test('the address that holds the most gives way, whoever came last', async () => {
    const { send } = await startBodyServer();
    const modest = await send(9 * kilo, { length: 10 * kilo, sender: '192.0.2.1' });
    const greedy = [];
    for (let each = 0; each < 3; each++) greedy.push(await send(15 * kilo, { length: 30 * kilo, sender: '192.0.2.2' }));
    expect(await Promise.race(greedy.map(({ outcome }) => outcome))).toBe('too_much');
    modest.request.end(new Uint8Array(kilo));
    expect(await modest.outcome).toBe(String(10 * kilo));
  });

  test('a network of version 6 counts as one address', async () => {
    const { send } = await startBodyServer();
    const modest = await send(15 * kilo, { length: 16 * kilo, sender: '2001:db8:1::1' });
    const greedy = [];
    for (let each = 0; each < 4; each++)
      greedy.push(await send(9 * kilo, { length: 30 * kilo, sender: `2001:db8:2::${each}` }));
    expect(await Promise.race(greedy.map(({ outcome }) => outcome))).toBe('too_much');
    modest.request.end(new Uint8Array(kilo));
    expect(await modest.outcome).toBe(String(16 * kilo));
  });

  test('what has left, or was refused, holds nothing', async () => {
    const { send } = await startBodyServer();
    for (let each = 0; each < 20; each++) {
      const left = await send(25 * kilo, { length: 30 * kilo });
      left.request.destroy();
      expect(await left.outcome).toBe('left');
    }
    const [one, other] = [await send(20 * kilo, { length: 21 * kilo }), await send(19 * kilo, { length: 20 * kilo })];
    one.request.end(new Uint8Array(kilo));
    other.request.end(new Uint8Array(kilo));
    expect([await one.outcome, await other.outcome]).toEqual([String(21 * kilo), String(20 * kilo)]);
  });
});

describe('a body', () => {
  test('that says it is too long is refused before any of it has come', async () => {
    const { send } = await startBodyServer();
    expect(await (await send(0, { length: 30 * kilo + 1 })).outcome).toBe('too_long');
  });

  test('that does not say how long it is is refused as soon as it is too long', async () => {
    const { send, more } = await startBodyServer();
    const unsaid = await send(20 * kilo, { length: undefined });
    await more(unsaid, 10 * kilo + 1);
    expect(await unsaid.outcome).toBe('too_long');
  });

  test('that trickles, or stands still, is ended; one that comes on is waited for', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { send, more } = await startBodyServer();
    const bodies = [];
    for (let each = 0; each < 3; each++) bodies.push(await send(bodyLimits.windowBytes, { length: 10 * kilo }));
    const [still, trickling, steady] = bodies;
    if (!still || !trickling || !steady) throw new Error('three were sent');
    vi.advanceTimersByTime(bodyLimits.windowMs);
    await more(trickling, bodyLimits.windowBytes - 1);
    await more(steady, bodyLimits.windowBytes);
    vi.advanceTimersByTime(bodyLimits.windowMs);
    expect(await Promise.all([still.outcome, trickling.outcome])).toEqual(['too_slow', 'too_slow']);
    steady.request.end(new Uint8Array(10 * kilo - 2 * bodyLimits.windowBytes));
    expect(await steady.outcome).toBe(String(10 * kilo));
  });

  test('that is complete is refused when too many are being answered, unless it is small', async () => {
    const { send } = await startBodyServer({ keep: true });
    expect(await (await send(20 * kilo)).outcome).toBe(String(20 * kilo));
    expect(await (await send(20 * kilo)).outcome).toBe(String(20 * kilo));
    expect(await (await send(kilo + 1)).outcome).toBe('too_much');
    expect(await (await send(kilo)).outcome).toBe(String(kilo));
  });
});
