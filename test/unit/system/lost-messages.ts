// Work of every kind whose message was lost is found by its schedule, within the time that
// ARCHITECTURE.md promises, at any moment between two ticks.
import { describe, expect, test } from 'vitest';
import { systemRandom } from '../../../functions/runtime/deps.ts';
import { feedSandboxWorker } from '../../../functions/workers/feed-sandbox.ts';
import { pollWorker } from '../../../functions/workers/poll.ts';
import { sweepWorker } from '../../../functions/workers/sweep.ts';
import { functions } from '../../../infra/functions.ts';
import type { Key } from '../../../shared/platform/ports.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { makeId } from '../../../shared/system/ids.ts';
import { keys } from '../../../shared/system/keys.ts';
import { type PendingKind, pendingIndexKeys, type SweptKind } from '../../../shared/system/pending-kinds.ts';
import { randomFrom } from '../../harness/faults.ts';
import { memoryDeps, memoryStartMs } from '../../harness/memory-deps.ts';
import { pendingKey, someAccount, someOwner, someWebhook } from '../../harness/pending-work.ts';

const minute = 60_000;
/** Ticks are this much early or late at most. */
const jitterMs = 5_000;
const slotMs = 5 * minute;

const schedules = { sweep: sweepWorker, poll: pollWorker, 'feed-sandbox': feedSandboxWorker } as const;

interface Work {
  kind: PendingKind;
  of: string;
  by: keyof typeof schedules;
  withinMinutes: number;
  /**
   * The limit after a message of the schedule itself was lost: an ordered queue accepts its next
   * one only then.
   */
  againMinutes: number;
  owner: string;
  /** The row that holds the pending work. */
  key: Key;
  /** A text that only its message contains. */
  message: string;
}

const newId = (kind: 'user' | 'device' | 'pushChunk' | 'delivery' | 'invitation'): string =>
  makeId(kind, memoryStartMs, systemRandom.bytes(10));
const [user, device, chunk, delivery, invitation] = [
  newId('user'),
  newId('device'),
  newId('pushChunk'),
  newId('delivery'),
  newId('invitation'),
];

/** A message may be in flight for a minute, and the next sweep starts within another. */
const swept = (kind: SweptKind, of: string, owner = someOwner(kind), key = pendingKey(kind, owner)): Work => ({
  ...{ kind, of, owner, key, message: owner },
  ...{ by: 'sweep', withinMinutes: 2, againMinutes: kind === 'user' || kind === 'feed' ? 6 : 2 },
});
const polled = (of: string, owner: string, key: Key, message: string): Work => ({
  ...{ kind: 'sync', of, owner, key, message },
  ...{ by: 'poll', withinMinutes: 4, againMinutes: 8 },
});

export const works: readonly Work[] = [
  swept('user', 'a user'),
  swept('feed', 'an outbox row'),
  swept('seed', 'a sandbox user'),
  swept('mail', 'an invitation', invitation, keys.invitation(someAccount, 'live', invitation)),
  swept('deliver', 'a delivery', delivery, keys.delivery(someWebhook, delivery)),
  {
    ...{ kind: 'sandbox', of: 'a sandbox user', owner: user, key: { pk: `OWED#${user}`, sk: 'FEED' }, message: user },
    ...{ by: 'feed-sandbox', withinMinutes: 15, againMinutes: 15 },
  },
  polled('a connection', device, keys.connection(user, device), `"device_id":"${device}"}`),
  polled('a revocation', `revoke#${device}`, keys.revocation(user, device), `"${device}","revoke":true`),
  polled('a subscription', 'oura#live', keys.subscription('oura', 'live'), '"provider":"oura"'),
  polled('a push chunk', chunk, keys.pushChunk(chunk), `"chunk_id":"${chunk}"`),
];

interface Loss {
  /** The time of the loss after the first tick. */
  atMs: number;
  /** How long before its row was written the writer read the clock. */
  lateMs: number;
  /** How many messages of the schedule are lost as well. */
  more: number;
  seed: number;
}

/** Returns how long after the last loss a message arrived, or undefined if none did. */
async function measureDelayMs({ kind, by, againMinutes, owner, key, message }: Work, loss: Loss) {
  const { deps, clock, table } = memoryDeps();
  const random = randomFrom(loss.seed);
  const everyMs = functions[by].trigger.everyMinutes * minute;
  let lostMs: number | undefined;
  let left = loss.more;
  let receivedMs: number | undefined;
  const acceptedAt = new Map<string, number>();
  /**
   * An ordered queue accepts a message with the same deduplication key once in five minutes, even
   * if it is lost afterwards.
   */
  const isAccepted = (slot: string | undefined): boolean => {
    if (slot === undefined) return true;
    const last = acceptedAt.get(slot);
    if (last !== undefined && clock.now() - last < slotMs) return false;
    acceptedAt.set(slot, clock.now());
    return true;
  };
  const take = async (bodies: readonly unknown[], slots: readonly (string | undefined)[]) => {
    const at = bodies.findIndex((body) => JSON.stringify(body).includes(message));
    if (at < 0 || !isAccepted(slots[at])) return;
    if (left-- > 0) lostMs = clock.now();
    else receivedMs ??= clock.now();
  };
  const losing: Deps = {
    ...deps,
    queue: {
      send: (_queue, body, options = {}) => take([body], [options.deduplicationKey]),
      sendAll: (_queue, bodies, { deduplicationKey: slot = [] } = {}) =>
        take(bodies, typeof slot === 'string' ? bodies.map(() => slot) : slot),
      postpone: async () => {},
    },
  };
  const tick = schedules[by](losing);
  const goTo = (ms: number) => clock.advance(Math.max(0, ms - clock.now()));
  const ticks = Math.ceil((loss.atMs + loss.lateMs + (1 + loss.more) * (againMinutes + 2) * minute) / everyMs) + 2;
  for (let at = 0; at < ticks && receivedMs === undefined; at++) {
    const tickMs = memoryStartMs + at * everyMs + Math.floor(random() * 2 * jitterMs);
    const readMs = memoryStartMs + loss.atMs;
    const writtenMs = readMs + loss.lateMs;
    if (lostMs === undefined && writtenMs < tickMs) {
      goTo(writtenMs);
      await table.write({ kind: 'put', item: { ...key, ...pendingIndexKeys(kind, owner, readMs) } });
      lostMs = clock.now();
    }
    goTo(tickMs);
    await tick();
  }
  return receivedMs === undefined || lostMs === undefined ? undefined : receivedMs - lostMs;
}

/** Moments throughout a quarter of an hour, and right around ticks. */
const moments = Array.from({ length: 40 }, (_none, at) => 3 * minute + at * 23_000).flatMap((atMs) => [
  { atMs, lateMs: 0 },
  { atMs: atMs - (atMs % minute) + 2, lateMs: 2 * jitterMs },
  // Behind the watermark of every schedule.
  { atMs, lateMs: 10 * minute },
]);

/** Defines tests that lose messages at every `everySo`th of the moments. */
export function loseMessages(everySo: number): void {
  describe.each(works)('pending work of kind $kind for $of, whose message was lost,', (work) => {
    test.each([0, 1])('is found within the promised time, also when %i more are lost', async (more) => {
      const late: string[] = [];
      const maxMs = (more === 0 ? work.withinMinutes : work.againMinutes) * minute + 2 * jitterMs;
      for (const [seed, { atMs, lateMs }] of moments.entries()) {
        if (seed % everySo !== 0) continue;
        const afterMs = await measureDelayMs(work, { atMs, lateMs, more, seed });
        if (afterMs === undefined || afterMs > maxMs)
          late.push(`lost at ${atMs}, ${lateMs} ms late: found after ${afterMs} ms`);
      }
      expect(late).toEqual([]);
    });
  });
}
