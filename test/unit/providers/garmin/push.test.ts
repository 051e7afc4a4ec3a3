import { expect, test } from 'vitest';
import { garminPush } from '../../../../shared/providers/garmin/push.ts';
import type { PushKeys, PushRequest } from '../../../../shared/providers/kit/push.ts';

const keys: PushKeys = {
  credentials: { clientId: 'client-7', clientSecret: 'hush', more: {} },
  pathSecret: 'p4th',
  verificationToken: '',
  subscriptionSecret: undefined,
};
const push = (body: unknown, change: Partial<PushRequest> = {}): PushRequest => ({
  method: 'POST',
  headers: { 'garmin-client-id': 'client-7' },
  query: {},
  pathSecret: 'p4th',
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  receivedMs: Date.parse('2026-03-31T10:00:00Z'),
  ...change,
});

test('a push is genuine with the secret in its path and our client id in its header', () => {
  expect(garminPush.isGenuine(push({}), keys)).toBe(true);
  expect(garminPush.acceptedResponse).toEqual({ status: 200 });
});

test.each<[string, Partial<PushRequest>]>([
  ['a secret that differs in one character', { pathSecret: 'p4tH' }],
  ['no secret', { pathSecret: undefined }],
  ['another client', { headers: { 'garmin-client-id': 'client-8' } }],
  ['no client', { headers: {} }],
  ['another method', { method: 'GET' }],
])('%s is not genuine', (_, change) => {
  expect(garminPush.isGenuine(push({}, change), keys)).toBe(false);
});

test('each account gets its own part of the push and nothing of other accounts', () => {
  const content = garminPush.read(
    push({
      dailies: [
        { userId: 'ada', summaryId: 'a1', steps: 1 },
        { userId: 'bob', summaryId: 'b1', steps: 2 },
        { userId: 'ada', summaryId: 'a2', steps: 3 },
      ],
      sleeps: [{ userId: 'bob', summaryId: 'b2' }, { summaryId: 'nobody' }],
      stressDetails: [{ userId: 'ada', summaryId: 's1' }],
      skinTemp: [{ userId: 'ada', summaryId: 't1' }],
      somethingNew: { userId: 'ada' },
    }),
  );
  expect(
    content?.notifications.map((note) => note.what === 'data' && [note.account, JSON.parse(note.page.text)]),
  ).toEqual([
    [
      'ada',
      {
        dailies: [
          { userId: 'ada', summaryId: 'a1', steps: 1 },
          { userId: 'ada', summaryId: 'a2', steps: 3 },
        ],
        stressDetails: [{ userId: 'ada', summaryId: 's1' }],
      },
    ],
    ['bob', { dailies: [{ userId: 'bob', summaryId: 'b1', steps: 2 }], sleeps: [{ userId: 'bob', summaryId: 'b2' }] }],
  ]);
});

test('a deregistration ends the consent', () => {
  expect(garminPush.read(push({ deregistrations: [{ userId: 'ada' }, {}, null] }))).toEqual({
    notifications: [{ account: 'ada', what: 'ended' }],
  });
});

test('permission for historical data that is granted later requests the earlier days, and other permission changes do nothing', () => {
  const changes = [
    { userId: 'ada', permissions: ['HEALTH_EXPORT', 'HISTORICAL_DATA_EXPORT'] },
    { userId: 'bob', permissions: ['HEALTH_EXPORT'] },
    { userId: 'eve', permissions: null },
  ];
  expect(garminPush.read(push({ userPermissionsChange: changes }))).toEqual({
    notifications: [{ account: 'ada', what: 'days', from: '2026-03-02', to: '2026-03-31' }],
  });
});

test('an unknown body is accepted without a notification, and a body that is not an object is not read', () => {
  expect(garminPush.read(push({ mct: [{ userId: 'ada' }], dailies: null, __proto__: [] }))).toEqual({
    notifications: [],
  });
  expect(garminPush.read(push('[1]'))).toBeUndefined();
  expect(garminPush.read(push('{"dailies":'))).toBeUndefined();
});
