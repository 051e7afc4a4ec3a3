import { expect, test } from 'vitest';
import {
  type ProviderRequest,
  type ProviderResponse,
  UnexpectedResponse,
} from '../../../../shared/providers/kit/request-flow.ts';
import { ouraSubscriptions } from '../../../../shared/providers/oura/subscriptions.ts';
import { makeResponse, runRequestFlow, testCredentials } from '../../../harness/request-flow.ts';

const nowMs = Date.parse('2026-03-10T12:00:00Z');
const url = 'https://api.ouraring.com/v2/webhook/subscription';
const callbackUrl = 'https://daybook.example/v1/providers/oura/push';
const inDays = (days: number): string => new Date(nowMs + days * 86_400_000).toISOString().slice(0, -1);

function upkeep(answer: (request: ProviderRequest) => ProviderResponse) {
  const flow = ouraSubscriptions.ensureForDeployment?.({
    credentials: testCredentials,
    callbackUrl,
    verificationToken: 'verification-1',
    known: undefined,
    nowMs,
  });
  if (!flow) throw new Error('the adapter has no subscription upkeep');
  return runRequestFlow(flow, answer);
}

const types = ['sleep', 'daily_activity', 'daily_spo2', 'workout', 'session', 'vo2_max'];
const pairs = types.flatMap((data_type) =>
  ['create', 'update', 'delete'].map((event_type) => ({ event_type, data_type })),
);
const existing = (days: number, at = callbackUrl) =>
  pairs.map((pair, index) => ({ id: `sub-${index}`, callback_url: at, ...pair, expiration_time: inDays(days) }));

test('missing subscriptions are created, one per data type and event', () => {
  let created = 0;
  const { requests, result } = upkeep(({ method }) =>
    method === 'GET' ? makeResponse([]) : makeResponse({ id: `new-${created++}`, expiration_time: inDays(90) }, 201),
  );
  expect(requests[0]).toEqual({
    method: 'GET',
    url,
    headers: { 'x-client-id': 'client-1', 'x-client-secret': 'secret-1' },
  });
  expect(requests.slice(1).map(({ method, url: to, json }) => [method, to, json])).toEqual(
    pairs.map((pair) => ['POST', url, { callback_url: callbackUrl, verification_token: 'verification-1', ...pair }]),
  );
  expect(Object.keys(result.ids)).toHaveLength(18);
  expect(result.ids['create sleep']).toBe('new-0');
  expect(result.renewMs).toBe(nowMs + 30 * 86_400_000);
});

test('subscriptions that last are left alone, and those that expire soon are renewed', () => {
  const lasting = upkeep(() => makeResponse(existing(60)));
  expect(lasting.requests).toHaveLength(1);
  expect(lasting.result.ids['update workout']).toBe('sub-10');

  const ending = upkeep(({ method }) =>
    method === 'GET' ? makeResponse(existing(20)) : makeResponse({ id: 'renewed', expiration_time: inDays(90) }),
  );
  expect(ending.requests.slice(1).map(({ method, url: to }) => [method, to])).toEqual(
    pairs.map((_pair, index) => ['PUT', `${url}/renew/sub-${index}`]),
  );
});

test.each([403, 404])('a subscription that is gone (%i) is created again', (status) => {
  const { requests, result } = upkeep(({ method }) => {
    if (method === 'GET') return makeResponse(existing(1));
    return method === 'PUT' ? makeResponse({}, status) : makeResponse({ id: 'anew', expiration_time: inDays(90) }, 201);
  });
  expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(18);
  expect(result.ids['create sleep']).toBe('anew');
});

test('a subscription with a previous callback URL is moved to the current one', () => {
  const { requests, result } = upkeep(({ method }) => {
    if (method === 'GET') return makeResponse(existing(60, 'https://old.example/push'));
    return method === 'POST' ? makeResponse({}, 409) : makeResponse({ id: 'sub-0', expiration_time: inDays(60) });
  });
  expect(requests.slice(1, 3).map(({ method, url: to }) => [method, to])).toEqual([
    ['POST', url],
    ['PUT', `${url}/sub-0`],
  ]);
  expect(Object.keys(result.ids)).toHaveLength(18);
});

test('subscriptions that cannot be created are tried again the next day', () => {
  const { result } = upkeep(({ method }) => (method === 'GET' ? makeResponse([]) : makeResponse({}, 409)));
  expect(result).toEqual({ ids: {}, renewMs: nowMs + 86_400_000 });
});

test('an unknown response is not taken for success', () => {
  expect(() => upkeep(() => makeResponse({ detail: 'no' }, 401))).toThrow(UnexpectedResponse);
  expect(() => upkeep(({ method }) => (method === 'GET' ? makeResponse([]) : makeResponse({}, 400)))).toThrow(
    UnexpectedResponse,
  );
});
