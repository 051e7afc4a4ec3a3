// Erases what a deleted user leaves behind, in bounded steps that can stop and go on anywhere, and ends with a receipt.
// Whoever was at work when the user was deleted may still write: so everything is erased at once, and once more when they are gone. Their time runs
// from the first eraser's coming, which is after the deletion however long that took.
import { ConditionFailed, TransactionRefused } from '../../engine/ports.ts';
import { conditionalCommit } from '../../store/conditional-write.ts';
import { connectionRows } from '../../store/connections.ts';
import { erasureRows } from '../../store/erasure.ts';
import { isConnection } from '../../store/keys.ts';
import type { Deps } from '../deps.ts';
import { userEvent } from '../events/new-event.ts';
import { wake } from '../work/wake.ts';
import { workerLifeMs } from '../work/worker-life.ts';

const rowsPerStep = 500;
/** No step is begun after it: a worker lives for a minute. */
const mostMs = 30_000;

/** Nothing but the user itself is left in the end; that goes together with its event. */
export async function eraseUser(deps: Deps, userId: string): Promise<void> {
  const { store, clock } = deps;
  const untilMs = clock.now() + mostMs;
  let areEnding = false;
  while (clock.now() < untilMs) {
    const owed = await erasureRows(store).owed(userId);
    const begunMs = owed && (owed.begunMs ?? (await begin(deps, userId)));
    if (!owed || begunMs === undefined) return;
    const nowMs = clock.now();
    const leftMs = begunMs + workerLifeMs - nowMs;
    const left = await erasureRows(store).leftovers(userId, rowsPerStep);
    // Vendors are told meanwhile. One that does not answer holds nobody up: the tokens go last, and before the receipt.
    const rows = leftMs > 0 ? left.filter((key) => !isConnection(key)) : left;
    if (rows.length < left.length && !areEnding) {
      await endConnections(deps, userId);
      areEnding = true;
      // What led to them is gone with that.
      continue;
    }
    if (rows.length > 0) {
      if (await erasureRows(store).count(userId, owed, rows)) await erasureRows(store).erase(rows);
      continue;
    }
    // Only what was found empty after the last writer had gone stays empty.
    if (leftMs <= 0) return finish(deps, userId, owed);
    return wake(deps, 'erase', { user_id: userId }, { delaySeconds: Math.ceil(leftMs / 1000) });
  }
  await wake(deps, 'erase', { user_id: userId });
}

/** Whoever was connected feeds nobody any more, and the consents are given back. */
async function endConnections(deps: Deps, userId: string): Promise<void> {
  const { store, clock } = deps;
  for (const connection of await connectionRows(store).ofUser(userId)) {
    if (connection.status !== 'active') continue;
    const isOwed = await conditionalCommit(store, connectionRows(store).revoking(connection, clock.now()));
    if (isOwed) await wake(deps, 'sync', { user_id: userId, device_id: connection.device });
  }
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
