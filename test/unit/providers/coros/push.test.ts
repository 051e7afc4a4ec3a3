import { expect, test } from 'vitest';
import { corosPush } from '../../../../shared/providers/coros/push.ts';
import type { PushRequest } from '../../../../shared/providers/kit/push.ts';
import { makePushRequest, pushKeys } from '../../../harness/request-flow.ts';

const shown = { client: 'client-1', secret: 'secret-1' };
const fine = { status: 200, json: { message: 'ok', result: '0000' } };

test('a push carries our id and secret, in headers or in its body, and gets the response that COROS requires', () => {
  expect(corosPush.isGenuine(makePushRequest('{}', { headers: shown }), pushKeys)).toBe(true);
  expect(corosPush.isGenuine(makePushRequest(JSON.stringify({ batchDailyList: [], ...shown })), pushKeys)).toBe(true);
  expect(corosPush.acceptedResponse).toEqual(fine);
});

test.each<[string, PushRequest]>([
  ['a secret that differs in one character', makePushRequest('{}', { headers: { ...shown, secret: 'secret-2' } })],
  ['another client', makePushRequest('{}', { headers: { ...shown, client: 'client-2' } })],
  ['a secret alone', makePushRequest('{}', { headers: { secret: 'secret-1' } })],
  [
    'a wrong header with a correct body',
    makePushRequest(JSON.stringify(shown), { headers: { ...shown, secret: 'x' } }),
  ],
  ['no credentials', makePushRequest('{}')],
  ['another method', makePushRequest('{}', { method: 'GET', headers: shown })],
])('%s is not genuine', (_, request) => {
  expect(corosPush.isGenuine(request, pushKeys)).toBe(false);
});

test('the credentials may be anywhere in a large body, in any JSON notation, and many wrong secrets before them prove nothing', () => {
  const days = Array.from({ length: 2_000 }, (_none, day) => ({ openId: 'ada', dailyList: [{ day, client: null }] }));
  const genuine = (body: string) => corosPush.isGenuine(makePushRequest(body), pushKeys);
  const more = JSON.stringify({ batchDailyList: days }).slice(0, -1);
  expect(genuine(`${more}, "client" : "client-1", "secret":"secret\\u002d1"}`)).toBe(true);
  expect(genuine(`{"client":"client-1","secret":"secret-1",${more.slice(1)}}`)).toBe(true);
  expect(genuine(`${more},"client":"client-1","secret":"secret-2"}`)).toBe(false);
  expect(genuine(`${more},"client":"client-1","secret":"${'x'.repeat(600)}"}`)).toBe(false);
  expect(genuine(`{${'"secret":"guess",'.repeat(20)}"client":"client-1"}`)).toBe(false);
  // Only the first sixteen are checked.
  expect(genuine(`{${'"secret":"guess",'.repeat(15)}"secret":"secret-1","client":"client-1"}`)).toBe(true);
  expect(genuine(`{${'"secret":"guess",'.repeat(16)}"secret":"secret-1","client":"client-1"}`)).toBe(false);
});

test('the availability check is answered', () => {
  expect(corosPush.answerProbe?.(makePushRequest('', { method: 'GET' }))).toEqual(fine);
  expect(corosPush.answerProbe?.(makePushRequest('{}'))).toBeUndefined();
});

test('each account gets its own workouts, with every digit of their ids', () => {
  const body =
    '{"sportDataList":[{"openId":"ada","labelId":437265198870126594,"mode":8},{"openId":"bob","labelId":"2"},{"labelId":3},{"openId":"ada","labelId":4}]}';
  expect(corosPush.read(makePushRequest(body))?.notifications).toEqual([
    {
      account: 'ada',
      what: 'data',
      page: {
        resource: 'sport',
        text: '{"data":[{"openId":"ada","labelId":"437265198870126594","mode":8},{"openId":"ada","labelId":"4"}]}',
      },
    },
    { account: 'bob', what: 'data', page: { resource: 'sport', text: '{"data":[{"openId":"bob","labelId":"2"}]}' } },
  ]);
});

test('each account gets its own days', () => {
  const body = {
    batchDailyList: [
      { openId: 'ada', dailyList: [{ happenDay: 20_260_311 }] },
      { openId: 'bob', dailyList: null },
      { openId: 'ada', dailyList: [{ happenDay: 20_260_312 }] },
    ],
    signature: 'x',
    nonce: 'y',
    timestamp: 1,
  };
  expect(corosPush.read(makePushRequest(JSON.stringify(body)))?.notifications).toEqual([
    {
      account: 'ada',
      what: 'data',
      page: { resource: 'daily', text: '{"data":{"dailyList":[{"happenDay":20260311},{"happenDay":20260312}]}}' },
    },
  ]);
});

test('an unknown body is accepted without a notification, and a body that is not an object is not read', () => {
  expect(corosPush.read(makePushRequest('{"somethingNew":[1]}'))?.notifications).toEqual([]);
  expect(corosPush.read(makePushRequest('[]'))).toBeUndefined();
  expect(corosPush.read(makePushRequest('nothing'))).toBeUndefined();
});
