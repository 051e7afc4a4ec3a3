import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { MobileScope } from '../../shared/catalog/mobile-scopes.ts';
import type { SdkCredentials } from '../../shared/mobile/sdk-session.ts';
import { userPartition } from '../../shared/system/keys.ts';
import { createCredentials, createScopedCredentials, makeUpload, upload } from '../harness/sdk.ts';
import type { ApiResponse } from '../harness/send-request.ts';
import { sharedSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';

let system: System;
let key: string;
let user: string;
let phone: SdkCredentials;

beforeAll(async () => {
  system = await sharedSystem();
  key = (await system.account()).live_key;
  user = await system.user(key);
  phone = await createCredentials(system, key, user);
});

const outcomeOf = ({ status, body }: ApiResponse): string => `${status} ${body?.error ?? 'ok'}`;
const heartRateSample = (n: number, more: object = {}) => ({
  metric: 'heart_rate',
  start: new Date(Date.parse('2026-03-14T00:00:00Z') + n * 60_000).toISOString(),
  value: 50 + (n % 80),
  unit: 'bpm',
  ...more,
});
const heartRateSamples = (count: number) => Array.from({ length: count }, (_none, n) => heartRateSample(n));
const send = (body: object, token = phone.access_token) => upload(system, token, body);
const sendBytes = (bytes: Uint8Array, headers: Record<string, string> = {}) =>
  system.call('POST', '/v1/sdk/data', {
    token: phone.access_token,
    raw: new Uint8Array(bytes),
    headers,
  });
const sendCompressed = (text: string) => sendBytes(gzipSync(text), { 'content-encoding': 'gzip' });
const countRows = async (userId: string, prefix: string): Promise<number> => {
  const queried = await system.host.table.query({
    where: '#pk = :pk AND begins_with(#sk, :prefix)',
    values: { pk: userPartition(userId), prefix },
  });
  return queried.items.length;
};
const listDevices = async (userId: string) =>
  (await system.call('GET', `/v1/users/${userId}/devices`, { token: key })).body.data;

describe('a batch', () => {
  test('of a thousand records with three invalid ones stores 997 and names the three', async () => {
    const samples: object[] = heartRateSamples(1000);
    samples[12] = heartRateSample(12, { value: 900 });
    samples[500] = heartRateSample(500, { metric: 'mood' });
    samples[999] = heartRateSample(999, { start: '2026-02-30T00:00:00Z' });
    const result = await send(makeUpload({ samples }));
    expect([result.status, result.body.accepted]).toEqual([202, 997]);
    expect(result.body.rejected.map(({ path, code }: Record<string, string>) => [path, code])).toEqual([
      ['samples.12.value', 'implausible_value'],
      ['samples.500.metric', 'unknown_metric'],
      ['samples.999.start', 'invalid_time'],
    ]);
    for (const { message } of result.body.rejected) expect(message.length).toBeGreaterThan(10);
  });

  test('compressed with gzip is the same batch', async () => {
    const body = JSON.stringify(makeUpload({ samples: heartRateSamples(2000) }));
    const [plain, zipped] = [await sendBytes(Buffer.from(body)), await sendCompressed(body)];
    expect([outcomeOf(plain), outcomeOf(zipped)]).toEqual(['202 ok', '202 ok']);
    expect(zipped.body).toEqual(plain.body);
  });

  test('sent again has the same id; a different batch has another', async () => {
    const first = await send(makeUpload({ samples: heartRateSamples(3) }));
    const again = await send(makeUpload({ samples: heartRateSamples(3) }));
    const other = await send(makeUpload({ samples: heartRateSamples(4) }));
    expect(again.body).toEqual(first.body);
    expect(other.body.batch_id).not.toBe(first.body.batch_id);
  });

  test('without a valid record is accepted and stores nothing', async () => {
    const userId = await system.user(key);
    const { access_token } = await createCredentials(system, key, userId);
    const bad = await send(makeUpload({ samples: [heartRateSample(1, { value: 900 })] }), access_token);
    expect([bad.status, bad.body.accepted, bad.body.rejected.length]).toEqual([202, 0, 1]);
    const empty = await send(makeUpload(), access_token);
    expect([empty.status, empty.body.accepted, empty.body.rejected]).toEqual([202, 0, []]);
    expect([await countRows(userId, 'R#'), await countRows(userId, '!UPLOAD#'), await listDevices(userId)]).toEqual([
      0,
      0,
      [],
    ]);
  });

  test('creates one device per model, however many arrive concurrently', async () => {
    const userId = await system.user(key);
    const { access_token } = await createCredentials(system, key, userId);
    const from = (model: string, n: number) =>
      send(
        { ...makeUpload({ samples: [heartRateSample(n)] }), device: { name: '', model, type: 'wrist' } },
        access_token,
      );
    const result = await Promise.all(Array.from({ length: 8 }, (_none, n) => from(n % 2 ? 'Watch' : 'Phone', n)));
    expect(result.map(outcomeOf)).toEqual(Array(8).fill('202 ok'));
    await system.host.drain();
    const devices = await listDevices(userId);
    expect(devices.map(({ provider, status }: Record<string, string>) => [provider, status])).toEqual([
      ['apple_health', 'active'],
      ['apple_health', 'active'],
    ]);
  });

  test('is stored before it is acknowledged', async () => {
    const userId = await system.user(key);
    const { access_token } = await createCredentials(system, key, userId);
    await send(makeUpload({ samples: heartRateSamples(20) }), access_token);
    expect(await countRows(userId, 'R#')).toBe(1);
  });

  test('from a session with fewer scopes loses the other categories, and only those', async () => {
    const { access_token } = await createScopedCredentials(system, key, user, ['vitals']);
    const result = await send(
      makeUpload({
        samples: [heartRateSample(1), heartRateSample(2, { metric: 'weight', value: 70, unit: 'kg' })],
        sleep: [{ start: '2026-03-13T22:00:00Z', end: '2026-03-14T06:00:00Z' }],
        workouts: [{ type: 'running', start: '2026-03-14T05:00:00Z', end: '2026-03-14T06:00:00Z' }],
      }),
      access_token,
    );
    expect(result.body.accepted).toBe(1);
    expect(result.body.rejected.map(({ path, code }: Record<string, string>) => `${path} ${code}`)).toEqual([
      'samples.1.metric insufficient_scope',
      'sleep.0 insufficient_scope',
      'workouts.0 insufficient_scope',
    ]);
  });
});

describe('stress levels', () => {
  const stress = (more: object = {}) =>
    heartRateSample(1, { metric: 'stress_score', value: 51, unit: 'score', ...more });
  const lists = {
    samples: [stress(), stress({ value: 101 }), stress({ unit: '%' }), stress({ metric: 'sleep_score' })],
  };
  const outcome = ({ body }: ApiResponse) => [
    body.accepted,
    ...body.rejected.map(({ path, code }: Record<string, string>) => `${path} ${code}`),
  ];

  test('are samples of 0 to 100 in `score`, and never a daily total', async () => {
    const daily = [{ date: '2026-03-14', metric: 'stress_score', value: 51, unit: 'score' }];
    expect(outcome(await send(makeUpload({ ...lists, daily })))).toEqual([
      1,
      'samples.1.value implausible_value',
      'samples.2.unit invalid_unit',
      'samples.3.metric unknown_metric',
      'daily.0.metric unknown_metric',
    ]);
  });

  test.each([
    ['scores', ['scores'], true],
    ['none', undefined, true],
    ['the other six', MobileScope.options.filter((scope) => scope !== 'scores'), false],
  ])('with a token of the scopes %s: %j', async (_which, scopes, isAllowed) => {
    const { access_token } = await createScopedCredentials(system, key, user, scopes);
    expect(outcome(await send(makeUpload({ samples: [stress()] }), access_token))).toEqual(
      isAllowed ? [1] : [0, 'samples.0.metric insufficient_scope'],
    );
  });
});

describe('an envelope', () => {
  test.each([
    ['no time zone', { time_zone: undefined }, 'time_zone'],
    ['an unknown time zone', { time_zone: 'Mars/Olympus' }, 'time_zone'],
    ['an offset as its time zone', { time_zone: '+01:00' }, 'time_zone'],
    ['no device', { device: undefined }, 'device'],
    ['a device without a model', { device: { name: '', model: '', type: 'wrist' } }, 'device.model'],
    ['a device of an unknown type', { device: { name: '', model: 'x', type: 'toaster' } }, 'device.type'],
    ['a list that is not an array', { samples: {} }, 'samples'],
  ])('with %s is rejected as a whole', async (_what, more, path) => {
    const result = await send({ ...makeUpload({ samples: heartRateSamples(1) }), ...more });
    expect(outcomeOf(result)).toBe('400 invalid_body');
    expect(result.body.details.issues[0].path).toBe(path);
  });

  test('with an unknown field is stored without it, and the field is listed as rejected', async () => {
    const { status, body } = await send({ ...makeUpload({ samples: heartRateSamples(1) }), moods: [{ mood: 'calm' }] });
    expect([status, body]).toEqual([
      202,
      {
        batch_id: body.batch_id,
        accepted: 1,
        rejected_count: 1,
        rejected: [
          {
            path: 'moods',
            code: 'invalid_record',
            message: 'Unknown field. See the reference for the fields of an upload.',
          },
        ],
      },
    ]);
    const plain = await send(makeUpload({ samples: heartRateSamples(1) }));
    expect(plain.body.rejected_count).toBe(0);
  });
});

describe('an upload body', () => {
  const body = JSON.stringify(makeUpload({ samples: heartRateSamples(50) }));

  test('that is not gzip, is truncated, or does not contain JSON is rejected', async () => {
    const compressed = gzipSync(body);
    for (const bytes of [
      Buffer.from(body),
      compressed.subarray(0, -9),
      gzipSync('{"a":'),
      gzipSync(Buffer.from([0xff])),
    ])
      expect(outcomeOf(await sendBytes(bytes, { 'content-encoding': 'gzip' }))).toBe('400 invalid_body');
    const flipped = Buffer.from(compressed);
    flipped.writeUInt8(flipped.readUInt8(40) ^ 0xff, 40);
    expect(outcomeOf(await sendBytes(flipped, { 'content-encoding': 'gzip' }))).toBe('400 invalid_body');
    expect(outcomeOf(await sendBytes(gzipSync(body)))).toBe('400 invalid_body');
  });

  test('in another content encoding is rejected', async () => {
    for (const encoding of ['br', 'deflate', 'gzip, gzip', 'zstd'])
      expect(outcomeOf(await sendBytes(gzipSync(body), { 'content-encoding': encoding }))).toBe(
        '415 unsupported_media_type',
      );
    expect(outcomeOf(await sendBytes(Buffer.from(body), { 'content-encoding': 'identity' }))).toBe('202 ok');
    expect(outcomeOf(await sendBytes(gzipSync(body), { 'content-encoding': 'GZIP' }))).toBe('202 ok');
  });

  test('can have up to 4,000,000 bytes', async () => {
    const padded = (bytes: number) => Buffer.from(body.padEnd(bytes, ' '));
    expect(outcomeOf(await sendBytes(padded(4_000_000)))).toBe('202 ok');
    expect(outcomeOf(await sendBytes(padded(4_000_001)))).toBe('413 payload_too_large');
  });

  test('that decompresses to more than 25,000,000 bytes is rejected without decompressing all of it', async () => {
    expect(outcomeOf(await sendCompressed(body.padEnd(25_000_000, ' ')))).toBe('202 ok');
    expect(outcomeOf(await sendCompressed(body.padEnd(25_000_001, ' ')))).toBe('413 payload_too_large');
    const bomb = gzipSync(Buffer.alloc(400_000_000, ' '), { level: 9 });
    expect(bomb.length).toBeLessThan(1_000_000);
    const before = process.memoryUsage().arrayBuffers;
    expect(outcomeOf(await sendBytes(bomb, { 'content-encoding': 'gzip' }))).toBe('413 payload_too_large');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100_000_000);
  });
});

test('a batch costs one call for admission, one to read the devices, and two to store it', async () => {
  const userId = await system.user(key);
  const { access_token } = await createCredentials(system, key, userId);
  await send(makeUpload({ samples: heartRateSamples(1) }), access_token);
  await system.host.drain();
  const before = system.calls.length;
  await send(makeUpload({ samples: heartRateSamples(2) }), access_token);
  const operations = system.calls.slice(before).map(({ operation }) => operation);
  expect(operations.slice(0, 4)).toEqual(['UpdateItem', 'Query', 'PutItem', 'PutItem']);
});
