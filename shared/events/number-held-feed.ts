// Numbers the events of a held feed (`parked-rows.ts`). A message parks its rows and is done, so
// however many rows arrive, the feed's messages do not fill the queue, where they would delay the
// messages of other feeds. From time to time a message tries the parked rows, the oldest first. If
// they can be numbered, one message continues: it has the turn, and the others only park. The feed
// is released when there are no rows left. If it stays stuck at a number, the rows of the next page
// are numbered alone, and one that fails while another can be numbered is quarantined for an hour.
import { chunkArray } from '../platform/chunk-array.ts';
import type { Key } from '../platform/ports.ts';
import type { Deps } from '../system/deps.ts';
import { maxRowsPerFeedJob } from '../system/pending-kinds.ts';
import { wakeWorker } from '../system/wake-worker.ts';
import type { FeedName } from './feed-rows.ts';
import { outboxRows } from './outbox-rows.ts';
import { type Hold, noAttempts, type ParkedChunk, parkedRows } from './parked-rows.ts';

type HeldFeedDeps = Pick<Deps, 'store' | 'queue' | 'clock' | 'log'>;
/** Returns how many of the rows got numbers. */
type NumberRows = (rows: readonly Key[]) => Promise<number>;

/** Short, because messages wait behind a run. */
const runMs = 400;
const chunksPerStep = 30;
const maxBackoffMs = 5_000;
/** A message that continues waits behind those that arrived during a run. If it is lost, another one does. */
const turnMs = 5_000;
/** Some 20 seconds, so that a throttled table is no reason to number rows alone. */
const maxFailures = 4;
/** Each of them may be at fault, so it is compared with others earlier. */
const maxFailuresAlone = 2;
const maxCrashes = 2;
/** While the whole feed fails, each costs a transaction per attempt. */
const othersPerAttempt = 3;

const backoffMs = (failures: number): number => Math.min(maxBackoffMs, 1_000 * 2 ** failures);

/** `isRedelivered`: the last run with this message crashed or failed. */
export async function numberHeldFeed(
  deps: HeldFeedDeps,
  feed: FeedName,
  {
    rows,
    turn,
    isRedelivered,
    number,
  }: { rows: readonly Key[]; turn: number | undefined; isRedelivered: boolean; number: NumberRows },
): Promise<void> {
  const { store, clock } = deps;
  const parked = parkedRows(store);
  const found = await parked.findHold(feed);
  if (!found && rows.length === 0) return;
  // Marked first, so that no later row is numbered before a parked one.
  const hold = found ?? (await parked.saveHold(feed, { ...noAttempts, retryMs: 0, next: 0 }));
  await parked.park(feed, rows, clock.now());
  // What arrived while the crashed run hid its messages is parked before the rows are tried again.
  if (isRedelivered) return sendContinuation(deps, feed, { ...hold, crashes: hold.crashes + 1 });
  if (clock.now() < hold.retryMs && turn !== hold.retryMs) return;
  try {
    await numberParkedRows(deps, feed, { number, hold });
  } catch (error) {
    const failures = hold.failures + 1;
    deps.log('error', 'feed_held', { account_id: feed.account, env: feed.env, failures, cause: error });
    await parked.saveHold(feed, { ...hold, failures, retryMs: clock.now() + backoffMs(failures) });
  }
}

/** It comes behind the messages that are waiting. */
async function sendContinuation({ store, queue, clock, log }: HeldFeedDeps, feed: FeedName, hold: Hold): Promise<void> {
  const turn = clock.now() + turnMs;
  await parkedRows(store).saveHold(feed, { ...hold, retryMs: turn });
  await wakeWorker({ queue, log }, 'feed', { account_id: feed.account, env: feed.env, rows: [], turn });
}

async function numberParkedRows(
  deps: HeldFeedDeps,
  feed: FeedName,
  { number, hold }: { number: NumberRows; hold: Hold },
): Promise<void> {
  const { store, clock } = deps;
  const parked = parkedRows(store);
  const untilMs = clock.now() + runMs;
  const attempt = { number, hold, listLeft: outboxRows(store).listLeft };
  let isFirstStep = true;
  do {
    const chunks = await parked.listFirst(feed, chunksPerStep);
    const [first] = chunks;
    if (!first) return parked.release(feed);
    const failuresAllowed = first.isAlone ? maxFailuresAlone : maxFailures;
    const isStuck = isFirstStep && (hold.failures >= failuresAllowed || hold.crashes >= maxCrashes);
    if (first.isLastTry || (isStuck && first.isAlone)) await numberOrQuarantineFirst(deps, feed, chunks, attempt);
    else if (isStuck) {
      const page = takePage(chunks);
      if (hold.crashes < maxCrashes && (await numberPage(listRows(page), attempt))) await parked.remove(page);
      else for (const chunk of page) await parked.split(chunk);
      break;
    } else {
      const next = first.isAlone ? [first] : chunks;
      await number(listRows(next));
      await parked.remove(next);
    }
    isFirstStep = false;
  } while (clock.now() < untilMs);
  await sendContinuation(deps, feed, { ...hold, ...noAttempts });
}

interface Attempt {
  number: NumberRows;
  hold: Hold;
  /** Earlier attempts and other messages number rows too. */
  listLeft(rows: readonly Key[]): Promise<Key[]>;
}

/** Returns false if the feed works and the page cannot be numbered; throws if the feed is at fault. */
async function numberPage(page: readonly Key[], attempt: Attempt): Promise<boolean> {
  const [first] = page;
  if (!first || page.length === 1) return false;
  const isWorking =
    (await numberAny([[first]], attempt).catch(() => false)) || (await numberAny(findOthers(first, page), attempt));
  try {
    await attempt.number(page);
    return true;
  } catch (error) {
    if (!isWorking) throw error;
    // Its rows are numbered alone, where the one at fault is reported.
    return false;
  }
}

const isSameKey = (a: Key, b: Key): boolean => a.pk === b.pk && a.sk === b.sk;

/** Groups the other rows by user. If there is no other user, each row is a group of its own. */
function findOthers(row: Key, rows: readonly Key[]): Key[][] {
  const others = rows.filter((each) => !isSameKey(each, row));
  const byUser = Map.groupBy(
    others.filter(({ pk }) => pk !== row.pk),
    ({ pk }) => pk,
  );
  return byUser.size > 0 ? [...byUser.values()] : others.map((each) => [each]);
}

/**
 * One of the rows that gets a number shows that the feed works. Each attempt tries other groups,
 * because several may be at fault, and one may crash the run. Returns false if none of those that it
 * tries is left to be numbered, and throws if none of them can be.
 */
async function numberAny(groups: readonly Key[][], { number, hold, listLeft }: Attempt): Promise<boolean> {
  const failures: unknown[] = [];
  const from = ((hold.failures + hold.crashes) * othersPerAttempt) % Math.max(1, groups.length);
  for (const group of [...groups.slice(from), ...groups.slice(0, from)].slice(0, othersPerAttempt))
    try {
      for (const rows of chunkArray(group, maxRowsPerFeedJob))
        for (const row of await listLeft(rows)) if ((await number([row])) > 0) return true;
    } catch (error) {
      failures.push(error);
    }
  if (failures.length > 0) throw failures[0];
  return false;
}

/** The row at which the feed is stuck is quarantined if another one can be numbered and it cannot. */
async function numberOrQuarantineFirst(
  deps: HeldFeedDeps,
  feed: FeedName,
  [first, ...others]: readonly ParkedChunk[],
  attempt: Attempt,
): Promise<void> {
  const [row] = first?.rows ?? [];
  if (!first || !row) return;
  const parked = parkedRows(deps.store);
  let cause: unknown = new Error('runs that number this row do not end');
  if (!first.isLastTry) {
    // The sweep names the oldest row again and again.
    await parked.remove(others.filter(({ rows }) => rows.every((each) => isSameKey(each, row))));
    const isWorking = await numberAny(findOthers(row, listRows(others)), attempt);
    if (isWorking) await parked.markLastTry(first);
    try {
      await attempt.number([row]);
      return await parked.remove([first]);
    } catch (error) {
      if (!isWorking) throw error;
      cause = error;
    }
  }
  if (await outboxRows(deps.store).quarantine(feed, row, deps.clock.now()))
    deps.log('error', 'outbox_row_unreadable', { row_keys: [row], cause });
  await parked.remove([first]);
}

/** The first chunks, with at least the rows of a page. */
function takePage(chunks: readonly ParkedChunk[]): ParkedChunk[] {
  let rows = 0;
  return chunks.filter((chunk) => {
    const isTaken = rows < maxRowsPerFeedJob && !chunk.isAlone;
    rows += chunk.rows.length;
    return isTaken;
  });
}

/** Each row once: several messages may name it. */
function listRows(chunks: readonly ParkedChunk[]): Key[] {
  const rows = chunks.flatMap((chunk) => chunk.rows);
  return [...new Map(rows.map((key) => [`${key.pk} ${key.sk}`, key])).values()];
}
