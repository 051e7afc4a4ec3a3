// Erases what a deleted user leaves behind, in bounded steps that can stop and go on anywhere, and ends with a receipt. The person's writer does it,
// so no pass of this person runs beside it. From outside only commands come in unasked: whoever appends one may still be writing its raw data, so the
// youngest commands stay until nobody can be at that, and a later run erases them with what came.

import { connectionRows } from '../connections/connection-rows.ts';
import { revocationRows } from '../connections/revocation-rows.ts';
import { wakeRevocation } from '../connections/wake-connection.ts';
import { userEvent } from '../events/new-event.ts';
import { outboxRows } from '../events/outbox-rows.ts';
import { optimisticRetry } from '../platform/optimistic-retry.ts';
import { ConditionFailed, TransactionRefused } from '../platform/ports.ts';
import { workerLifeMs } from '../platform/worker-life.ts';
import type { Deps } from '../system/deps.ts';
import { isConnection, leadsToTeam } from '../system/keys.ts';
import { wake } from '../system/wake.ts';
import { leaveTeam } from '../team/end-membership.ts';
import { erasureRows } from './erasure-rows.ts';

const rowsPerStep = 500;
/** No step is begun after it: a worker lives for a minute. */
const mostMs = 30_000;
/** One transaction has a hundred writes. */
const mostJoined = 90;

/** Nothing but the user itself is left in the end; that goes together with its event. Of a user that is gone already, what has come since is erased. */
export async function eraseUser(deps: Deps, userId: string): Promise<void> {
  const { store, clock } = deps;
  const untilMs = clock.now() + mostMs;
  let areEnded = false;
  let hasLeft = false;
  while (clock.now() < untilMs) {
    const owed = await erasureRows(store).owed(userId);
    const left = await erasureRows(store).leftovers(userId, rowsPerStep, clock.now() - workerLifeMs);
    if (!areEnded && left.some(isConnection)) {
      await endConnections(deps, userId);
      areEnded = true;
      // What led to them is gone with that.
      continue;
    }
    if (!hasLeft && left.some(leadsToTeam)) {
      await leaveTeam(deps, userId);
      hasLeft = true;
    }
    if (left.length === 0) {
      if (!owed || (await finish(deps, userId, owed))) return;
      continue;
    }
    if (!owed || (await erasureRows(store).count(userId, owed, left))) await erasureRows(store).erase(left);
  }
  await wake(deps, 'person', { user_id: userId });
}

/** Vendors are told without anybody waiting for it: what that takes stands outside of the user, and nothing else of theirs does. */
async function endConnections(deps: Deps, userId: string): Promise<void> {
  for (const { device } of await connectionRows(deps.store).ofUser(userId))
    await optimisticRetry({ what: 'a connection', retries: 5 }, async () => {
      const row = await connectionRows(deps.store).of(userId, device);
      if (row?.status !== 'active') return;
      await deps.store.commit(revocationRows(deps.store).replacing(row, deps.clock.now()));
      await wakeRevocation(deps, userId, device);
    });
}

/**
 * The receipt is the last event about a person: what their commits announced and nobody has numbered yet goes out before it, in the same row.
 * False when there was more of that than one transaction takes, or some was numbered meanwhile.
 */
async function finish(
  deps: Deps,
  userId: string,
  { account, env, erased }: { account: string; env: 'live' | 'sandbox'; erased: Record<string, number> },
): Promise<boolean> {
  const outbox = outboxRows(deps.store);
  const waiting = await outbox.ofPerson(userId, mostJoined);
  const isAll = waiting.length < mostJoined;
  const receipt = [
    erasureRows(deps.store).finishing(userId),
    ...outbox.joining(waiting, 'outside'),
    userEvent(deps, 'user.deleted', { id: userId, account, env }, { more: { erased } }),
  ];
  try {
    await deps.store.commit(isAll ? receipt : outbox.joining(waiting, 'inside'));
    return isAll;
  } catch (error) {
    if (!(error instanceof TransactionRefused)) throw error;
    const isDone = isAll && error.failed[0] instanceof ConditionFailed;
    if (isDone) return true;
    if (error.failed.some((failed) => failed instanceof ConditionFailed)) return false;
    throw error;
  }
}
