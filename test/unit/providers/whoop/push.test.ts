import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { whoopPush } from '../../../../shared/providers/whoop/push.ts';
import { makePushRequest, pushKeys } from '../../../harness/request-flow.ts';

const nowMs = Date.parse('2026-03-10T12:00:00Z');
const note = {
  user_id: 10129,
  id: '550e8400-e29b-41d4-a716-446655440000',
  type: 'sleep.updated',
  trace_id: 'd3709ee7-104e-4f70-a928-2932964b017b',
};
const body = `{"user_id": 10129,  "type": "sleep.updated"}`;
const signed = (stamp: string, text = body, key = 'secret-1') =>
  createHmac('sha256', key)
    .update(stamp + text)
    .digest('base64');

describe('a push', () => {
  const isGenuine = (stamp: string, signature: string | undefined, text = body) =>
    whoopPush.isGenuine(
      makePushRequest(text, {
        headers: {
          'x-whoop-signature-timestamp': stamp,
          ...(signature === undefined ? {} : { 'x-whoop-signature': signature }),
        },
        receivedMs: nowMs,
      }),
      pushKeys,
    );
  const now = String(nowMs);

  test('is genuine when its bytes are signed with our secret', () => {
    expect(isGenuine(now, signed(now))).toBe(true);
  });

  test('is not genuine when a byte of it, of its time or of its signature differs', () => {
    expect(isGenuine(now, signed(now), `${body} `)).toBe(false);
    expect(isGenuine(String(nowMs + 1), signed(now))).toBe(false);
    expect(isGenuine(now, `A${signed(now)}`.slice(0, -1))).toBe(false);
    expect(isGenuine(now, signed(now, body, 'secret-2'))).toBe(false);
    expect(isGenuine(now, undefined)).toBe(false);
    expect(isGenuine('soon', signed('soon'))).toBe(false);
  });

  test.each([
    [-300_000, true],
    [-300_001, false],
    [300_001, false],
  ])('%i ms away from now is accepted: %s', (awayMs, isAccepted) => {
    const stamp = String(nowMs + awayMs);
    expect(isGenuine(stamp, signed(stamp))).toBe(isAccepted);
  });
});

describe('the content of a push', () => {
  const read = (text: unknown) =>
    whoopPush.read(makePushRequest(typeof text === 'string' ? text : JSON.stringify(text)));

  test.each([
    ['sleep.updated', { what: 'object', resource: 'sleep' }],
    ['recovery.updated', { what: 'object', resource: 'recovery' }],
    ['workout.updated', { what: 'object', resource: 'workout' }],
    ['sleep.deleted', { what: 'deleted', kind: 'sleep' }],
    ['recovery.deleted', { what: 'deleted', kind: 'sleep' }],
    ['workout.deleted', { what: 'deleted', kind: 'workouts' }],
  ])('%s is %j', (type, what) => {
    expect(read({ ...note, type })).toEqual({
      notifications: [{ account: '10129', id: note.id, ...what }],
      messageId: 'd3709ee7-104e-4f70-a928-2932964b017b',
    });
  });

  test('an unknown type gives no notification', () => {
    expect(read({ ...note, type: 'cycle.updated' })?.notifications).toEqual([]);
  });

  test.each(['nothing', { ...note, id: 93845 }, { ...note, id: '../../user/access' }, { ...note, user_id: null }])(
    '%j is not readable',
    (text) => {
      expect(read(text)).toBeUndefined();
    },
  );
});
