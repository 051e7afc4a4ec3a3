// One app that uploads in a loop: how many messages wait, and how long the messages of other users
// do. SQS looks for groups among the first 120,000 waiting messages. What was before the wake numbers
// is computed; what is now runs the real session limit, sender and writer on virtual time.
import { expect, test } from 'vitest';
import { handler } from '../../../functions/workers/write-user.ts';
import { acceptUpload } from '../../../shared/mobile/accept-upload.ts';
import { sdkSessionRows } from '../../../shared/mobile/sdk-session-rows.ts';
import { computeCeilingMs, rateLimit as policy } from '../../../shared/platform/rate-limit.ts';
import { UploadBody } from '../../../shared/providers/phone/upload.ts';
import { openWorld } from '../../harness/erasure/world.ts';
import { openFifoQueue } from '../../harness/fifo-queue.ts';
import { pendingCommands } from '../../harness/pending-commands.ts';

const searchedMessages = 120_000;
const minuteMs = 60_000;
/** A run of the writer, as `infra/decisions.md` estimates it. A group has one at a time. */
const runMs = 120;
const stepMs = 40;
/** Users who upload once each, one after the other. */
const otherUserEveryMs = 10_000;

/** `delaySeconds` of a user who sends last may end long after the hour. */
function simulateFormer({ perMinute, minutes }: { perMinute: number; minutes: number }) {
  /** Messages of others that wait behind this many messages of the loop. */
  const others: { sentMs: number; behind: number }[] = [];
  let [sent, fullAtMs, runEndsMs, maxWaiting, maxDelayMs, handled] = [0, 0, 0, 0, 0, 0];
  let offered = 0;
  const endMs = minutes * minuteMs;
  for (let nowMs = 0; nowMs < endMs || others.length > 0; nowMs += stepMs) {
    for (; nowMs < endMs && offered < (nowMs / minuteMs) * perMinute; offered++) {
      if (fullAtMs > computeCeilingMs(nowMs, policy)) continue;
      fullAtMs = Math.max(fullAtMs, nowMs) + policy.intervalMs;
      sent++;
    }
    if (nowMs < endMs && nowMs % otherUserEveryMs === 0) others.push({ sentMs: nowMs, behind: sent });
    if (nowMs >= runEndsMs && handled < sent) {
      handled++;
      runEndsMs = nowMs + runMs;
    }
    for (let first = others[0]; first && first.behind - handled < searchedMessages; first = others[0]) {
      maxDelayMs = Math.max(maxDelayMs, nowMs - first.sentMs);
      others.shift();
    }
    maxWaiting = Math.max(maxWaiting, sent - handled);
  }
  return { admitted: sent, maxWaiting, maxDelaySeconds: Math.round(maxDelayMs / 1000) };
}

/** The session limit, the sender and the writer as they are, around one queue. */
async function runLoop({ perMinute, minutes }: { perMinute: number; minutes: number }) {
  const world = await openWorld();
  const { clock } = world;
  const phone = await world.phone();
  const fifo = openFifoQueue('user', handler, clock);
  const deps = { ...world.deps, queue: fifo.queue };
  const startMs = clock.now();
  let [admitted, maxWaiting] = [0, 0];
  for (let offered = 1; offered <= perMinute * minutes; offered++) {
    const atMs = startMs + (offered / perMinute) * minuteMs;
    clock.advance(Math.max(0, atMs - clock.now()));
    const { outcome } = await sdkSessionRows(deps.store).admit(world.id, phone.sessionId, pair);
    if (outcome !== 'admitted') continue;
    admitted++;
    const start = new Date(startMs - (offered % 1_000) * minuteMs).toISOString();
    const samples = [{ metric: 'steps', start, value: 1, unit: 'count' }];
    await acceptUpload(deps, phone, UploadBody.parse({ time_zone: 'UTC', device: watch, samples }));
    maxWaiting = Math.max(maxWaiting, fifo.waiting());
    // A run takes as long as three offers of the loop.
    if (admitted % 3 === 0) await fifo.run(deps);
  }
  await fifo.run(deps);
  const left = (await pendingCommands(world.table, world.id)).length;
  return { admitted, maxWaiting, left };
}

const pair = Number.MAX_SAFE_INTEGER;
const watch = { name: 'W', model: 'W1', type: 'wrist' };
const hour = { minutes: 60 };

test('a loop of 1,400 uploads a minute left 54,000 messages waiting after an hour, and leaves one', async () => {
  expect(simulateFormer({ ...hour, perMinute: 1_400 })).toEqual({
    admitted: 84_000,
    maxWaiting: 54_000,
    maxDelaySeconds: 0,
  });
  // One a second after a burst of 30.
  const { admitted, ...rest } = await runLoop({ minutes: 5, perMinute: 1_400 });
  expect(Math.abs(admitted - 330)).toBeLessThanOrEqual(1);
  expect(rest).toEqual({ maxWaiting: 1, left: 0 });
});

test('a loop at the former limit delayed all other users by hours after 22 minutes, and sends no more than any', async () => {
  const atFormerLimit = { ...hour, perMinute: 6_000 };
  const former = simulateFormer(atFormerLimit);
  expect(former.maxWaiting).toBeGreaterThan(300_000);
  expect(former.maxDelaySeconds).toBeGreaterThan(6 * 3_600);
  expect(simulateFormer({ perMinute: 6_000, minutes: 21 }).maxDelaySeconds).toBe(0);
  expect(simulateFormer({ perMinute: 6_000, minutes: 23 }).maxDelaySeconds).toBeGreaterThan(0);
  const { admitted, ...rest } = await runLoop({ perMinute: 6_000, minutes: 2 });
  expect(Math.abs(admitted - 150)).toBeLessThanOrEqual(1);
  expect(rest).toEqual({ maxWaiting: 1, left: 0 });
});
