// Erases what a deleted user leaves behind, in bounded steps that can stop and resume anywhere, and
// ends with a receipt. The user's writer does this, so no other pass of this user runs at the same
// time. Only commands can still arrive from outside. The sender of a young command whose raw data is
// not complete may still be writing it, so the command stays until no sender can be, and a later run
// erases it with its data. A sender that finds its user deleted wakes the eraser.

import { connectionRows } from '../connections/connection-rows.ts';
import { revocationRows } from '../connections/revocation-rows.ts';
import { wakeRevocation } from '../connections/wake-connection.ts';
import { userEvent } from '../events/new-event.ts';
import { outboxRows } from '../events/outbox-rows.ts';
import { optimisticRetry } from '../platform/optimistic-retry.ts';
import { ConditionFailed, TransactionCanceled } from '../platform/ports.ts';
import { workerWriteDeadlineMs } from '../platform/write-deadline.ts';
import type { Deps } from '../system/deps.ts';
import { isConnectionKey, isTeamPointer } from '../system/keys.ts';
import { wakeWorker } from '../system/wake-worker.ts';
import { leaveTeam } from '../team/end-membership.ts';
import { erasureRows } from './erasure-rows.ts';

const rowsPerStep = 500;
/** No step starts after this time, because a worker runs for a minute at most. */
const maxRunMs = 30_000;
/** One transaction takes up to 100 writes. */
const maxJoinedEvents = 90;

/**
 * In the end only the user itself is left, which is deleted together with its event. For a user
 * that is already gone, erases what has arrived since.
 */
export async function eraseUser(deps: Deps, userId: string): Promise<void> {
  const { store, clock } = deps;
  const untilMs = clock.now() + maxRunMs;
  let areConnectionsEnded = false;
  let hasLeftTeam = false;
  while (clock.now() < untilMs) {
    const pendingErasure = await erasureRows(store).findPending(userId);
    const leftovers = await erasureRows(store).listRemainingKeys(
      userId,
      rowsPerStep,
      clock.now() - workerWriteDeadlineMs,
    );
    if (!areConnectionsEnded && leftovers.some(isConnectionKey)) {
      await endConnections(deps, userId);
      areConnectionsEnded = true;
      // The rows that pointed to the connections are gone now, so list again.
      continue;
    }
    if (!hasLeftTeam && leftovers.some(isTeamPointer)) {
      await leaveTeam(deps, userId);
      hasLeftTeam = true;
    }
    if (leftovers.length === 0) {
      if (!pendingErasure || (await finishErasure(deps, userId, pendingErasure))) return;
      continue;
    }
    if (!pendingErasure || (await erasureRows(store).recordCounts(userId, pendingErasure, leftovers)))
      await erasureRows(store).erase(leftovers);
  }
  await wakeWorker(deps, 'user', { user_id: userId });
}

/**
 * No caller waits for the providers: the revocations are stored outside the user, and nothing else
 * of the user is.
 */
async function endConnections(deps: Deps, userId: string): Promise<void> {
  for (const { device } of await connectionRows(deps.store).listByUser(userId))
    await optimisticRetry({ what: 'a connection', retries: 5 }, async () => {
      const row = await connectionRows(deps.store).find(userId, device);
      if (row?.status !== 'active') return;
      await deps.store.commit(revocationRows(deps.store).buildReplaceConnection(row, deps.clock.now()));
      await wakeRevocation(deps, userId, device);
    });
}

/**
 * The receipt is the last event about a user: events in the user's outbox that have no number yet
 * are published before it, in the same row. Returns false when there were more of them than one
 * transaction takes, or when some were numbered in the meantime.
 */
async function finishErasure(
  deps: Deps,
  userId: string,
  { account, env, erased }: { account: string; env: 'live' | 'sandbox'; erased: Record<string, number> },
): Promise<boolean> {
  const outbox = outboxRows(deps.store);
  const pendingEvents = await outbox.listByUser(userId, maxJoinedEvents);
  const isComplete = pendingEvents.length < maxJoinedEvents;
  const finalWrites = [
    erasureRows(deps.store).buildFinish(userId),
    ...outbox.buildMerge(pendingEvents, 'outside'),
    userEvent(deps, 'user.deleted', { id: userId, account, env }, { more: { erased } }),
  ];
  try {
    await deps.store.commit(isComplete ? finalWrites : outbox.buildMerge(pendingEvents, 'inside'));
    return isComplete;
  } catch (error) {
    if (!(error instanceof TransactionCanceled)) throw error;
    const isDone = isComplete && error.failures[0] instanceof ConditionFailed;
    if (isDone) return true;
    if (error.failures.some((failed) => failed instanceof ConditionFailed)) return false;
    throw error;
  }
}
