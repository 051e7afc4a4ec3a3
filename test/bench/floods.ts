// What others notice while somebody floods the service: a host in a process of its own, one caller who behaves, and floods one after the other.
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { credentialsOf, uploadOf } from '../harness/sdk.ts';
import { type MeteredHost, startMeteredHost } from './metered-host.ts';
import { manyFields } from './refusals.ts';

export interface Flood {
  name: string;
  /** What others may wait at most, p99. */
  maxWaitMs: number;
  /** How others fared meanwhile. */
  latenciesMs: number[];
  seconds: number;
  /** What the flood was answered, by status. */
  answers: Record<string, number>;
  largestAnswerBytes: number;
}
export interface Flooded {
  floods: Flood[];
  peakBytes: number;
}

type Answer = { status: number; bytes: number };
type Send = () => Promise<Answer>;

/** `count` requests, so many at a time. */
interface Plan {
  name: string;
  maxWaitMs?: number;
  count: number;
  atOnce: number;
  send: Send;
}

export async function measureFloods(): Promise<Flooded> {
  const host = await startMeteredHost();
  try {
    const { body: user } = await host.call('POST', '/v1/users', { token: host.key, body: { timezone: 'UTC' } });
    const { access_token: phone } = await credentialsOf(host, host.key, user.id);
    const neighbour = () => mustBe(200, host.call('GET', `/v1/users/${user.id}/daily`, { token: host.key }));
    await neighbour();
    const floods: Flood[] = [];
    for (const plan of [...plansFor(host, phone), ...plansOfStrangers(host)]) floods.push(await flood(plan, neighbour));
    return { floods, peakBytes: (await host.told()).peakBytes };
  } finally {
    await host.stop();
  }
}

function plansFor(host: MeteredHost, phone: string): Plan[] {
  const packed = (text: string) => gzipSync(text, { level: 9 });
  const empties = (count: number) =>
    packed(JSON.stringify(uploadOf({ samples: [] })).replace('[]', `[${many(count)}]`));
  const post = posting(host);
  const bearer = { authorization: `Bearer ${phone}` };
  const zipped = { ...bearer, 'content-encoding': 'gzip' };
  const small = empties(12_000_000);
  const million = empties(1_000_000);
  const wrong = packed(
    JSON.stringify(uploadOf({ samples: Array.from({ length: 50_000 }, () => ({ metric: 'steps' })) })),
  );
  const deep = `{"external_ref":"a","more":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
  const invented = (at: number) => `sk_live_${String(at).padStart(43, 'x')}`;
  let keys = 0;
  return [
    {
      name: '12 million empty records in a small upload',
      count: 20,
      atOnce: 4,
      send: () => post('/v1/sdk/data', small, zipped),
    },
    { name: 'a million empty records', count: 20, atOnce: 4, send: () => post('/v1/sdk/data', million, zipped) },
    { name: '50,000 wrong records', count: 40, atOnce: 4, send: () => post('/v1/sdk/data', wrong, zipped) },
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

const posting =
  ({ baseUrl }: MeteredHost) =>
  async (path: string, body: Buffer<ArrayBuffer> | string, headers: Record<string, string> = {}): Promise<Answer> => {
    const told = await fetch(baseUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    return { status: told.status, bytes: (await told.arrayBuffer()).byteLength };
  };

/** Four senders each, with the longest bodies that anybody can send without a credential. */
function plansOfStrangers(host: MeteredHost): Plan[] {
  const post = posting(host);
  const [long, middling, short] = [manyFields(4_300_000), manyFields(980_000), manyFields(16_000)];
  const strangers = { maxWaitMs: 500, atOnce: 4 };
  const pushes = ['coros', 'polar', 'google_health', 'garmin', 'suunto'].map((provider) => ({
    ...strangers,
    name: `pushes of ${provider} that nobody signed, 4.3 MB`,
    count: 100,
    send: () => post(`/v1/providers/${provider}/push`, long),
  }));
  const exchanges = ['exchange', 'refresh'].flatMap((what) => {
    const path = `/v1/sdk/sessions/${what}`;
    return [
      { ...strangers, name: `calls to ${what}, 0.98 MB`, count: 200, send: () => post(path, middling) },
      { ...strangers, name: `calls to ${what}, 16 kB`, count: 1_000, send: () => post(path, short) },
    ];
  });
  const unfinished = {
    ...strangers,
    name: 'bodies that never end, 4.4 MB each',
    count: 60,
    atOnce: 20,
    send: () => hold(host, 4_400_000),
  };
  return [...pushes, ...exchanges, unfinished];
}

/** Sends so much of a body, and nothing more until it is answered or the connection ends. */
function hold({ baseUrl }: MeteredHost, bytes: number): Promise<Answer> {
  return new Promise((resolve) => {
    const headers = { 'content-length': bytes + 1 };
    const asked = request(`${baseUrl}/v1/providers/garmin/push/x`, { method: 'POST', headers, agent: false });
    asked.once('response', ({ statusCode: status = 0 }) => {
      asked.destroy();
      resolve({ status, bytes: 0 });
    });
    asked.once('error', () => resolve({ status: 0, bytes: 0 }));
    asked.write(new Uint8Array(bytes));
  });
}

const many = (count: number): string => `${'{},'.repeat(count - 1)}{}`;

async function flood(
  { name, maxWaitMs = 1_000, count, atOnce, send }: Plan,
  neighbour: () => Promise<void>,
): Promise<Flood> {
  const answers: Record<string, number> = {};
  let largestAnswerBytes = 0;
  let left = count;
  const began = performance.now();
  const senders = Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left-- > 0) {
        const { status, bytes } = await send();
        answers[status] = (answers[status] ?? 0) + 1;
        largestAnswerBytes = Math.max(largestAnswerBytes, bytes);
      }
    }),
  ).then(() => true);
  const latenciesMs: number[] = [];
  for (let isOver = false; !isOver; ) {
    const asked = performance.now();
    await neighbour();
    latenciesMs.push(performance.now() - asked);
    isOver = await Promise.race([senders, new Promise<false>((resolve) => setTimeout(() => resolve(false), 20))]);
  }
  return { name, maxWaitMs, latenciesMs, seconds: (performance.now() - began) / 1000, answers, largestAnswerBytes };
}

async function mustBe(status: number, told: Promise<{ status: number; text: string }>): Promise<void> {
  const got = await told;
  if (got.status !== status) throw new Error(`somebody else was answered ${got.status}: ${got.text}`);
}
