import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { googleHealthPush } from '../../../../shared/providers/google-health/push.ts';
import type { PushKeys, PushRequest } from '../../../../shared/providers/kit/push.ts';
import { googleHealthSimulator } from '../../../../shared/sandbox/simulated-providers/google-health.ts';
import { lifeOfMarch } from '../march-days.ts';

const receivedMs = Date.UTC(2026, 2, 7, 12);
const keys = (more: Readonly<Record<string, string>> = {}): PushKeys => ({
  credentials: { clientId: 'c', clientSecret: 's', more: { subscriber_secret: 'Bearer the-secret', ...more } },
  pathSecret: 'p',
  verificationToken: 'v',
  subscriptionSecret: undefined,
});
const request = (
  body: unknown,
  headers: Readonly<Record<string, string>> = { authorization: 'Bearer the-secret' },
): PushRequest => ({
  method: 'POST',
  headers,
  query: {},
  pathSecret: undefined,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  receivedMs,
});
const notes = (body: unknown) => googleHealthPush.read(request(body))?.notifications;
const changed = (more: object) => ({
  data: { version: '1', healthUserId: 'h-1', operation: 'UPSERT', dataType: 'steps', ...more },
});

describe('a push is genuine', () => {
  test('only with the complete secret of the subscriber', () => {
    expect(googleHealthPush.isGenuine(request('[]'), keys())).toBe(true);
    for (const authorization of ['Bearer the-secreT', 'the-secret', 'Bearer the-secret ', ''])
      expect(googleHealthPush.isGenuine(request('[]', { authorization }), keys())).toBe(false);
    expect(googleHealthPush.isGenuine(request('[]', {}), keys())).toBe(false);
  });

  test('never without a configured secret', () => {
    expect(googleHealthPush.isGenuine(request('[]', { authorization: '' }), keys({ subscriber_secret: '' }))).toBe(
      false,
    );
    expect(googleHealthPush.isGenuine(request('[]', {}), keys({ subscriber_secret: '' }))).toBe(false);
  });

  test('as a probe, which is answered with 200, only with the secret', () => {
    const probe = { type: 'verification' };
    expect(googleHealthPush.answerHandshake?.(request(probe), keys())).toEqual({ status: 200 });
    expect(googleHealthPush.answerHandshake?.(request(probe, {}), keys())).toBeUndefined();
    expect(googleHealthPush.isGenuine(request(probe, {}), keys())).toBe(false);
    expect(googleHealthPush.answerHandshake?.(request(changed({})), keys())).toBeUndefined();
    expect(googleHealthPush.acceptedResponse).toEqual({ status: 204 });
  });

  describe('by its signature when the keys are known:', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const bytes = (field: number, value: Buffer) =>
      Buffer.concat([Buffer.from([(field << 3) | 2, value.length]), value]);
    /** With the leading zero that big integers may have, and fields that are not needed. */
    const key = Buffer.concat([
      Buffer.from([0x08, 0x00]),
      bytes(2, Buffer.from([0x08, 0x03, 0x10, 0x02])),
      bytes(3, Buffer.concat([Buffer.from([0]), Buffer.from(x, 'base64url')])),
      bytes(4, Buffer.from(y, 'base64url')),
    ]).toString('base64');
    const keyId = 3_405_691_582;
    const keyset = JSON.stringify({
      primaryKeyId: keyId,
      key: [{ keyData: { typeUrl: 'EcdsaPublicKey', value: key }, status: 'ENABLED', keyId, outputPrefixType: 'TINK' }],
    });
    const body = JSON.stringify([changed({})]);
    const signed = (text: string, id = keyId) => {
      const prefix = Buffer.alloc(5, 1);
      prefix.writeUInt32BE(id, 1);
      return Buffer.concat([
        prefix,
        sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'der' }),
      ]).toString('base64');
    };
    const isGenuine = (signature: string, known = keyset) =>
      googleHealthPush.isGenuine(
        request(body, { authorization: 'Bearer the-secret', 'google-health-api-signature': signature }),
        keys({ webhook_keyset: known }),
      );

    test('a valid one is accepted, one over another body is not', () => {
      expect(isGenuine(signed(body))).toBe(true);
      expect(isGenuine(signed(`${body} `))).toBe(false);
      const [first = '', ...rest] = Buffer.from(signed(body), 'base64').toString('latin1');
      expect(
        isGenuine(Buffer.from([first.charCodeAt(0) + 1, ...rest.map((c) => c.charCodeAt(0))]).toString('base64')),
      ).toBe(false);
      expect(isGenuine('no signature')).toBe(false);
    });

    test('an unknown key does not reject a push', () => {
      expect(isGenuine(signed(`${body} `, 7))).toBe(true);
      expect(isGenuine(signed(body), 'not a keyset')).toBe(true);
    });

    test('a valid signature does not replace the secret', () => {
      const signedRequest = request(body, { authorization: 'x', 'google-health-api-signature': signed(body) });
      expect(googleHealthPush.isGenuine(signedRequest, keys({ webhook_keyset: keyset }))).toBe(false);
    });
  });
});

describe('a notification', () => {
  const civil = (day: number) => ({ date: { year: 2026, month: 3, day } });

  test.each([
    [
      { civilIso8601TimeInterval: { startTime: '2026-03-04T23:10:00', endTime: '2026-03-05T06:00:00' } },
      '2026-03-03',
      '2026-03-06',
    ],
    [{ civilDateTimeInterval: { startDateTime: civil(5), endDateTime: civil(6) } }, '2026-03-04', '2026-03-07'],
    [{ civilIso8601TimeInterval: { startTime: '2026-03-05T17:29:00' } }, '2026-03-04', '2026-03-06'],
    // 22:00 UTC may already be the 6th, and 08:00 UTC may still be the 5th.
    [
      { physicalTimeInterval: { startTime: '2026-03-05T22:00:00Z', endTime: '2026-03-06T08:00:00Z' } },
      '2026-03-05',
      '2026-03-06',
    ],
  ])("of %j covers these days in the user's zone", (interval, from, to) => {
    expect(notes(changed({ intervals: [interval] }))).toEqual([{ account: 'h-1', what: 'days', from, to }]);
  });

  test('of a daily value covers exactly its day', () => {
    const intervals = [{ civilDateTimeInterval: { startDateTime: civil(5), endDateTime: civil(6) } }];
    expect(notes(changed({ dataType: 'daily-resting-heart-rate', intervals }))).toMatchObject([
      { from: '2026-03-05', to: '2026-03-06' },
    ]);
  });

  test('takes the instant before the local time', () => {
    const interval = {
      physicalTimeInterval: { startTime: '2026-03-05T22:00:00Z', endTime: '2026-03-06T20:00:00Z' },
      civilIso8601TimeInterval: { startTime: '2026-03-06T07:00:00', endTime: '2026-03-06T08:00:00' },
    };
    expect(notes(changed({ intervals: [interval] }))).toMatchObject([{ from: '2026-03-05', to: '2026-03-07' }]);
  });

  test('covers several accounts, and the same days of several types once', () => {
    const intervals = [{ civilDateTimeInterval: { startDateTime: civil(5), endDateTime: civil(5) } }];
    expect(
      notes([
        changed({ intervals }),
        changed({ dataType: 'heart-rate', intervals }),
        changed({ healthUserId: 'h-2', intervals }),
        { data: {} },
        7,
      ]),
    ).toEqual([
      { account: 'h-1', what: 'days', from: '2026-03-04', to: '2026-03-06' },
      { account: 'h-2', what: 'days', from: '2026-03-04', to: '2026-03-06' },
    ]);
  });

  test('of a deleted session names it, with its days where they are known', () => {
    const intervals = [{ civilDateTimeInterval: { startDateTime: civil(5), endDateTime: civil(6) } }];
    expect(notes(changed({ operation: 'DELETE', dataType: 'sleep', recordId: '880' }))).toEqual([
      { account: 'h-1', what: 'deleted', kind: 'sleep', id: '880' },
    ]);
    expect(notes(changed({ operation: 'DELETE', dataType: 'exercise', recordId: '77', intervals }))).toEqual([
      { account: 'h-1', what: 'days', from: '2026-03-04', to: '2026-03-07' },
      { account: 'h-1', what: 'deleted', kind: 'workouts', id: '77' },
    ]);
  });

  test('of a session without days has it looked up, unless its name is not valid in a URL', () => {
    expect(notes(changed({ dataType: 'exercise', recordId: '77' }))).toEqual([
      { account: 'h-1', what: 'object', resource: 'exercise', id: '77' },
    ]);
    expect(notes(changed({ dataType: 'exercise', recordId: '../../identity' }))).toMatchObject([{ what: 'days' }]);
  });

  test('without days covers the last days, and none reaches back further than a first sync', () => {
    expect(notes(changed({}))).toEqual([{ account: 'h-1', what: 'days', from: '2026-03-04', to: '2026-03-08' }]);
    const intervals = [
      { civilIso8601TimeInterval: { startTime: '2012-01-01T00:00:00', endTime: '2012-01-02T00:00:00' } },
    ];
    expect(notes(changed({ intervals }))).toEqual([]);
  });

  test.each(['', '{', '{}', '[]', '{"data":{"healthUserId":"a/b","dataType":"steps"}}'])(
    '%j is not readable',
    (body) => {
      expect(notes(body)).toBeUndefined();
    },
  );
});

test('a push of the sandbox is genuine, and covers its days', () => {
  const [push] = googleHealthSimulator.buildPushes?.('h-1', lifeOfMarch, keys(), receivedMs) ?? [];
  const sent = request(push?.body ?? '', push?.headers);
  expect(googleHealthPush.isGenuine(sent, keys())).toBe(true);
  expect(googleHealthPush.read(sent)?.notifications).toEqual([
    { account: 'h-1', what: 'days', from: '2026-03-04', to: '2026-03-06' },
    { account: 'h-1', what: 'days', from: '2026-03-05', to: '2026-03-07' },
  ]);
});
