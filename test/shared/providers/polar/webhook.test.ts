import { describe, expect, test } from 'vitest';
import type { SubscriptionAsked } from '../../../../shared/providers/adapter.ts';
import { polarWebhook } from '../../../../shared/providers/polar/webhook.ts';
import { Unexpected } from '../../../../shared/providers/vendor.ts';
import { converse, credentials, reply } from '../../../harness/talking.ts';

const nowMs = Date.parse('2026-03-12T12:00:00Z');
const callbackUrl = 'https://daybook.test/v1/providers/polar/push';
const asked: SubscriptionAsked = { credentials, callbackUrl, verificationToken: 'v', known: undefined, nowMs };
const url = 'https://www.polaraccesslink.com/v3/webhooks';
const headers = {
  accept: 'application/json',
  authorization: `Basic ${Buffer.from('client-7:secret-7').toString('base64')}`,
};
const known = { ids: { client: 'dREkPo' }, secret: 'key-1', againMs: 0 };
const ours = { id: 'dREkPo', events: ['SLEEP'], url: callbackUrl, active: true };
const made = reply(201, { data: { id: 'Qx12', events: [], url: callbackUrl, signature_secret_key: 'key-2' } });
const renewed = { ids: { client: 'Qx12' }, secret: 'key-2', againMs: nowMs + 86_400_000 };

describe('the webhook', () => {
  test.each([
    ['an empty list', reply(200, { data: [] })],
    ['null', reply(200, { data: null })],
    ['204', reply(204)],
    ['404', reply(404)],
  ])('is made where there is none: %s', (_, none) => {
    const { asked: questions, result } = converse(polarWebhook(asked), [none, made]);
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
    expect(converse(polarWebhook({ ...asked, known }), [reply(200, { data: [ours] })]).result).toEqual(stands);
    expect(converse(polarWebhook({ ...asked, known }), [reply(200, { data: ours })]).result).toEqual(stands);
  });

  test('that was switched off is woken', () => {
    const { asked: questions } = converse(polarWebhook({ ...asked, known }), [
      reply(200, { data: [{ ...ours, active: false }] }),
      reply(200),
    ]);
    expect(questions[1]).toEqual({ method: 'POST', url: `${url}/activate`, headers });
  });

  test('whose key is lost, or that leads to our old address, is made anew', () => {
    const lost = converse(polarWebhook(asked), [reply(200, { data: [ours] }), reply(204), made]);
    expect(lost.asked[1]).toEqual({ method: 'DELETE', url: `${url}/dREkPo`, headers });
    expect(lost.result).toEqual(renewed);
    const moved = { ...ours, url: 'https://old.test/push' };
    expect(
      converse(polarWebhook({ ...asked, known }), [reply(200, { data: [moved] }), reply(404), made]).result,
    ).toEqual(renewed);
  });

  test('of somebody else is never deleted', () => {
    const foreign = { ...ours, id: 'other', url: 'https://else.test/push' };
    expect(() => converse(polarWebhook({ ...asked, known }), [reply(200, { data: [foreign] })])).toThrow(
      'for another address',
    );
  });

  test.each([
    [[reply(401)]],
    [[reply(200, [])]],
    [[reply(200, { data: [] }), reply(400, { error: { error_type: 'WebhookPingFailedException' } })]],
    [[reply(200, { data: [] }), reply(201, { data: { id: 'Qx12' } })]],
  ])('that cannot be made fails', (answers) => {
    expect(() => converse(polarWebhook(asked), answers)).toThrow(Unexpected);
  });
});
