// A simulation of one app that uploads in a loop for an hour: how many messages wait, and how long
// the messages of other users do. SQS looks for groups among the first 120,000 waiting messages.
import { expect, test } from 'vitest';
import {
  computeCeilingMs,
  type RatePolicy,
  rateLimit,
  sdkSessionRateLimit,
} from '../../../shared/platform/rate-limit.ts';
import { nextWakeAfter, wakeKey } from '../../../shared/users/wake-number.ts';

const searchedMessages = 120_000;
const rememberedMs = 5 * 60_000;
const minuteMs = 60_000;
/** A run of the writer, as `infra/decisions.md` estimates it. A group has one at a time. */
const runMs = 120;
const stepMs = 40;
/** Users who upload once each, one after the other. */
const otherUserEveryMs = 10_000;

interface Rules {
  policy: RatePolicy;
  hasWakeNumbers: boolean;
}
const before: Rules = { policy: rateLimit, hasWakeNumbers: false };
const after: Rules = { policy: sdkSessionRateLimit, hasWakeNumbers: true };

/** `delaySeconds` of a user who sends last may end long after the hour. */
function simulate({ policy, hasWakeNumbers }: Rules, { perMinute, minutes }: { perMinute: number; minutes: number }) {
  /** The messages of the loop, of which the first `handled` are done. */
  const messages: (number | undefined)[] = [];
  const sentAt = new Map<string, number>();
  /** Messages of others that wait behind this many messages of the loop. */
  const others: { sentMs: number; behind: number }[] = [];
  let [admitted, fullAtMs, wake, runEndsMs, maxWaiting, maxDelayMs, handled] = [0, 0, 0, 0, 0, 0, 0];
  let offered = 0;
  const endMs = minutes * minuteMs;

  function send(nowMs: number): void {
    const key = wakeKey(wake);
    if (hasWakeNumbers && nowMs - (sentAt.get(key) ?? Number.NEGATIVE_INFINITY) < rememberedMs) return;
    sentAt.set(key, nowMs);
    messages.push(hasWakeNumbers ? wake : undefined);
  }

  for (let nowMs = 0; nowMs < endMs || others.length > 0; nowMs += stepMs) {
    for (; nowMs < endMs && offered < (nowMs / minuteMs) * perMinute; offered++) {
      if (fullAtMs > computeCeilingMs(nowMs, policy)) continue;
      fullAtMs = Math.max(fullAtMs, nowMs) + policy.intervalMs;
      admitted++;
      send(nowMs);
    }
    if (nowMs < endMs && nowMs % otherUserEveryMs === 0) others.push({ sentMs: nowMs, behind: messages.length });
    if (nowMs >= runEndsMs && handled < messages.length) {
      wake = nextWakeAfter(messages[handled++], { wake }) ?? wake;
      runEndsMs = nowMs + runMs;
    }
    for (let first = others[0]; first && first.behind - handled < searchedMessages; first = others[0]) {
      maxDelayMs = Math.max(maxDelayMs, nowMs - first.sentMs);
      others.shift();
    }
    maxWaiting = Math.max(maxWaiting, messages.length - handled);
  }
  return { admitted, maxWaiting, maxDelaySeconds: Math.round(maxDelayMs / 1000) };
}

const hour = { minutes: 60 };

test('a loop of 1,400 uploads a minute left 54,000 messages waiting after an hour, and leaves one', () => {
  expect(simulate(before, { ...hour, perMinute: 1_400 })).toEqual({
    admitted: 84_000,
    maxWaiting: 54_000,
    maxDelaySeconds: 0,
  });
  expect(simulate(after, { ...hour, perMinute: 1_400 })).toEqual({
    admitted: 3_629,
    maxWaiting: 1,
    maxDelaySeconds: 0,
  });
});

test('a loop at the former limit delayed all other users by hours after 22 minutes, and delays none', () => {
  const atFormerLimit = { ...hour, perMinute: 6_000 };
  const former = simulate(before, atFormerLimit);
  expect(former.maxWaiting).toBeGreaterThan(300_000);
  expect(former.maxDelaySeconds).toBeGreaterThan(6 * 3_600);
  expect(simulate(before, { perMinute: 6_000, minutes: 21 }).maxDelaySeconds).toBe(0);
  expect(simulate(before, { perMinute: 6_000, minutes: 23 }).maxDelaySeconds).toBeGreaterThan(0);
  expect(simulate(after, atFormerLimit)).toMatchObject({ maxWaiting: 1, maxDelaySeconds: 0 });
});
