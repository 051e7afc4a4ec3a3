import { describe, expect, test } from 'vitest';
import type { PushKeys, PushRequest } from '../../../../shared/providers/kit/push.ts';
import { withingsPush } from '../../../../shared/providers/withings/push.ts';
import { withingsSimulator } from '../../../../shared/sandbox/simulated-providers/withings.ts';
import { testCredentials } from '../../../harness/request-flow.ts';
import { lifeOfMarch } from '../march-days.ts';

const receivedMs = Date.UTC(2026, 2, 7, 12);
const keys: PushKeys = {
  credentials: testCredentials,
  pathSecret: 'the-path-secret',
  verificationToken: 'v',
  subscriptionSecret: undefined,
};
const request = (body: string, more: Partial<PushRequest> = {}): PushRequest => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  query: {},
  pathSecret: 'the-path-secret',
  body: Buffer.from(body),
  receivedMs,
  ...more,
});
const notes = (body: string) => withingsPush.read(request(body))?.notifications;

test('a push is genuine only with the secret in its path', () => {
  expect(withingsPush.isGenuine(request(''), keys)).toBe(true);
  expect(withingsPush.isGenuine(request('', { pathSecret: 'the-path-secreT' }), keys)).toBe(false);
  expect(withingsPush.isGenuine(request('', { pathSecret: undefined }), keys)).toBe(false);
  expect(withingsPush.isGenuine(request('', { pathSecret: '' }), { ...keys, pathSecret: '' })).toBe(false);
});

test('the URL is confirmed with HEAD, and only with the correct secret', () => {
  expect(withingsPush.answerHandshake?.(request('', { method: 'HEAD' }), keys)).toEqual({ status: 200 });
  expect(withingsPush.answerHandshake?.(request('', { method: 'HEAD', pathSecret: 'x' }), keys)).toBeUndefined();
  expect(withingsPush.answerHandshake?.(request('userid=1'), keys)).toBeUndefined();
  expect(withingsPush.acceptedResponse).toEqual({ status: 200 });
});

describe('the content of a push', () => {
  test('covers the local days of a time span in every zone', () => {
    // From 2026-03-05 22:00 to 2026-03-06 05:30 UTC. With up to 14 hours on either side, that is
    // the 5th to the 6th.
    expect(notes('userid=12345&appli=44&startdate=1772748000&enddate=1772775000')).toEqual([
      { account: '12345', what: 'days', from: '2026-03-05', to: '2026-03-06' },
    ]);
    // 2026-03-06 00:00 UTC may still be the 5th in America.
    expect(notes('userid=12345&appli=1&startdate=1772755200&enddate=1772755201')).toEqual([
      { account: '12345', what: 'days', from: '2026-03-05', to: '2026-03-06' },
    ]);
  });

  test('about activity names a date, which is read with its adjacent days', () => {
    expect(notes('userid=12345&appli=16&date=2026-03-05')).toEqual([
      { account: '12345', what: 'days', from: '2026-03-04', to: '2026-03-06' },
    ]);
  });

  test('ends the consent of a deleted or unlinked account, and ignores an updated one', () => {
    expect(notes('userid=12345&appli=46&action=unlink')).toEqual([{ account: '12345', what: 'ended' }]);
    expect(notes('userid=12345&appli=46&action=delete')).toEqual([{ account: '12345', what: 'ended' }]);
    expect(notes('userid=12345&appli=46&action=update')).toEqual([]);
  });

  test('without days covers the last days, and none reaches back further than a first sync', () => {
    expect(notes('userid=12345&appli=4')).toEqual([
      { account: '12345', what: 'days', from: '2026-03-04', to: '2026-03-08' },
    ]);
    expect(notes('userid=12345&appli=1&startdate=1&enddate=1772755200')).toEqual([
      { account: '12345', what: 'days', from: '2025-03-07', to: '2026-03-06' },
    ]);
    expect(notes('userid=12345&appli=1&startdate=1&enddate=2')).toEqual([]);
  });

  test.each(['', 'hello', '{"userid":1}', 'appli=1&startdate=1&enddate=2', 'userid=../../etc&appli=1', 'userid='])(
    'names no account in %j',
    (body) => {
      expect(notes(body)).toEqual([]);
    },
  );
});

test('what the sandbox pushes is read as the days it covers', () => {
  const pushes = withingsSimulator.buildPushes?.('12345', lifeOfMarch.slice(0, 1), keys, receivedMs) ?? [];
  expect(pushes.map(({ secretPath }) => secretPath)).toEqual([true, true, true]);
  const days = pushes.flatMap(({ body }) => notes(body) ?? []);
  expect(days).toHaveLength(3);
  for (const note of days) expect(note).toMatchObject({ account: '12345', what: 'days' });
  expect(days.every((note) => note.what === 'days' && note.from <= '2026-03-05' && note.to >= '2026-03-05')).toBe(true);
});
