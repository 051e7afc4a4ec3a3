// Erases what a deleted user leaves behind, in bounded steps that can stop and go on anywhere, and ends with a receipt.
// Whoever was at work when the user was deleted may still write: so everything is erased at once, and once more when they are gone. Their time runs
// from the first eraser's coming, which is after the deletion however long that took.
import { ConditionFailed, TransactionRefused } from '../../engine/ports.ts';
import { connectionRows } from '../../store/connections.ts';
import { erasureRows } from '../../store/erasure.ts';
import { isConnection, leadsToTeam } from '../../store/keys.ts';
import { outboxRows } from '../../store/outbox.ts';
import { revocationRows } from '../../store/revocations.ts';
import { syncRows } from '../../store/syncs.ts';
import type { Deps } from '../deps.ts';
import { userEvent } from '../events/new-event.ts';
import { wakeRevocation } from '../sync/wake-revocation.ts';
import { leaveTeam } from '../team/end-membership.ts';
import { optimisticRetry } from '../work/optimistic-retry.ts';
import { wake } from '../work/wake.ts';
import { workerLifeMs } from '../work/worker-life.ts';

const rowsPerStep = 500;
/** No step is begun after it: a worker lives for a minute. */
const mostMs = 30_000;
/** The feed's writer takes some seconds to number the last events. */
const outboxSeconds = 10;

/** Nothing but the user itself is left in the end; that goes together with its event. */
export async function eraseUser(deps: Deps, userId: string): Promise<void> {
  const { store, clock } = deps;
  const untilMs = clock.now() + mostMs;
  let areEnded = false;
  let hasLeft = false;
  while (clock.now() < untilMs) {
    const owed = await erasureRows(store).owed(userId);
    const begunMs = owed && (owed.begunMs ?? (await begin(deps, userId)));
    if (!owed || begunMs === undefined) return;
    const nowMs = clock.now();
    const leftMs = begunMs + workerLifeMs - nowMs;
    const left = await erasureRows(store).leftovers(userId, rowsPerStep);
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
    if (left.length > 0) {
      if (await erasureRows(store).count(userId, owed, left)) await erasureRows(store).erase(left);
      continue;
    }
    // Only what was found empty after the last writer had gone stays empty. What the person's events tell goes first.
    const isAnnounced = leftMs <= 0 && !(await outboxRows(store).isWaiting(userId));
    if (isAnnounced) return finish(deps, userId, owed);
    const delaySeconds = leftMs > 0 ? Math.ceil(leftMs / 1000) : outboxSeconds;
    return wake(deps, 'erase', { user_id: userId }, { delaySeconds });
  }
  await wake(deps, 'erase', { user_id: userId });
}

/** Vendors are told without anybody waiting for it: what that takes stands outside of the user, and nothing else of theirs does. */
async function endConnections(deps: Deps, userId: string): Promise<void> {
  for (const { device } of await connectionRows(deps.store).ofUser(userId))
    await optimisticRetry({ what: 'a connection', retries: 5 }, async () => {
      const row = await syncRows(deps.store).read(userId, device);
      if (row?.status !== 'active' && row?.status !== 'revoking') return;
      await deps.store.commit(revocationRows(deps.store).owing(row, deps.clock.now()));
      await wakeRevocation(deps, userId, device);
    });
}

const begin = ({ store, clock }: Deps, userId: string): Promise<number | undefined> => {
  const now = clock.now();
  return erasureRows(store).begin(userId, now, now + workerLifeMs);
};

async function finish(
  deps: Deps,
  userId: string,
  { account, env, erased }: { account: string; env: 'live' | 'sandbox'; erased: Record<string, number> },
): Promise<void> {
  try {
    await deps.store.commit([
      erasureRows(deps.store).finishing(userId),
      userEvent(deps, 'user.deleted', { id: userId, account, env }, { more: { erased } }),
    ]);
  } catch (error) {
    const alreadyDone = error instanceof TransactionRefused && error.failed[0] instanceof ConditionFailed;
    if (!alreadyDone) throw error;
  }
}
