// Request bodies that never end use limited memory for a limited time, and do not take it from
// others.
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
  /** Undefined if the request does not state its length. */
  length?: number | undefined;
  sender?: string;
}

interface SentRequest {
  path: string;
  request: ClientRequest;
  /** The number of bytes that arrived, or the reason for the rejection. */
  outcome: Promise<string>;
}

/**
 * Starts a server that identifies each request by its path, and takes the sender from the request.
 */
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

  /** Resolves when the server holds the bytes that were sent. */
  async function send(bytes: number, { sender = '', ...declared }: SendOptions = {}): Promise<SentRequest> {
    const path = `/${count++}`;
    const length = 'length' in declared ? declared.length : bytes;
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

/** Sets the remote address, because a machine has only one address to send from. */
function setSender(incoming: IncomingMessage, sender: string | string[] | undefined): void {
  if (typeof sender === 'string') Object.defineProperty(incoming.socket, 'remoteAddress', { value: sender });
}

describe('when unfinished bodies exceed the memory limit', () => {
  test('the one held longest is rejected, and a new request is accepted', async () => {
    const { send } = await startBodyServer();
    const openRequests = [];
    for (let each = 0; each < 4; each++) openRequests.push(await send(10 * kilo, { length: 20 * kilo }));
    expect(await (await send(20 * kilo)).outcome).toBe(String(20 * kilo));
    const refused = await Promise.race(openRequests.map(({ outcome }) => outcome));
    expect(refused).toBe('too_much');
  });

  test('the address that holds the most is rejected, regardless of the order of arrival', async () => {
    const { send } = await startBodyServer();
    const modest = await send(9 * kilo, { length: 10 * kilo, sender: '192.0.2.1' });
    const greedy = [];
    for (let each = 0; each < 3; each++) greedy.push(await send(15 * kilo, { length: 30 * kilo, sender: '192.0.2.2' }));
    expect(await Promise.race(greedy.map(({ outcome }) => outcome))).toBe('too_much');
    modest.request.end(new Uint8Array(kilo));
    expect(await modest.outcome).toBe(String(10 * kilo));
  });

  test('an IPv6 network counts as one address', async () => {
    const { send } = await startBodyServer();
    const modest = await send(15 * kilo, { length: 16 * kilo, sender: '2001:db8:1::1' });
    const greedy = [];
    for (let each = 0; each < 4; each++)
      greedy.push(await send(9 * kilo, { length: 30 * kilo, sender: `2001:db8:2::${each}` }));
    expect(await Promise.race(greedy.map(({ outcome }) => outcome))).toBe('too_much');
    modest.request.end(new Uint8Array(kilo));
    expect(await modest.outcome).toBe(String(16 * kilo));
  });

  test('requests that disconnected or were rejected hold no memory', async () => {
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

describe('a request body', () => {
  test('that states a length over the limit is rejected before any of it arrives', async () => {
    const { send } = await startBodyServer();
    expect(await (await send(0, { length: 30 * kilo + 1 })).outcome).toBe('too_long');
  });

  test('without a stated length is rejected as soon as it exceeds the limit', async () => {
    const { send, more } = await startBodyServer();
    const undeclared = await send(20 * kilo, { length: undefined });
    await more(undeclared, 10 * kilo + 1);
    expect(await undeclared.outcome).toBe('too_long');
  });

  test('that stalls or is too slow is rejected; a steady one is accepted', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { send, more } = await startBodyServer();
    const bodies = [];
    for (let each = 0; each < 3; each++) bodies.push(await send(bodyLimits.windowBytes, { length: 10 * kilo }));
    const [still, trickling, steady] = bodies;
    if (!still || !trickling || !steady) throw new Error('three bodies must have been sent');
    vi.advanceTimersByTime(bodyLimits.windowMs);
    await more(trickling, bodyLimits.windowBytes - 1);
    await more(steady, bodyLimits.windowBytes);
    vi.advanceTimersByTime(bodyLimits.windowMs);
    expect(await Promise.all([still.outcome, trickling.outcome])).toEqual(['too_slow', 'too_slow']);
    steady.request.end(new Uint8Array(10 * kilo - 2 * bodyLimits.windowBytes));
    expect(await steady.outcome).toBe(String(10 * kilo));
  });

  test('that is complete is rejected when too many are in progress, unless it is small', async () => {
    const { send } = await startBodyServer({ keep: true });
    expect(await (await send(20 * kilo)).outcome).toBe(String(20 * kilo));
    expect(await (await send(20 * kilo)).outcome).toBe(String(20 * kilo));
    expect(await (await send(kilo + 1)).outcome).toBe('too_much');
    expect(await (await send(kilo)).outcome).toBe(String(kilo));
  });
});
