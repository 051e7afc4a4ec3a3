import { describe, expect, test } from 'vitest';
import type { SubscriptionRequest } from '../../../../shared/providers/kit/adapter.ts';
import { UnexpectedResponse } from '../../../../shared/providers/kit/request-flow.ts';
import { ensureStravaSubscription } from '../../../../shared/providers/strava/subscription.ts';
import { testCredentials as credentials, makeResponse, runRequestFlow } from '../../../harness/request-flow.ts';

const nowMs = Date.parse('2026-10-18T12:00:00Z');
const callbackUrl = 'https://daybook.test/v1/providers/strava/push/s3cret';
const subscriptionRequest: SubscriptionRequest = {
  credentials,
  callbackUrl,
  verificationToken: 'verify-me',
  known: undefined,
  nowMs,
};
const url = 'https://www.strava.com/api/v3/push_subscriptions';
const client = { client_id: 'client-1', client_secret: 'secret-1' };
const unchanged = { ids: { app: '131300' }, secret: '131300', renewMs: nowMs + 86_400_000 };
const elsewhere = { id: 5, callback_url: 'https://old.test/push' };

describe('the push subscription', () => {
  test('is created if none exists', () => {
    const { requests: questions, result } = runRequestFlow(ensureStravaSubscription(subscriptionRequest), [
      makeResponse([]),
      makeResponse({ id: 131_300 }, 201),
    ]);
    expect(questions).toEqual([
      { method: 'GET', url, query: client },
      { method: 'POST', url, form: { ...client, callback_url: callbackUrl, verify_token: 'verify-me' } },
    ]);
    expect(result).toEqual(unchanged);
  });

  test('that exists is left alone', () => {
    const { result } = runRequestFlow(ensureStravaSubscription(subscriptionRequest), [
      makeResponse([{ id: 131_300, callback_url: callbackUrl }]),
    ]);
    expect(result).toEqual(unchanged);
  });

  test('with a previous URL of this deployment is replaced', () => {
    const known = { ids: { app: '5' }, renewMs: 0 };
    const { requests: questions, result } = runRequestFlow(
      ensureStravaSubscription({ ...subscriptionRequest, known }),
      [makeResponse([elsewhere]), makeResponse('', 204), makeResponse({ id: 131_300 }, 201)],
    );
    expect(questions[1]).toEqual({ method: 'DELETE', url: `${url}/5`, query: client });
    expect(result).toEqual(unchanged);
  });

  test('of another deployment is never deleted', () => {
    expect(() => runRequestFlow(ensureStravaSubscription(subscriptionRequest), [makeResponse([elsewhere])])).toThrow(
      'for another URL',
    );
  });

  test.each([
    [[makeResponse({ message: 'no' }, 401)]],
    [[makeResponse({ message: 'no list' })]],
    [[makeResponse([]), makeResponse({ message: 'callback url not verifiable' }, 400)]],
  ])('that cannot be created fails without naming a secret', (answers) => {
    const failing = () => runRequestFlow(ensureStravaSubscription(subscriptionRequest), answers);
    expect(failing).toThrow(UnexpectedResponse);
    expect(failing).toThrow(expect.objectContaining({ message: expect.not.stringContaining('s3cret') }));
  });
});
