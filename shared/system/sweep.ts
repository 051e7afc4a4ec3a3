// Finds due work that has no message because a wake-up was lost, its worker crashed, or formulas or
// merge rules changed; also keys that are about to expire and leftovers of deleted webhooks. It
// also wakes scores that are due. Each kind is swept separately, so that none delays another.

import type { Deps } from './deps.ts';
import { isFifoQueue } from './jobs.ts';
import {
  getPendingKindSpec,
  messageGraceMs,
  type PendingKind,
  type PendingWork,
  type ScheduledKind,
  type SweptKind,
  sweptKinds,
} from './pending-kinds.ts';
import { pendingWorkRows } from './pending-work-rows.ts';

/** Further work of a kind waits for the next sweep, which continues where this one ended. */
const maxPerKind = 10_000;

const graceOf = (kind: PendingKind): number => (getPendingKindSpec(kind).includesGrace ? 0 : messageGraceMs);

/** An ordered queue accepts the same reminder once in this time; five minutes by default. */
export interface Reminder {
  pending: readonly PendingWork[];
  remindAfterMs?: number;
}
/** What is sent of the pending work of a kind; all of it by default. */
export type SelectPending = Readonly<
  Partial<Record<SweptKind, (deps: Deps, pending: readonly PendingWork[]) => Promise<Reminder[]>>>
>;

/** What a sweep does in addition to waking pending work, by name. */
export type SweepTasks = Readonly<Record<string, (deps: Deps) => Promise<void>>>;

/** Sweeps every kind before it throws for those that failed. */
export async function sweepPending(deps: Deps, tasks: SweepTasks, select: SelectPending = {}): Promise<void> {
  const now = deps.clock.now();
  const outcomes = await Promise.allSettled([
    ...sweptKinds.map((kind) => wakePending(deps, kind, now, select[kind])),
    reportOverdue(deps, 'sync', now),
    ...Object.values(tasks).map((run) => run(deps)),
  ]);
  const kinds = [...sweptKinds, 'sync', ...Object.keys(tasks)];
  const failed = outcomes.flatMap((outcome, index) =>
    outcome.status === 'rejected' ? [{ kind: kinds[index], cause: outcome.reason }] : [],
  );
  for (const failure of failed) deps.log('error', 'sweep_failed', failure);
  if (failed.length > 0) throw new Error(`could not sweep: ${failed.map(({ kind }) => kind).join(', ')}`);
}

async function wakePending(
  deps: Deps,
  kind: SweptKind,
  nowMs: number,
  select: SelectPending[SweptKind],
): Promise<void> {
  const { store } = deps;
  const from = await pendingWorkRows(store).findSweepCursor(kind);
  const { pending, cursor: rest } = await pendingWorkRows(store).listBefore(kind, nowMs - graceOf(kind), {
    limit: maxPerKind,
    from,
  });
  if (pending.length > 0) {
    for (const reminder of select ? await select(deps, pending) : [{ pending }])
      await wakeWorkers(deps, kind, reminder.pending, reminder);
    const isPart = from !== undefined || rest !== undefined;
    const oldestMs = isPart
      ? await pendingWorkRows(store).findOldestMs(kind)
      : Math.min(...pending.map(({ dueMs }) => dueMs));
    reportBacklog(deps, kind, { count: pending.length, isPart, oldestMs, nowMs });
  }
  if (from || rest) await pendingWorkRows(store).saveSweepCursor(kind, rest);
}

export async function wakeWorkers(
  deps: Deps,
  kind: PendingKind,
  pending: readonly PendingWork[],
  { remindAfterMs = deduplicationMs }: { remindAfterMs?: number } = {},
): Promise<void> {
  const { queue, jobs } = getPendingKindSpec(kind);
  if (pending.length === 0) return;
  const jobMessages = jobs(pending);
  if (!isFifoQueue(queue)) return deps.queue.sendAll(queue, jobMessages);
  // Work that is still due is sent with every sweep, and an ordered queue accepts it once in
  // `remindAfterMs`. Work that has become due again is sent at once: if a job is about a single row, the
  // key contains its due time.
  const since = (at: number): number => (jobMessages.length === pending.length ? (pending[at]?.dueMs ?? 0) : 0);
  const slot = Math.floor(deps.clock.now() / remindAfterMs);
  await deps.queue.sendAll(queue, jobMessages, {
    deduplicationKey: jobMessages.map((job, at) => `${JSON.stringify(job)}#${since(at)}#${slot}`),
  });
}

/** The deduplication interval of an ordered queue. */
const deduplicationMs = 5 * 60_000;

const overdueMs = 15 * 60_000;

/**
 * Reports work that a schedule should have woken long ago: a schedule that fails or does not run
 * cannot report it itself.
 */
async function reportOverdue({ store, ...deps }: Deps, kind: ScheduledKind, nowMs: number): Promise<void> {
  const oldestMs = await pendingWorkRows(store).findOldestMs(kind);
  if (oldestMs === undefined || nowMs - oldestMs < overdueMs) return;
  const { pending, cursor: rest } = await pendingWorkRows(store).listBefore(kind, nowMs - overdueMs, {
    limit: maxPerKind,
  });
  reportBacklog(deps, kind, { count: pending.length, isPart: rest !== undefined, oldestMs, nowMs });
}

/** CloudWatch derives the backlog metrics of each kind from these lines. */
function reportBacklog(
  deps: Pick<Deps, 'log'>,
  kind: PendingKind,
  { count, isPart, oldestMs, nowMs }: { count: number; isPart: boolean; oldestMs: number | undefined; nowMs: number },
): void {
  deps.log('warn', 'overdue_work_found', {
    kind,
    pending: count,
    is_partial: isPart,
    oldest_seconds: Math.max(0, Math.round((nowMs - (oldestMs ?? nowMs)) / 1000)),
  });
}
