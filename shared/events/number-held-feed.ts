// Numbers the events of a held feed (`parked-rows.ts`). A message parks its rows and is done, so
// however many rows arrive, the feed's messages do not fill the queue, where they would delay the
// messages of other feeds. From time to time a message tries the parked rows, the oldest first. If
// they can be numbered, one message continues: it has the turn, and the others only park. The feed
// is released when there are no rows left.
import type { Key } from '../platform/ports.ts';
import type { Deps } from '../system/deps.ts';
import { wakeWorker } from '../system/wake-worker.ts';
import type { FeedName } from './feed-rows.ts';
import { type Parcel, parkedRows } from './parked-rows.ts';

type HeldFeedDeps = Pick<Deps, 'store' | 'queue' | 'clock' | 'log'>;
type NumberRows = (rows: readonly Key[]) => Promise<unknown>;

/** Short, because messages wait behind a run. */
const runMs = 400;
const parcelsPerStep = 20;
const maxBackoffMs = 5_000;
/** A message that continues waits behind those that arrived during a run. If it is lost, another one does. */
const turnMs = 5_000;
/** As often as a message of the queue is received. */
const maxFailures = 10;

const backoffMs = (failures: number): number => Math.min(maxBackoffMs, 1_000 * 2 ** failures);

/** `isRedelivered`: the last run with this message died or failed. */
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
  const hold = await parked.findHold(feed);
  if (!hold && rows.length === 0) return;
  const { failures, retryMs } = hold ?? { failures: 0, retryMs: 0 };
  const postpone = () =>
    parked.saveHold(feed, { failures: failures + 1, retryMs: clock.now() + backoffMs(failures + 1) });
  // Marked first, so that no later row is numbered before a parked one.
  if (!hold) await parked.saveHold(feed, { failures, retryMs });
  await parked.park(feed, rows, clock.now());
  // What arrived while the dead run hid its messages is parked before the rows are tried again.
  if (isRedelivered) return sendContinuation(deps, feed, failures + 1);
  if (clock.now() < retryMs && turn !== retryMs) return;
  try {
    await numberParkedRows(deps, feed, { number, failures });
  } catch (error) {
    deps.log('error', 'feed_held', { account_id: feed.account, env: feed.env, failures: failures + 1, cause: error });
    await postpone();
  }
}

/** It comes behind the messages that are waiting. */
async function sendContinuation(
  { store, queue, clock, log }: HeldFeedDeps,
  feed: FeedName,
  failures: number,
): Promise<void> {
  const turn = clock.now() + turnMs;
  await parkedRows(store).saveHold(feed, { failures, retryMs: turn });
  await wakeWorker({ queue, log }, 'feed', { account_id: feed.account, env: feed.env, rows: [], turn });
}

async function numberParkedRows(
  deps: HeldFeedDeps,
  feed: FeedName,
  { number, failures }: { number: NumberRows; failures: number },
): Promise<void> {
  const { store, clock } = deps;
  const parked = parkedRows(store);
  const untilMs = clock.now() + runMs;
  const isSuspect = failures >= maxFailures;
  let hasSkipped = false;
  do {
    const parcels = await parked.listFirst(feed, isSuspect ? 2 : parcelsPerStep);
    if (parcels.length === 0) return parked.release(feed);
    const done = isSuspect ? await numberFirst(parcels, number) : await numberAll(parcels, number);
    hasSkipped ||= isSuspect && done.length > 1;
    await parked.remove(done);
  } while (clock.now() < untilMs);
  // The feed was at fault, and works again.
  await sendContinuation(deps, feed, isSuspect && hasSkipped ? failures : 0);
}

async function numberAll(parcels: readonly Parcel[], number: NumberRows): Promise<readonly Parcel[]> {
  await number(listRows(parcels));
  return parcels;
}

/** If only the first parcel cannot be numbered, it is left to the sweep, like a dead letter. */
async function numberFirst([first, second]: readonly Parcel[], number: NumberRows): Promise<readonly Parcel[]> {
  if (!first) return [];
  try {
    return await numberAll([first], number);
  } catch (error) {
    if (!second) throw error;
    return [first, ...(await numberAll([second], number))];
  }
}

/** Each row once: several messages may name it. */
function listRows(parcels: readonly Parcel[]): Key[] {
  const rows = parcels.flatMap((parcel) => parcel.rows);
  return [...new Map(rows.map((key) => [`${key.pk} ${key.sk}`, key])).values()];
}
