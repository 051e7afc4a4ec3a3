import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { PushKeys, PushRequest } from '../../../../shared/providers/kit/push.ts';
import { stravaPush } from '../../../../shared/providers/strava/push.ts';
import { testCredentials as credentials } from '../../../harness/request-flow.ts';

const receivedMs = Date.parse('2026-10-18T12:50:00Z');
const keys: PushKeys = {
  credentials,
  pathSecret: 'path-secret',
  verificationToken: 'verify-me',
  subscriptionSecret: '131300',
};
const event = {
  object_type: 'activity',
  object_id: 16_181_800_001,
  aspect_type: 'update',
  owner_id: 264_621,
  subscription_id: 131_300,
  event_time: 1_792_327_800,
  updates: { title: 'x', type: 'Run', private: 'true' },
};
const push = (body: unknown, more: Partial<PushRequest> = {}): PushRequest => ({
  method: 'POST',
  headers: {},
  query: {},
  pathSecret: 'path-secret',
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  receivedMs,
  ...more,
});

describe('the webhook URL', () => {
  const question = { 'hub.mode': 'subscribe', 'hub.challenge': '15f7d1a91c1f40f8', 'hub.verify_token': 'verify-me' };
  const ask = (query: Record<string, string>, more: Partial<PushRequest> = {}) =>
    stravaPush.answerHandshake?.(push('', { method: 'GET', query, ...more }), keys);

  test('echoes the challenge of a request with both secrets', () => {
    expect(ask(question)).toEqual({ status: 200, json: { 'hub.challenge': '15f7d1a91c1f40f8' } });
  });

  test.each<[Record<string, string>, Partial<PushRequest>]>([
    [{ ...question, 'hub.verify_token': 'verify-mf' }, {}],
    [{ ...question, 'hub.mode': 'unsubscribe' }, {}],
    [{ 'hub.mode': 'subscribe', 'hub.verify_token': 'verify-me' }, {}],
    [question, { pathSecret: 'path-secreu' }],
    [question, { pathSecret: undefined }],
    [question, { method: 'POST' as const }],
  ])('answers no other request', (query, more) => {
    expect(ask(query, more)).toBeUndefined();
  });
});

describe('a push', () => {
  test('is genuine at the secret URL and for our subscription', () => {
    expect(stravaPush.isGenuine(push(event), keys)).toBe(true);
    expect(stravaPush.isGenuine(push(event), { ...keys, subscriptionSecret: undefined })).toBe(true);
    // A secret that is not a number is not a subscription id.
    expect(stravaPush.isGenuine(push(event), { ...keys, subscriptionSecret: 'Zk1wQ0t5' })).toBe(true);
  });

  test.each([
    ['at another URL', push(event, { pathSecret: 'path-secreu' }), keys],
    ['without a secret', push(event, { pathSecret: undefined }), keys],
    ['without a configured secret', push(event, { pathSecret: '' }), { ...keys, pathSecret: '' }],
    ['of another subscription', push({ ...event, subscription_id: 131_301 }), keys],
    ['that is not JSON', push('{'), keys],
    ['with method GET', push(event, { method: 'GET' }), keys],
  ])('%s is not genuine', (_, request, known) => {
    expect(stravaPush.isGenuine(request, known)).toBe(false);
  });

  describe('with a known signing key', () => {
    const signing: PushKeys = { ...keys, credentials: { ...credentials, more: { signing_secret: 'sign' } } };
    const signed = (at: number, key = 'sign', text = JSON.stringify(event)) =>
      push(event, {
        headers: {
          'x-strava-signature': `t=${at},v1=${createHmac('sha256', key).update(`${at}.${text}`).digest('hex')}`,
        },
      });
    const now = receivedMs / 1000;

    test('must carry a recent signature', () => {
      expect(stravaPush.isGenuine(signed(now), signing)).toBe(true);
      expect(stravaPush.isGenuine(signed(now - 590), signing)).toBe(true);
    });

    test.each([
      ['not signed', push(event)],
      ['too old', signed(now - 601)],
      ['ahead of its time', signed(now + 601)],
      ['signed with another key', signed(now, 'sigm')],
      ['signed for other bytes', signed(now, 'sign', `${JSON.stringify(event)} `)],
      ['signed with an unreadable signature', push(event, { headers: { 'x-strava-signature': 't=x,v1=' } })],
      ['signed correctly at another URL', { ...signed(now), pathSecret: 'other' }],
    ])('is refused when it is %s', (_, request) => {
      expect(stravaPush.isGenuine(request, signing)).toBe(false);
    });
  });

  const notesOf = (body: unknown) => stravaPush.read(push(body))?.notifications;
  test('about an activity names the activity to look up', () => {
    const note = { account: '264621', what: 'object', resource: 'activity', id: '16181800001' };
    expect(notesOf(event)).toEqual([note]);
    expect(notesOf({ ...event, aspect_type: 'create', updates: {} })).toEqual([note]);
    expect(notesOf({ ...event, aspect_type: 'something new', updates: null })).toEqual([note]);
  });

  test('keeps the digits of long ids', () => {
    const text = JSON.stringify(event).replace('16181800001', '9223372036854775807');
    expect(notesOf(text)).toMatchObject([{ id: '9223372036854775807' }]);
  });

  test('about a deleted activity names it as deleted', () => {
    expect(notesOf({ ...event, aspect_type: 'delete' })).toEqual([
      { account: '264621', what: 'deleted', kind: 'workouts', id: '16181800001' },
    ]);
  });

  test.each([
    { ...event, object_type: 'athlete', object_id: 264_621, updates: { authorized: 'false' } },
    { ...event, object_type: 'athlete', object_id: 264_621, updates: { authorized: false } },
    { ...event, object_type: 'athlete', object_id: 264_621, aspect_type: 'delete', updates: {} },
  ])('about an athlete who revoked access ends the consent', (body) => {
    expect(notesOf(body)).toEqual([{ account: '264621', what: 'ended' }]);
  });

  test('about anything else gives no notification', () => {
    expect(notesOf({ ...event, object_type: 'athlete', updates: { weight: '70' } })).toEqual([]);
    expect(notesOf({ ...event, object_type: 'segment' })).toEqual([]);
  });

  test.each([['nonsense'], [{ hello: 1 }], [{ ...event, object_id: '../1' }], [[]]])(
    'that is unreadable is skipped: %j',
    (body) => {
      expect(stravaPush.read(push(body))).toBeUndefined();
    },
  );

  test('has a unique message id, and the same one when it is repeated', () => {
    const name = (body: unknown) => stravaPush.read(push(body))?.messageId;
    expect(name(event)).toBe(name({ ...event }));
    expect(name(event)).not.toBe(name({ ...event, event_time: 1_792_327_801 }));
  });
});
