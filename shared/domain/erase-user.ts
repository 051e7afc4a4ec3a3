// Erases what a deleted user leaves behind, in bounded steps that can stop and go on anywhere, and ends with a receipt.
import { ConditionFailed, TransactionRefused } from '../engine/ports.ts';
import { makeId } from '../model/ids.ts';
import type { Deps } from './deps.ts';
import { wake } from './wake.ts';

const rowsPerStep = 1000;

/** Does one step and asks for the next one, until nothing but the user itself is left; that goes together with its event. */
export async function eraseUser(deps: Deps, userId: string): Promise<void> {
  const rows = await deps.store.erasure.leftovers(userId, rowsPerStep);
  if (rows.length > 0) {
    if (!(await deps.store.erasure.count(userId, rows))) return;
    await deps.store.erasure.erase(rows);
    await wake(deps, 'erase', { user_id: userId });
    return;
  }
  const owed = await deps.store.erasure.owed(userId);
  if (!owed) return;
  const now = deps.clock.now();
  try {
    await deps.store.commit([
      deps.store.erasure.finishing(userId),
      deps.store.events.inserting({
        id: makeId('event', now, deps.random.bytes(10)),
        type: 'user.deleted',
        account: owed.account,
        env: owed.env,
        userId,
        atMs: now,
        more: { erased: owed.erased },
      }),
    ]);
  } catch (error) {
    const alreadyDone = error instanceof TransactionRefused && error.failed[0] instanceof ConditionFailed;
    if (!alreadyDone) throw error;
  }
}

/** Finds erasures whose message was lost, or that stopped in the middle. */
export async function wakeErasures(deps: Deps): Promise<void> {
  for await (const userId of deps.store.owed.users('erase')) await wake(deps, 'erase', { user_id: userId });
}
