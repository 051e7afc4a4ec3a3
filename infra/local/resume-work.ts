// Resumes work when a host starts and no worker can be running: ends leases on mail, and wakes the
// workers of all pending work.

import { signInRequestRows } from '../../shared/console/sign-in-request-rows.ts';
import { parseSignInRequestKey } from '../../shared/system/console-keys.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { type PendingKind, type PendingWork, sweptKinds } from '../../shared/system/pending-kinds.ts';
import { pendingWorkRows } from '../../shared/system/pending-work-rows.ts';
import { wakeWorkers } from '../../shared/system/sweep.ts';
import { invitationRows } from '../../shared/team/invitation-rows.ts';

const batchSize = 1_000;

/** Only kinds of work that use leases. */
const endLeases: Partial<Record<PendingKind, (deps: Deps, pending: PendingWork, nowMs: number) => Promise<unknown>>> = {
  mail: ({ store }, { key }, nowMs) =>
    parseSignInRequestKey(key)
      ? signInRequestRows(store).endLease(key, nowMs)
      : invitationRows(store).endLease(key, nowMs),
};

/** Each kind is independent: if one fails, the sweep picks it up, and the others continue. */
export async function resumeWork(deps: Deps): Promise<void> {
  const nowMs = deps.clock.now();
  const resumed: { kind: PendingKind; beforeMs: number }[] = [
    ...sweptKinds.map((kind) => ({ kind, beforeMs: Number.MAX_SAFE_INTEGER })),
    // Syncs that are due later wait for their schedule.
    { kind: 'sync', beforeMs: nowMs },
  ];
  const outcomes = await Promise.allSettled(resumed.map((each) => resumeKind(deps, each, nowMs)));
  for (const [index, outcome] of outcomes.entries())
    if (outcome.status === 'rejected')
      deps.log('error', 'resume_failed', {
        kind: resumed[index]?.kind,
        cause: outcome.reason,
      });
}

async function resumeKind(
  deps: Deps,
  { kind, beforeMs }: { kind: PendingKind; beforeMs: number },
  nowMs: number,
): Promise<void> {
  for (let from: string[] | undefined, first = true; first || from; first = false) {
    const { pending, cursor: rest } = await pendingWorkRows(deps.store).listBefore(kind, beforeMs, {
      limit: batchSize,
      from,
    });
    await Promise.all(pending.map((each) => endLeases[kind]?.(deps, each, nowMs)));
    await wakeWorkers(deps, kind, pending);
    from = rest;
  }
}
