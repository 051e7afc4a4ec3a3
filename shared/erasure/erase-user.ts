// Erases what a deleted user leaves behind, in bounded steps that can stop and go on anywhere, and ends with a receipt. The person's writer does it,
// so no pass of this person runs beside it. From outside only commands come in unasked: whoever appends one may still be writing its raw data, so the
// youngest commands stay until nobody can be at that, and a later run erases them with what came.

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
/** No step is begun after it: a worker lives for a minute. */
const maxRunMs = 30_000;
/** One transaction has a hundred writes. */
const maxJoinedEvents = 90;

/** Nothing but the user itself is left in the end; that goes together with its event. Of a user that is gone already, what has come since is erased. */
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
      // What led to them is gone with that.
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

/** Vendors are told without anybody waiting for it: what that takes stands outside of the user, and nothing else of theirs does. */
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
 * The receipt is the last event about a person: what their commits announced and nobody has numbered yet goes out before it, in the same row.
 * False when there was more of that than one transaction takes, or some was numbered meanwhile.
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
