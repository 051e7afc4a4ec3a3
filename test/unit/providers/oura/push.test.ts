import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ouraPush } from '../../../../shared/providers/oura/push.ts';
import { makePushRequest, pushKeys } from '../../../harness/request-flow.ts';

const nowMs = Date.parse('2026-03-10T12:00:00Z');
const note = {
  event_type: 'update',
  data_type: 'sleep',
  object_id: '8f9a5221-639e-4a85-81cb-4065ef23f979',
  event_time: '2026-03-10T11:59:30+00:00',
  user_id: 'oura-user-1',
};
// The body as it was sent, with its own spacing: the signature covers the bytes.
const body = `{ "event_type": "update",  "data_type": "sleep" }`;
const signed = (stamp: string, text = body, key = 'secret-1') =>
  createHmac('sha256', key)
    .update(stamp + text)
    .digest('hex')
    .toUpperCase();
const sent = (stamp: string | undefined, signature: string | undefined, text = body) =>
  makePushRequest(text, {
    headers: {
      ...(stamp === undefined ? {} : { 'x-oura-timestamp': stamp }),
      ...(signature === undefined ? {} : { 'x-oura-signature': signature }),
    },
  });
const isGenuine = (stamp: string | undefined, signature: string | undefined, text = body) =>
  ouraPush.isGenuine(sent(stamp, signature, text), pushKeys);

describe('a push', () => {
  const seconds = String(nowMs / 1000);

  test('is genuine when its bytes are signed with our secret', () => {
    expect(isGenuine(seconds, signed(seconds))).toBe(true);
    expect(isGenuine(seconds, signed(seconds).toLowerCase())).toBe(true);
  });

  test('is not genuine when a byte of it, of its time or of its signature differs', () => {
    const signature = signed(seconds);
    expect(isGenuine(seconds, signature, `${body} `)).toBe(false);
    expect(isGenuine(String(nowMs / 1000 + 1), signature)).toBe(false);
    expect(isGenuine(seconds, `${signature.slice(0, -1)}${signature.endsWith('0') ? '1' : '0'}`)).toBe(false);
    expect(isGenuine(seconds, signed(seconds, body, 'secret-2'))).toBe(false);
    expect(isGenuine(seconds, undefined)).toBe(false);
    expect(isGenuine(undefined, signed(''))).toBe(false);
  });

  test.each([
    ['seconds', (ms: number) => String(ms / 1000)],
    ['milliseconds', (ms: number) => String(ms)],
    ['ISO 8601 text', (ms: number) => new Date(ms).toISOString()],
  ])('may state its time in %s, and is refused when that is long ago', (_name, write) => {
    const [recent, old] = [write(nowMs - 3_600_000), write(nowMs - 7_201_000)];
    expect(isGenuine(recent, signed(recent))).toBe(true);
    expect(isGenuine(old, signed(old))).toBe(false);
  });
});

describe('the content of a push', () => {
  const read = (text: unknown) =>
    ouraPush.read(makePushRequest(typeof text === 'string' ? text : JSON.stringify(text), { receivedMs: nowMs }));

  test.each(['create', 'update'])('a document is to be looked up after %s', (event_type) => {
    expect(read({ ...note, event_type })).toEqual({
      notifications: [{ account: 'oura-user-1', what: 'object', resource: 'sleep', id: note.object_id }],
      messageId: `${event_type} sleep ${note.object_id} 2026-03-10T11:59:30+00:00`,
    });
  });

  test('a deleted session is named, and for anything else the last days are read', () => {
    const gone = (data_type: string) => read({ ...note, event_type: 'delete', data_type })?.notifications;
    expect(gone('sleep')).toEqual([{ account: 'oura-user-1', what: 'deleted', kind: 'sleep', id: note.object_id }]);
    expect(gone('workout')).toMatchObject([{ what: 'deleted', kind: 'workouts' }]);
    expect(gone('daily_spo2')).toEqual([
      { account: 'oura-user-1', what: 'days', from: '2026-03-07', to: '2026-03-11' },
    ]);
  });

  test('unused data types give no notification', () => {
    expect(read({ ...note, data_type: 'daily_stress' })?.notifications).toEqual([]);
  });

  test.each([
    'not JSON',
    [],
    { ...note, event_type: 'renamed' },
    { ...note, object_id: '../../oauth/token' },
    { ...note, object_id: '' },
    { ...note, user_id: undefined },
  ])('%j is not readable', (text) => {
    expect(read(text)).toBeUndefined();
  });
});

describe('the verification of the webhook URL', () => {
  const ask = (query: Record<string, string>, method: 'GET' | 'POST' = 'GET') =>
    ouraPush.answerHandshake?.(makePushRequest('', { method, query }), pushKeys);

  test('is answered with its challenge', () => {
    expect(ask({ verification_token: 'verification-1', challenge: 'abc' })).toEqual({
      status: 200,
      json: { challenge: 'abc' },
    });
  });

  test('is refused with another token, and ignored without a challenge', () => {
    expect(ask({ verification_token: 'verification-2', challenge: 'abc' })?.status).toBe(401);
    expect(ask({ challenge: 'abc' })?.status).toBe(401);
    expect(ask({ verification_token: 'verification-1' })).toBeUndefined();
    expect(ask({ verification_token: 'verification-1', challenge: 'abc' }, 'POST')).toBeUndefined();
  });
});
