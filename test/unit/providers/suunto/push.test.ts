import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import type { PushKeys, PushRequest } from '../../../../shared/providers/kit/push.ts';
import { suuntoPush } from '../../../../shared/providers/suunto/push.ts';

const keys = (more: Record<string, string>): PushKeys => ({
  credentials: { clientId: 'client-7', clientSecret: 'hush', more },
  pathSecret: '',
  verificationToken: '',
  subscriptionSecret: undefined,
});
const ours = keys({ notification_secret: 'n0tify' });

function push(body: unknown, change: Partial<PushRequest> = {}): PushRequest {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    method: 'POST',
    headers: { 'x-hmac-sha256-signature': createHmac('sha256', 'n0tify').update(text).digest('hex') },
    query: {},
    pathSecret: undefined,
    body: Buffer.from(text),
    receivedMs: Date.parse('2026-05-13T07:00:00Z'),
    ...change,
  };
}
const night = { timestamp: '2026-05-12T23:05:00.000+02:00', entryData: { SleepId: 1_778_619_900, Duration: 27_900 } };
const slept = { type: 'SUUNTO_247_SLEEP_CREATED', username: 'runner42', samples: [night] };

test('the signature is that of the raw bytes', () => {
  // Computed independently, over the text with its spaces.
  const text = '{ "a": 1 }';
  const signature = 'cbf1d7f7e7c8208a34e875e07ba42fd9f5b8088bd74dd388f76082a6ffb07d8e';
  const request = push(text, { headers: { 'x-hmac-sha256-signature': signature } });
  expect(suuntoPush.isGenuine(request, ours)).toBe(true);
  expect(suuntoPush.isGenuine({ ...request, body: Buffer.from('{"a":1}') }, ours)).toBe(false);
});

test.each<[string, PushRequest, PushKeys]>([
  [
    'a body with one byte changed',
    { ...push(slept), body: Buffer.from(JSON.stringify({ ...slept, username: 'runner43' })) },
    ours,
  ],
  [
    'a signature with one digit changed',
    push('{}', {
      headers: {
        'x-hmac-sha256-signature': createHmac('sha256', 'n0tify')
          .update('{}')
          .digest('hex')
          .replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      },
    }),
    ours,
  ],
  ['another secret', push(slept), keys({ notification_secret: 'n0tifY' })],
  ['a deployment without a secret', push(slept), keys({})],
  ['no signature', push(slept, { headers: {} }), ours],
  [
    'the older form, which has no signature',
    push('username=runner42&workoutid=1', { headers: { authorization: 'Basic x' } }),
    ours,
  ],
  ['another method', push(slept, { method: 'GET' }), ours],
])('%s is not genuine', (_, request, known) => {
  expect(suuntoPush.isGenuine(request, known)).toBe(false);
});

test('a night is stored as received, the days before are read again, and the signature is the message id', () => {
  const request = push(slept);
  expect(suuntoPush.read(request)).toEqual({
    messageId: request.headers['x-hmac-sha256-signature'],
    notifications: [
      { account: 'runner42', what: 'data', page: { resource: 'sleep', text: JSON.stringify([night]) } },
      { account: 'runner42', what: 'days', from: '2026-05-11', to: '2026-05-12' },
    ],
  });
});

test('activity is stored as received', () => {
  const samples = [{ timestamp: '2026-05-13T10:20:00.000+02:00', entryData: { HR: 74 } }];
  const content = suuntoPush.read(push({ type: 'SUUNTO_247_ACTIVITY_CREATED', username: 'runner42', samples }));
  expect(content?.notifications).toEqual([
    { account: 'runner42', what: 'data', page: { resource: 'activity', text: JSON.stringify(samples) } },
  ]);
});

test('the first hour of a day means that the day before is over: it is read again, with the day that is over everywhere', () => {
  const samples = ['2026-05-12T23:50:00.000+02:00', '2026-05-13T00:20:00.000+02:00', 'nonsense', '0000-00-00T00'].map(
    (timestamp) => ({ timestamp, entryData: { HR: 60 } }),
  );
  const content = suuntoPush.read(push({ type: 'SUUNTO_247_ACTIVITY_CREATED', username: 'runner42', samples }));
  expect(content?.notifications[1]).toEqual({
    account: 'runner42',
    what: 'days',
    from: '2026-05-11',
    to: '2026-05-12',
  });
});

test('a workout is announced by its key, because the pushed workout is truncated', () => {
  const workout = { workoutKey: '6a01f3c2d4e5b60718293a4b', totalDistance: 1 };
  const content = suuntoPush.read(push({ type: 'WORKOUT_CREATED', username: 'runner42', workout, gear: null }));
  expect(content?.notifications).toEqual([
    { account: 'runner42', what: 'object', resource: 'workout', id: '6a01f3c2d4e5b60718293a4b' },
  ]);
});

test.each([
  { type: 'ROUTE_CREATED', username: 'runner42' },
  { type: 'SUUNTO_247_RECOVERY_CREATED', username: 'runner42', samples: [{}] },
  { type: 'toString', username: 'runner42', samples: [{}] },
  { type: 'SUUNTO_247_SLEEP_CREATED', username: 'runner42', samples: [] },
  { type: 'WORKOUT_CREATED', username: 'runner42' },
])('%j is accepted without a notification', (body) => {
  expect(suuntoPush.read(push(body))?.notifications).toEqual([]);
});

test.each(['no JSON', { type: 'WORKOUT_CREATED' }, { type: 'WORKOUT_CREATED', username: '' }, []])(
  '%j is not readable',
  (body) => {
    expect(suuntoPush.read(push(body))).toBeUndefined();
  },
);
