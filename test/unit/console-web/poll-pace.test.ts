import { expect, test } from 'vitest';
import { createPollPace } from '../../../functions/api/console/web/state/poll-pace.ts';

const unchanged = { hasChanged: false, failure: undefined };
const changed = { hasChanged: true, failure: undefined };

function startPace(options: { pauseSeconds?: number } = {}) {
  const clock = { ms: 1_000_000 };
  const pace = createPollPace({ ...options, now: () => clock.ms, random: () => 1 });
  const pass = (seconds: number): void => {
    clock.ms += seconds * 1000;
  };
  return { pace, pass };
}

test('a page reads every 3 seconds while somebody uses it', () => {
  const { pace, pass } = startPace();
  for (let reads = 0; reads < 50; reads += 1) {
    expect(pace.pauseAfter(unchanged)).toBe(3_000);
    pass(3);
    pace.wake();
  }
});

test('without input for a minute and without a change the pause doubles up to 30 seconds', () => {
  const { pace, pass } = startPace();
  pass(59);
  expect(pace.pauseAfter(unchanged)).toBe(3_000);
  pass(1);
  const pauses = Array.from({ length: 5 }, () => pace.pauseAfter(unchanged));
  expect(pauses).toEqual([6_000, 12_000, 24_000, 30_000, 30_000]);
  expect(pace.pauseAfter(changed)).toBe(3_000);
  expect(pace.pauseAfter(unchanged)).toBe(6_000);
  expect(pace.wake()).toBe(3_000);
  expect(pace.wake()).toBeUndefined();
  expect(pace.pauseAfter(unchanged)).toBe(3_000);
});

test('a list that seldom changes is never read more often than it asks for', () => {
  const { pace, pass } = startPace({ pauseSeconds: 30 });
  expect(pace.pauseAfter(changed)).toBe(30_000);
  pass(600);
  expect(pace.pauseAfter(unchanged)).toBe(30_000);
});

test('failures back off with jitter, and input does not shorten that', () => {
  const { pace } = startPace();
  const failed = { hasChanged: false, failure: {} };
  const pauses = Array.from({ length: 7 }, () => pace.pauseAfter(failed));
  expect(pauses).toEqual([6_000, 12_000, 24_000, 48_000, 96_000, 120_000, 120_000]);
  expect(pace.wake()).toBeUndefined();
  expect(pace.pauseAfter(changed)).toBe(3_000);
  const early = createPollPace({ now: () => 0, random: () => 0 });
  expect(early.pauseAfter(failed)).toBe(3_000);
});

test('the server is not called before the time that it named', () => {
  const { pace, pass } = startPace();
  expect(pace.pauseAfter({ hasChanged: false, failure: { retryAfterSeconds: 90 } })).toBe(90_000);
  pass(60);
  expect(pace.msUntilAllowed()).toBe(30_000);
  pass(31);
  expect(pace.msUntilAllowed()).toBe(0);
});
