// Limits of phone uploads: an upload over a limit is rejected early, quickly, and with a short
// response.
import { gzipSync } from 'node:zlib';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { uploadLimits } from '../../shared/providers/kit/upload-limits.ts';
import { openPhone, type Phone } from '../harness/phone.ts';
import { makeUpload } from '../harness/sdk.ts';
import type { ApiResponse } from '../harness/send-request.ts';
import { sharedSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';

let system: System;
let key: string;
let user: string;
let phone: Phone;
beforeAll(async () => {
  system = await sharedSystem();
  key = (await system.account()).live_key;
});
beforeEach(async () => {
  user = await system.user(key);
  phone = await openPhone(system, key, user);
});

const sendText = (text: string): Promise<ApiResponse> =>
  system.call('POST', '/v1/sdk/data', {
    token: phone.accessToken,
    raw: new Uint8Array(gzipSync(text, { level: 1 })),
    headers: { 'content-encoding': 'gzip' },
  });
const send = (lists: object): Promise<ApiResponse> => sendText(JSON.stringify(makeUpload(lists)));
const outcomeOf = ({ status, body }: ApiResponse): string => `${status} ${body?.error ?? 'ok'}`;
const rejectionsOf = ({ body }: ApiResponse): string[] =>
  body.rejected.map((each: { path: string; code: string }) => `${each.path} ${each.code}`);
const repeat = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_none, at) => make(at));
/** Returns the upload with this JSON text as the content of its samples list. */
const withSamples = (text: string): string => JSON.stringify(makeUpload({ samples: [] })).replace('[]', `[${text}]`);

const noon = Date.parse('2026-03-10T12:00:00Z');
const iso = (ms: number): string => new Date(ms).toISOString();
const heartRateSample = (at: number) => ({ metric: 'heart_rate', start: iso(noon + at), value: 60, unit: 'bpm' });
const napSession = (at: number) => ({ start: iso(noon + at * 1_000), end: iso(noon + at * 1_000 + 60_000) });
const walkWorkout = (at: number) => ({ type: 'walking', ...napSession(at) });

describe('records', () => {
  test('are limited to 50,000', async () => {
    const { records } = uploadLimits;
    expect(records).toBe(50_000);
    const atLimit = await send({ samples: repeat(records, heartRateSample) });
    expect([outcomeOf(atLimit), atLimit.body.accepted, atLimit.body.rejected_count]).toEqual(['202 ok', records, 0]);
    expect(outcomeOf(await send({ samples: repeat(records, heartRateSample), daily: [0] }))).toBe(
      '413 payload_too_large',
    );
  });

  test('that are all invalid are counted, and the first hundred are listed', async () => {
    const response = await sendText(withSamples(`${'{},'.repeat(49_999)}{}`));
    expect([outcomeOf(response), response.body.accepted, response.body.rejected_count]).toEqual(['202 ok', 0, 50_000]);
    expect(rejectionsOf(response)).toEqual(repeat(100, (at) => `samples.${at}.metric invalid_record`));
    expect(response.text.length).toBeLessThan(20_000);
  });

  test.each([
    ['objects', '{},'],
    ['numbers', '1,'],
    ['lists', '[],'],
  ])('are rejected early as a million invalid %s', async (_what, one) => {
    const text = withSamples(`${one.repeat(1_000_000)}0`);
    const startedAt = performance.now();
    const response = await sendText(text);
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    expect(outcomeOf(response)).toBe('413 payload_too_large');
    expect(response.text.length).toBeLessThan(1_000);
  });

  test('from before 2000 are rejected, each individually', async () => {
    const response = await send({
      samples: [
        heartRateSample(0),
        { ...heartRateSample(0), start: '1999-12-31T23:59:59Z' },
        { ...heartRateSample(0), start: '2000-01-01T00:00:00Z' },
      ],
      daily: [{ metric: 'weight', date: '1999-12-31', value: 70, unit: 'kg' }],
      sleep: [{ start: '1999-12-31T22:00:00Z', end: '2000-01-01T06:00:00Z' }],
    });
    expect([outcomeOf(response), response.body.accepted]).toEqual(['202 ok', 2]);
    expect(rejectionsOf(response)).toEqual([
      'samples.1.start invalid_time',
      'daily.0.date invalid_time',
      'sleep.0.start invalid_time',
    ]);
  });
});

describe('sessions of one day and device', () => {
  test('are limited to 200 nights and 200 workouts', async () => {
    const response = await send({ sleep: repeat(201, napSession), workouts: repeat(202, walkWorkout) });
    expect([outcomeOf(response), response.body.accepted, response.body.rejected_count]).toEqual(['202 ok', 400, 3]);
    expect(rejectionsOf(response)).toEqual(
      ['sleep.200', 'workouts.200', 'workouts.201'].map((path) => `${path} limit_exceeded`),
    );
    await system.host.drain();
    const more = await send({ sleep: [napSession(500), napSession(0)] });
    expect([more.body.accepted, rejectionsOf(more)]).toEqual([1, ['sleep.0 limit_exceeded']]);
  });

  test('can have traces of up to 100,000 points', async () => {
    const traced = (count: number) => ({
      ...walkWorkout(0),
      heart_rate: repeat(count, (at) => ({ timestamp: iso(noon + (at % 60) * 1_000), bpm: 60 })),
    });
    const response = await send({ workouts: [traced(100_001), { ...walkWorkout(900), heart_rate: [] }] });
    expect([outcomeOf(response), response.body.accepted]).toEqual(['202 ok', 1]);
    expect(rejectionsOf(response)).toEqual(['workouts.0.heart_rate limit_exceeded']);
    expect((await send({ workouts: [traced(100_000)] })).body).toMatchObject({ accepted: 1, rejected_count: 0 });
  });
});

describe('the size of an upload', () => {
  const body = JSON.stringify(makeUpload({ samples: [heartRateSample(0)] }));
  const sendPlain = (bytes: number) =>
    system.call('POST', '/v1/sdk/data', { token: phone.accessToken, raw: body.padEnd(bytes, ' ') });

  test('is limited to 4,000,000 bytes as sent', async () => {
    expect(outcomeOf(await sendPlain(4_000_000))).toBe('202 ok');
    expect(outcomeOf(await sendPlain(4_000_001))).toBe('413 payload_too_large');
  });

  test('is limited to 25,000,000 bytes decompressed, also for a decompression bomb', async () => {
    expect(outcomeOf(await sendText(body.padEnd(25_000_000, ' ')))).toBe('202 ok');
    expect(outcomeOf(await sendText(body.padEnd(25_000_001, ' ')))).toBe('413 payload_too_large');
    const layer = gzipSync(Buffer.alloc(10_000_000, ' '), { level: 9 });
    const bomb = new Uint8Array(Buffer.concat(repeat(300, () => layer)));
    expect(bomb.length).toBeLessThan(4_000_000);
    const startedAt = performance.now();
    const response = await system.call('POST', '/v1/sdk/data', {
      token: phone.accessToken,
      raw: bomb,
      headers: { 'content-encoding': 'gzip' },
    });
    expect(outcomeOf(response)).toBe('413 payload_too_large');
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });
});

describe('the nesting depth', () => {
  const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

  test('is limited to 32 levels, which a record can use', async () => {
    // The body, its list and the record are three of the levels.
    const at = (levels: number) => withSamples(`{"x":${nested(levels - 3)}}`);
    const response = await sendText(at(32));
    expect([outcomeOf(response), rejectionsOf(response)]).toEqual(['202 ok', ['samples.0.metric invalid_record']]);
    expect(outcomeOf(await sendText(at(33)))).toBe('400 invalid_body');
  });

  test.each(['/v1/users', '/v1/auth/user-token', '/v1/webhooks'])(
    'within the size limit of %s in an unknown field is an invalid body, and beyond it a body that is too large',
    async (path) => {
      const post = (depth: number) => system.call('POST', path, { token: key, raw: `{"x":${nested(depth)}}` });
      expect([outcomeOf(await post(7_900)), outcomeOf(await post(200_000))]).toEqual([
        '400 invalid_body',
        '413 payload_too_large',
      ]);
    },
  );

  test('of 200,000 in an unknown field, or in place of samples, is an invalid body', async () => {
    expect(outcomeOf(await sendText(`{"x":${nested(200_000)}}`))).toBe('400 invalid_body');
    expect(outcomeOf(await sendText(withSamples(nested(200_000))))).toBe('400 invalid_body');
  });
});

describe('__proto__', () => {
  test('is a valid reference', async () => {
    const created = await system.call('POST', '/v1/users', { token: key, body: { external_ref: '__proto__' } });
    expect([created.status, created.body.external_ref]).toEqual([201, '__proto__']);
    const stored = await system.call('GET', `/v1/users/${created.body.id}`, { token: key });
    expect(stored.body.external_ref).toBe('__proto__');
    const again = await system.call('POST', '/v1/users', { token: key, body: { external_ref: '__proto__' } });
    expect(again.status).not.toBe(201);
  });

  test.each(['"__proto__"', '"\\u005f_proto_\\u005F"', '"__proto__" '])(
    'is rejected as the field name %s',
    async (name) => {
      const field = `${name}:{"admin":true}`;
      const response = await system.call('POST', '/v1/users', { token: key, raw: `{${field}}` });
      expect(outcomeOf(response)).toBe('400 invalid_body');
      expect(outcomeOf(await sendText(withSamples(`{${field}}`)))).toBe('400 invalid_body');
      expect(outcomeOf(await sendText(withSamples(`{"x":${JSON.stringify(field)}}`)))).toBe('202 ok');
    },
  );
});

test("every limit is documented in the operation's description", async () => {
  const { body } = await system.call('GET', '/openapi.json');
  const { description } = body.paths['/v1/sdk/data'].post;
  for (const limit of [
    '4 MB as sent',
    '25 MB',
    '50,000 records',
    'first 100 rejections',
    '200 nights and 200 workouts per day',
    '100,000 points in a trace',
    'limit_exceeded',
    'nothing before 2000',
    '50 active devices',
    '32 levels',
  ])
    expect(description).toContain(limit);
});
