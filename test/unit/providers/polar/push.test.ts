import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { PushKeys, PushRequest } from '../../../../shared/providers/kit/push.ts';
import { polarPush } from '../../../../shared/providers/polar/push.ts';
import { testCredentials as credentials } from '../../../harness/request-flow.ts';

const keys: PushKeys = {
  credentials,
  pathSecret: 'path',
  verificationToken: 'verify',
  subscriptionSecret: 'abe1f3ae-fd33-11e8-8eb2-f2801f1b9fd1',
};
const push = (body: unknown, headers: Record<string, string> = {}): PushRequest => ({
  method: 'POST',
  headers,
  query: {},
  pathSecret: undefined,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  receivedMs: Date.parse('2026-03-12T12:00:00Z'),
});
const sleep = {
  event: 'SLEEP',
  user_id: 475,
  date: '2026-03-11',
  timestamp: '2026-03-11T06:10:00Z',
  url: 'https://www.polaraccesslink.com/v3/users/sleep/2026-03-11',
};
const workout = {
  event: 'EXERCISE',
  user_id: 475,
  entity_id: 'aQlC83',
  timestamp: '2026-03-11T18:30:00Z',
  url: 'https://x',
};
const signatureOf = (text: string, key = keys.subscriptionSecret ?? '') =>
  createHmac('sha256', key).update(text).digest('hex');

describe('a push', () => {
  const text = JSON.stringify(sleep);

  test('is genuine when its bytes are signed with the key of the webhook', () => {
    expect(polarPush.isGenuine(push(text, { 'polar-webhook-signature': signatureOf(text) }), keys)).toBe(true);
  });

  test.each([
    ['changed by one byte', push(`${text} `, { 'polar-webhook-signature': signatureOf(text) }), keys],
    ['signed with another key', push(text, { 'polar-webhook-signature': signatureOf(text, 'other') }), keys],
    ['not signed', push(text), keys],
    ['signed with an empty signature', push(text, { 'polar-webhook-signature': '' }), keys],
    [
      'for a webhook without a known key',
      push(text, { 'polar-webhook-signature': createHmac('sha256', '').update(text).digest('hex') }),
      { ...keys, subscriptionSecret: undefined },
    ],
    [
      'a GET request',
      { ...push(text, { 'polar-webhook-signature': signatureOf(text) }), method: 'GET' as const },
      keys,
    ],
  ])('is not genuine when it is %s', (_, request, known) => {
    expect(polarPush.isGenuine(request, known)).toBe(false);
  });

  const notesOf = (body: unknown) => polarPush.read(push(body))?.notifications;

  test.each(['SLEEP', 'ACTIVITY_SUMMARY', 'CONTINUOUS_HEART_RATE', 'SOMETHING_NEW'])(
    '%s covers its date and the adjacent days',
    (event) => {
      expect(notesOf({ ...sleep, event })).toEqual([
        { account: '475', what: 'days', from: '2026-03-10', to: '2026-03-12' },
      ]);
    },
  );

  test('about physical information covers the days around its arrival', () => {
    expect(notesOf({ event: 'PHYSICAL_INFORMATION', user_id: 475, timestamp: '2026-03-12T08:00:00Z' })).toEqual([
      { account: '475', what: 'days', from: '2026-03-11', to: '2026-03-13' },
    ]);
  });

  test('about a workout names the workout to look up', () => {
    expect(notesOf(workout)).toEqual([{ account: '475', what: 'object', resource: 'exercise', id: 'aQlC83' }]);
  });

  test.each([
    [
      'alertness, which is not read',
      { event: 'SLEEP_WISE_ALERTNESS', user_id: 475, from: '2026-03-11', to: '2026-03-12' },
    ],
    ['a workout with an invalid id', { ...workout, entity_id: '../users/475' }],
    ['no user', { ...sleep, user_id: undefined }],
    ['no day', { ...sleep, date: 'today', timestamp: null }],
  ])('about %s gives no notification', (_, body) => {
    expect(notesOf(body)).toEqual([]);
  });

  test.each([['nonsense'], [[]], [{ user_id: 475 }]])('that is unreadable is skipped: %j', (body) => {
    expect(polarPush.read(push(body))).toBeUndefined();
  });

  test('has the same message id when it is sent twice', () => {
    const name = (body: unknown) => polarPush.read(push(body))?.messageId;
    expect(name(sleep)).toBe(name({ ...sleep }));
    expect(name(sleep)).not.toBe(name({ ...sleep, timestamp: '2026-03-11T06:11:00Z' }));
  });
});

describe('a ping', () => {
  test('is answered without a signature', () => {
    const ping = { timestamp: '2026-03-12T12:00:00Z', event: 'PING' };
    expect(polarPush.answerProbe?.(push(ping))).toEqual({ status: 200 });
    expect(polarPush.read(push(ping))?.notifications).toEqual([]);
  });

  test('is not any other body', () => {
    expect(polarPush.answerProbe?.(push(sleep))).toBeUndefined();
    expect(polarPush.answerProbe?.(push('PING'))).toBeUndefined();
    expect(polarPush.answerProbe?.(push({ event: 'PING', more: 'x'.repeat(1_000) }))).toBeUndefined();
  });
});
