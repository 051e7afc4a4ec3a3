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

describe('the address', () => {
  const question = { 'hub.mode': 'subscribe', 'hub.challenge': '15f7d1a91c1f40f8', 'hub.verify_token': 'verify-me' };
  const ask = (query: Record<string, string>, more: Partial<PushRequest> = {}) =>
    stravaPush.answerHandshake?.(push('', { method: 'GET', query, ...more }), keys);

  test('echoes the challenge of whoever knows both secrets', () => {
    expect(ask(question)).toEqual({ status: 200, json: { 'hub.challenge': '15f7d1a91c1f40f8' } });
  });

  test.each<[Record<string, string>, Partial<PushRequest>]>([
    [{ ...question, 'hub.verify_token': 'verify-mf' }, {}],
    [{ ...question, 'hub.mode': 'unsubscribe' }, {}],
    [{ 'hub.mode': 'subscribe', 'hub.verify_token': 'verify-me' }, {}],
    [question, { pathSecret: 'path-secreu' }],
    [question, { pathSecret: undefined }],
    [question, { method: 'POST' as const }],
  ])('answers nobody else', (query, more) => {
    expect(ask(query, more)).toBeUndefined();
  });
});

describe('a push', () => {
  test('is genuine at the secret address, of our subscription', () => {
    expect(stravaPush.isGenuine(push(event), keys)).toBe(true);
    expect(stravaPush.isGenuine(push(event), { ...keys, subscriptionSecret: undefined })).toBe(true);
    // What is no number is no subscription's.
    expect(stravaPush.isGenuine(push(event), { ...keys, subscriptionSecret: 'Zk1wQ0t5' })).toBe(true);
  });

  test.each([
    ['elsewhere', push(event, { pathSecret: 'path-secreu' }), keys],
    ['without a secret', push(event, { pathSecret: undefined }), keys],
    ['where we have no secret', push(event, { pathSecret: '' }), { ...keys, pathSecret: '' }],
    ['of another subscription', push({ ...event, subscription_id: 131_301 }), keys],
    ['that is no JSON', push('{'), keys],
    ['that is a question', push(event, { method: 'GET' }), keys],
  ])('%s is not', (_, request, known) => {
    expect(stravaPush.isGenuine(request, known)).toBe(false);
  });

  describe('where its key is known', () => {
    const signing: PushKeys = { ...keys, credentials: { ...credentials, more: { signing_secret: 'sign' } } };
    const signed = (at: number, key = 'sign', text = JSON.stringify(event)) =>
      push(event, {
        headers: {
          'x-strava-signature': `t=${at},v1=${createHmac('sha256', key).update(`${at}.${text}`).digest('hex')}`,
        },
      });
    const now = receivedMs / 1000;

    test('must be signed with it, lately', () => {
      expect(stravaPush.isGenuine(signed(now), signing)).toBe(true);
      expect(stravaPush.isGenuine(signed(now - 590), signing)).toBe(true);
    });

    test.each([
      ['not signed', push(event)],
      ['too old', signed(now - 601)],
      ['ahead of its time', signed(now + 601)],
      ['signed with another key', signed(now, 'sigm')],
      ['signed for other bytes', signed(now, 'sign', `${JSON.stringify(event)} `)],
      ['signed by nonsense', push(event, { headers: { 'x-strava-signature': 't=x,v1=' } })],
      ['signed right, elsewhere', { ...signed(now), pathSecret: 'other' }],
    ])('and is refused when it is %s', (_, request) => {
      expect(stravaPush.isGenuine(request, signing)).toBe(false);
    });
  });

  const notesOf = (body: unknown) => stravaPush.read(push(body))?.notifications;
  test('about an activity says which one to look at', () => {
    const note = { account: '264621', what: 'object', resource: 'activity', id: '16181800001' };
    expect(notesOf(event)).toEqual([note]);
    expect(notesOf({ ...event, aspect_type: 'create', updates: {} })).toEqual([note]);
    expect(notesOf({ ...event, aspect_type: 'something new', updates: null })).toEqual([note]);
  });

  test('keeps the digits of long ids', () => {
    const text = JSON.stringify(event).replace('16181800001', '9223372036854775807');
    expect(notesOf(text)).toMatchObject([{ id: '9223372036854775807' }]);
  });

  test('about a deleted activity says so', () => {
    expect(notesOf({ ...event, aspect_type: 'delete' })).toEqual([
      { account: '264621', what: 'deleted', kind: 'workouts', id: '16181800001' },
    ]);
  });

  test.each([
    { ...event, object_type: 'athlete', object_id: 264_621, updates: { authorized: 'false' } },
    { ...event, object_type: 'athlete', object_id: 264_621, updates: { authorized: false } },
    { ...event, object_type: 'athlete', object_id: 264_621, aspect_type: 'delete', updates: {} },
  ])('about an athlete who has ended the consent says so', (body) => {
    expect(notesOf(body)).toEqual([{ account: '264621', what: 'ended' }]);
  });

  test('about anything else says nothing', () => {
    expect(notesOf({ ...event, object_type: 'athlete', updates: { weight: '70' } })).toEqual([]);
    expect(notesOf({ ...event, object_type: 'segment' })).toEqual([]);
  });

  test.each([['nonsense'], [{ hello: 1 }], [{ ...event, object_id: '../1' }], [[]]])(
    'that cannot be read is %j',
    (body) => {
      expect(stravaPush.read(push(body))).toBeUndefined();
    },
  );

  test('has a name of its own, and the same one when it is repeated', () => {
    const name = (body: unknown) => stravaPush.read(push(body))?.messageId;
    expect(name(event)).toBe(name({ ...event }));
    expect(name(event)).not.toBe(name({ ...event, event_time: 1_792_327_801 }));
  });
});
