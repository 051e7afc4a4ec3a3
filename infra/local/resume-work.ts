// A host that starts, and knows that no worker runs: leases on mail are ended, and everything that is owed goes on.

import type { Deps } from '../../shared/system/deps.ts';
import { type DueKind, type Owed, sweptKinds } from '../../shared/system/due.ts';
import { owedRows } from '../../shared/system/owed-rows.ts';
import { wakeAll } from '../../shared/system/sweep.ts';
import { invitationRows } from '../../shared/team/invitation-rows.ts';

const atOnce = 1_000;

/** Where workers hold none, there is none to end. */
const endLeases: Partial<Record<DueKind, (deps: Deps, owed: Owed, nowMs: number) => Promise<unknown>>> = {
  mail: ({ store }, { key }, nowMs) => invitationRows(store).endLease(key, nowMs),
};

/** Every kind by itself: what fails of one is left to the sweep, and the others go on. */
export async function resumeWork(deps: Deps): Promise<void> {
  const nowMs = deps.clock.now();
  const resumed: { kind: DueKind; beforeMs: number }[] = [
    ...sweptKinds.map((kind) => ({ kind, beforeMs: Number.MAX_SAFE_INTEGER })),
    // What is due later stays for its schedule.
    { kind: 'sync', beforeMs: nowMs },
  ];
  const outcomes = await Promise.allSettled(resumed.map((each) => resume(deps, each, nowMs)));
  for (const [index, outcome] of outcomes.entries())
    if (outcome.status === 'rejected')
      deps.log('error', 'could not resume owed work; the sweep will', {
        kind: resumed[index]?.kind,
        cause: outcome.reason,
      });
}

async function resume(
  deps: Deps,
  { kind, beforeMs }: { kind: DueKind; beforeMs: number },
  nowMs: number,
): Promise<void> {
  for (let from: string[] | undefined, first = true; first || from; first = false) {
    const { owed, rest } = await owedRows(deps.store).before(kind, beforeMs, { atMost: atOnce, from });
    await Promise.all(owed.map((each) => endLeases[kind]?.(deps, each, nowMs)));
    await wakeAll(deps, kind, owed);
    from = rest;
  }
}
