import { expect, test } from 'vitest';
import { isBehind, isSubscribed } from '../../../shared/webhooks/event-routing.ts';

const hook = { id: 'whk_1', events: ['*' as const], createdMs: 10_000 };
const event = { type: 'webhook.exhausted' as const, atMs: 20_000 };

test('an endpoint receives no events about its own failures, but does receive those about other endpoints', () => {
  expect(isSubscribed(hook, { ...event, more: { webhook_id: 'whk_1', delivery_id: 'dlv_1' } })).toBe(false);
  expect(isSubscribed(hook, { ...event, more: { webhook_id: 'whk_2', delivery_id: 'dlv_2' } })).toBe(true);
  expect(isSubscribed(hook, { ...event, type: 'user.created' })).toBe(true);
});

test('an endpoint receives the event types that it names, starting one second before its registration', () => {
  const named = { ...hook, events: ['user.created' as const] };
  expect(isSubscribed(named, event)).toBe(false);
  expect(isSubscribed({ ...named, events: ['webhook.exhausted'] }, event)).toBe(true);
  expect(isSubscribed(hook, { ...event, atMs: 9_000 })).toBe(true);
  expect(isSubscribed(hook, { ...event, atMs: 8_999 })).toBe(false);
});

test('an endpoint is behind on the pages of its gaps only', () => {
  const gaps = [
    { from: 3, to: 5, sinceMs: 0 },
    { from: 7, sinceMs: 0 },
  ];
  expect([isBehind({}, 7), ...[2, 3, 4, 5, 6, 7, 800].map((page) => isBehind({ gaps }, page))]).toEqual([
    ...[false, false, true, true, false, false, true, true],
  ]);
});
