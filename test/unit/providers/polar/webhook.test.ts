import { describe, expect, test } from 'vitest';
import type { SubscriptionAsked } from '../../../../shared/providers/kit/adapter.ts';
import { Unexpected } from '../../../../shared/providers/kit/vendor.ts';
import { polarWebhook } from '../../../../shared/providers/polar/webhook.ts';
import { testCredentials as credentials, replied, talked } from '../../../harness/vendor-talk.ts';

const nowMs = Date.parse('2026-03-12T12:00:00Z');
const callbackUrl = 'https://daybook.test/v1/providers/polar/push';
const asked: SubscriptionAsked = { credentials, callbackUrl, verificationToken: 'v', known: undefined, nowMs };
const url = 'https://www.polaraccesslink.com/v3/webhooks';
const headers = {
  accept: 'application/json',
  authorization: `Basic ${Buffer.from('client-1:secret-1').toString('base64')}`,
};
const known = { ids: { client: 'dREkPo' }, secret: 'key-1', againMs: 0 };
const ours = { id: 'dREkPo', events: ['SLEEP'], url: callbackUrl, active: true };
const made = replied({ data: { id: 'Qx12', events: [], url: callbackUrl, signature_secret_key: 'key-2' } }, 201);
const renewed = { ids: { client: 'Qx12' }, secret: 'key-2', againMs: nowMs + 86_400_000 };

describe('the webhook', () => {
  test.each([
    ['an empty list', replied({ data: [] })],
    ['null', replied({ data: null })],
    ['204', replied('', 204)],
    ['404', replied('', 404)],
  ])('is made where there is none: %s', (_, none) => {
    const { requests: questions, result } = talked(polarWebhook(asked), [none, made]);
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

  test('that stands is left alone, with the key it was made with', () => {
    const stands = { ...known, againMs: nowMs + 86_400_000 };
    expect(talked(polarWebhook({ ...asked, known }), [replied({ data: [ours] })]).result).toEqual(stands);
    expect(talked(polarWebhook({ ...asked, known }), [replied({ data: ours })]).result).toEqual(stands);
  });

  test('that was switched off is woken', () => {
    const { requests: questions } = talked(polarWebhook({ ...asked, known }), [
      replied({ data: [{ ...ours, active: false }] }),
      replied(''),
    ]);
    expect(questions[1]).toEqual({ method: 'POST', url: `${url}/activate`, headers });
  });

  test('whose key is lost, or that leads to our old address, is made anew', () => {
    const lost = talked(polarWebhook(asked), [replied({ data: [ours] }), replied('', 204), made]);
    expect(lost.requests[1]).toEqual({ method: 'DELETE', url: `${url}/dREkPo`, headers });
    expect(lost.result).toEqual(renewed);
    const moved = { ...ours, url: 'https://old.test/push' };
    expect(
      talked(polarWebhook({ ...asked, known }), [replied({ data: [moved] }), replied('', 404), made]).result,
    ).toEqual(renewed);
  });

  test('of somebody else is never deleted', () => {
    const foreign = { ...ours, id: 'other', url: 'https://else.test/push' };
    expect(() => talked(polarWebhook({ ...asked, known }), [replied({ data: [foreign] })])).toThrow(
      'for another address',
    );
  });

  test.each([
    [[replied('', 401)]],
    [[replied([])]],
    [[replied({ data: [] }), replied({ error: { error_type: 'WebhookPingFailedException' } }, 400)]],
    [[replied({ data: [] }), replied({ data: { id: 'Qx12' } }, 201)]],
  ])('that cannot be made fails', (answers) => {
    expect(() => talked(polarWebhook(asked), answers)).toThrow(Unexpected);
  });
});
