import { describe, expect, test } from 'vitest';
import type { SubscriptionRequest } from '../../../../shared/providers/kit/adapter.ts';
import { UnexpectedResponse } from '../../../../shared/providers/kit/request-flow.ts';
import { ensurePolarWebhook } from '../../../../shared/providers/polar/webhook.ts';
import { testCredentials as credentials, makeResponse, runRequestFlow } from '../../../harness/request-flow.ts';

const nowMs = Date.parse('2026-03-12T12:00:00Z');
const callbackUrl = 'https://daybook.test/v1/providers/polar/push';
const subscriptionRequest: SubscriptionRequest = {
  credentials,
  callbackUrl,
  verificationToken: 'v',
  known: undefined,
  nowMs,
};
const url = 'https://www.polaraccesslink.com/v3/webhooks';
const headers = {
  accept: 'application/json',
  authorization: `Basic ${Buffer.from('client-1:secret-1').toString('base64')}`,
};
const known = { ids: { client: 'dREkPo' }, secret: 'key-1', renewMs: 0 };
const ours = { id: 'dREkPo', events: ['SLEEP'], url: callbackUrl, active: true };
const created = makeResponse(
  { data: { id: 'Qx12', events: [], url: callbackUrl, signature_secret_key: 'key-2' } },
  201,
);
const renewed = { ids: { client: 'Qx12' }, secret: 'key-2', renewMs: nowMs + 86_400_000 };

describe('the webhook', () => {
  test.each([
    ['an empty list', makeResponse({ data: [] })],
    ['null', makeResponse({ data: null })],
    ['204', makeResponse('', 204)],
    ['404', makeResponse('', 404)],
  ])('is created if none exists: %s', (_, none) => {
    const { requests: questions, result } = runRequestFlow(ensurePolarWebhook(subscriptionRequest), [none, created]);
    expect(questions).toEqual([
      { method: 'GET', url, headers },
      {
        method: 'POST',
        url,
        headers,
        json: { events: ['EXERCISE', 'SLEEP', 'ACTIVITY_SUMMARY', 'CONTINUOUS_HEART_RATE'], url: callbackUrl },
      },
    ]);
    expect(result).toEqual(renewed);
  });

  test('that exists is left alone, with the key it was created with', () => {
    const unchanged = { ...known, renewMs: nowMs + 86_400_000 };
    expect(
      runRequestFlow(ensurePolarWebhook({ ...subscriptionRequest, known }), [makeResponse({ data: [ours] })]).result,
    ).toEqual(unchanged);
    expect(
      runRequestFlow(ensurePolarWebhook({ ...subscriptionRequest, known }), [makeResponse({ data: ours })]).result,
    ).toEqual(unchanged);
  });

  test('that was deactivated is reactivated', () => {
    const { requests: questions } = runRequestFlow(ensurePolarWebhook({ ...subscriptionRequest, known }), [
      makeResponse({ data: [{ ...ours, active: false }] }),
      makeResponse(''),
    ]);
    expect(questions[1]).toEqual({ method: 'POST', url: `${url}/activate`, headers });
  });

  test('whose key is lost, or with a previous URL of this deployment, is created again', () => {
    const lost = runRequestFlow(ensurePolarWebhook(subscriptionRequest), [
      makeResponse({ data: [ours] }),
      makeResponse('', 204),
      created,
    ]);
    expect(lost.requests[1]).toEqual({ method: 'DELETE', url: `${url}/dREkPo`, headers });
    expect(lost.result).toEqual(renewed);
    const moved = { ...ours, url: 'https://old.test/push' };
    expect(
      runRequestFlow(ensurePolarWebhook({ ...subscriptionRequest, known }), [
        makeResponse({ data: [moved] }),
        makeResponse('', 404),
        created,
      ]).result,
    ).toEqual(renewed);
  });

  test('of another deployment is never deleted', () => {
    const foreign = { ...ours, id: 'other', url: 'https://else.test/push' };
    expect(() =>
      runRequestFlow(ensurePolarWebhook({ ...subscriptionRequest, known }), [makeResponse({ data: [foreign] })]),
    ).toThrow('for another URL');
  });

  test.each([
    [[makeResponse('', 401)]],
    [[makeResponse([])]],
    [[makeResponse({ data: [] }), makeResponse({ error: { error_type: 'WebhookPingFailedException' } }, 400)]],
    [[makeResponse({ data: [] }), makeResponse({ data: { id: 'Qx12' } }, 201)]],
  ])('that cannot be created fails', (answers) => {
    expect(() => runRequestFlow(ensurePolarWebhook(subscriptionRequest), answers)).toThrow(UnexpectedResponse);
  });
});
