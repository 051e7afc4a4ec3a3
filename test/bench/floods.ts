// Measures what other callers experience during floods: a host in its own process, one well-behaved
// caller, and one flood after another.
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { createCredentials, makeUpload } from '../harness/sdk.ts';
import { type MeteredHost, startMeteredHost } from './metered-host.ts';
import { manyFields } from './refusals.ts';

export interface Flood {
  name: string;
  /** The longest that other callers may wait, at p99. */
  maxWaitMs: number;
  /** The latencies of the other callers. */
  latenciesMs: number[];
  seconds: number;
  /** Responses to the flood, counted by status. */
  responses: Record<string, number>;
  maxResponseBytes: number;
}
export interface FloodResults {
  floods: Flood[];
  peakBytes: number;
}

type FloodResponse = { status: number; bytes: number };
type Send = () => Promise<FloodResponse>;

/** Sends `count` requests, `atOnce` at a time. */
interface FloodPlan {
  name: string;
  maxWaitMs?: number;
  count: number;
  atOnce: number;
  send: Send;
}

export async function measureFloods(): Promise<FloodResults> {
  const host = await startMeteredHost();
  try {
    const { body: user } = await host.call('POST', '/v1/users', { token: host.key, body: { timezone: 'UTC' } });
    // Each session admits thirty uploads at once.
    const phones = [];
    for (let opened = 0; opened < 3; opened++)
      phones.push((await createCredentials(host, host.key, user.id)).access_token);
    const neighbour = () => expectStatus(200, host.call('GET', `/v1/users/${user.id}/daily`, { token: host.key }));
    await neighbour();
    const floods: Flood[] = [];
    for (const plan of [...authenticatedPlans(host, phones), ...unauthenticatedPlans(host)])
      floods.push(await runFlood(plan, neighbour));
    return { floods, peakBytes: (await host.readUsage()).peakBytes };
  } finally {
    await host.stop();
  }
}

function authenticatedPlans(host: MeteredHost, phones: readonly string[]): FloodPlan[] {
  const packed = (text: string) => gzipSync(text, { level: 9 });
  const empties = (count: number) =>
    packed(JSON.stringify(makeUpload({ samples: [] })).replace('[]', `[${emptyRecords(count)}]`));
  const post = createPoster(host);
  const [first, second, third] = phones.map((phone) => ({
    authorization: `Bearer ${phone}`,
    'content-encoding': 'gzip',
  }));
  const small = empties(12_000_000);
  const million = empties(1_000_000);
  const wrong = packed(
    JSON.stringify(makeUpload({ samples: Array.from({ length: 50_000 }, () => ({ metric: 'steps' })) })),
  );
  const deep = `{"external_ref":"a","more":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
  const invented = (at: number) => `sk_live_${String(at).padStart(43, 'x')}`;
  let keys = 0;
  return [
    {
      name: '12 million empty records in a small upload',
      count: 20,
      atOnce: 4,
      send: () => post('/v1/sdk/data', small, first),
    },
    { name: 'a million empty records', count: 20, atOnce: 4, send: () => post('/v1/sdk/data', million, second) },
    { name: '50,000 wrong records', count: 30, atOnce: 4, send: () => post('/v1/sdk/data', wrong, third) },
    {
      name: 'a field 200,000 deep',
      count: 200,
      atOnce: 8,
      send: () => post('/v1/users', deep, { authorization: `Bearer ${host.key}` }),
    },
    {
      name: 'invented API keys',
      count: 5_000,
      atOnce: 50,
      send: () => post('/v1/users', '{}', { authorization: `Bearer ${invented(keys++)}` }),
    },
    {
      name: 'calls without a credential',
      count: 5_000,
      atOnce: 50,
      send: () => post('/v1/sdk/sessions/exchange', '{"client_token":"nothing"}', {}),
    },
  ];
}

const createPoster =
  ({ baseUrl }: MeteredHost) =>
  async (
    path: string,
    body: Buffer<ArrayBuffer> | string,
    headers: Record<string, string> = {},
  ): Promise<FloodResponse> => {
    const response = await fetch(baseUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    return { status: response.status, bytes: (await response.arrayBuffer()).byteLength };
  };

/** Four senders each, with the longest bodies that can be sent without a credential. */
function unauthenticatedPlans(host: MeteredHost): FloodPlan[] {
  const post = createPoster(host);
  const [long, medium, short] = [manyFields(4_300_000), manyFields(980_000), manyFields(16_000)];
  const unauthenticated = { maxWaitMs: 500, atOnce: 4 };
  const pushes = ['coros', 'polar', 'google_health', 'garmin', 'suunto'].map((provider) => ({
    ...unauthenticated,
    name: `pushes of ${provider} that nobody signed, 4.3 MB`,
    count: 100,
    send: () => post(`/v1/providers/${provider}/push`, long),
  }));
  const exchanges = ['exchange', 'refresh'].flatMap((what) => {
    const path = `/v1/sdk/sessions/${what}`;
    return [
      { ...unauthenticated, name: `calls to ${what}, 0.98 MB`, count: 200, send: () => post(path, medium) },
      { ...unauthenticated, name: `calls to ${what}, 16 kB`, count: 1_000, send: () => post(path, short) },
    ];
  });
  const unfinished = {
    ...unauthenticated,
    name: 'bodies that never end, 4.4 MB each',
    count: 60,
    atOnce: 20,
    send: () => holdConnection(host, 4_400_000),
  };
  return [...pushes, ...exchanges, unfinished];
}

/** Sends this many bytes of a body, then waits until there is a response or the connection ends. */
function holdConnection({ baseUrl }: MeteredHost, bytes: number): Promise<FloodResponse> {
  return new Promise((resolve) => {
    const headers = { 'content-length': bytes + 1 };
    const startedMs = request(`${baseUrl}/v1/providers/garmin/push/x`, { method: 'POST', headers, agent: false });
    startedMs.once('response', ({ statusCode: status = 0 }) => {
      startedMs.destroy();
      resolve({ status, bytes: 0 });
    });
    startedMs.once('error', () => resolve({ status: 0, bytes: 0 }));
    startedMs.write(new Uint8Array(bytes));
  });
}

const emptyRecords = (count: number): string => `${'{},'.repeat(count - 1)}{}`;

async function runFlood(
  { name, maxWaitMs = 1_000, count, atOnce, send }: FloodPlan,
  neighbour: () => Promise<void>,
): Promise<Flood> {
  const responses: Record<string, number> = {};
  let maxResponseBytes = 0;
  let left = count;
  const startedAt = performance.now();
  const senders = Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left-- > 0) {
        const { status, bytes } = await send();
        responses[status] = (responses[status] ?? 0) + 1;
        maxResponseBytes = Math.max(maxResponseBytes, bytes);
      }
    }),
  ).then(() => true);
  const latenciesMs: number[] = [];
  for (let isOver = false; !isOver; ) {
    const startedMs = performance.now();
    await neighbour();
    latenciesMs.push(performance.now() - startedMs);
    isOver = await Promise.race([senders, new Promise<false>((resolve) => setTimeout(() => resolve(false), 20))]);
  }
  return { name, maxWaitMs, latenciesMs, seconds: (performance.now() - startedAt) / 1000, responses, maxResponseBytes };
}

async function expectStatus(status: number, response: Promise<{ status: number; text: string }>): Promise<void> {
  const result = await response;
  if (result.status !== status) throw new Error(`another caller's request returned ${result.status}: ${result.text}`);
}
