// Scores the days that are due: one worker at a time for a user, a run at most once a minute, in steps that follow at once; told once.
// What it changes of recent days is paced (pace.ts).
import { batchRows } from '../../store/batches.ts';
import { scoreRunRows } from '../../store/score-runs.ts';
import { userRows } from '../../store/users.ts';
import type { Deps } from '../deps.ts';
import { newId } from '../new-id.ts';
import { wakeScoring } from './ask.ts';
import { dueAsks, isAskDue } from './due-days.ts';
import { type LeasedRun, leaseMs, onceInMs, scoringStep } from './scoring-step.ts';

const settlesInMs = 30_000;
const laterSeconds = 2;
/** A step takes its asks away in one transaction, beside a few other writes. */
const mostAsks = 90;

/** A message for a user whose scores are up to date costs one read and does nothing. */
export async function recomputeScores(deps: Deps, userId: string): Promise<void> {
  const { store, clock } = deps;
  const now = clock.now();
  const asks = dueAsks(await scoreRunRows(store).asked(userId, mostAsks), now);
  if (asks.length === 0) return;
  const run = await scoreRunRows(store).run(userId);
  // A run that is paused has not set it.
  const waitMs = (run?.lastRunMs ?? 0) + onceInMs - now;
  if (waitMs > 0) return wakeScoring(deps, userId, Math.ceil(Math.min(waitMs, onceInMs) / 1000));
  if (await moreIsComing(deps, userId, now)) return wakeScoring(deps, userId, laterSeconds);
  const lease = newId(deps, 'lease');
  // Whoever has it looks again when it is done.
  if (!(await scoreRunRows(store).lease(userId, lease, run, { nowMs: now, untilMs: now + leaseMs }))) return;
  const isPaused = await leasedStep(deps, userId, { lease, run, asks });
  if (isPaused) return wakeScoring(deps, userId);
  // What was asked for meanwhile found the lease taken and went away. What waits has a message of its own.
  const left = await scoreRunRows(store).asked(userId, mostAsks);
  if (left.some((ask) => isAskDue(ask, now))) await wakeScoring(deps, userId, onceInMs / 1000);
}

/** Data that has just arrived is waited for: half of it would be scored now, and the rest only a minute later. */
async function moreIsComing({ store }: Deps, userId: string, now: number): Promise<boolean> {
  const [oldest] = await batchRows(store).waiting(userId, 1);
  return oldest !== undefined && now - oldest.receivedMs < settlesInMs;
}

/** Whether there is more of the run. */
async function leasedStep(deps: Deps, userId: string, leased: Omit<LeasedRun, 'user'>): Promise<boolean> {
  try {
    const user = await userRows(deps.store).byId(userId);
    if (!user || user.status === 'deleting') return false;
    return (await scoringStep(deps, { ...leased, user })) === 'paused';
  } catch (error) {
    await scoreRunRows(deps.store).release(userId, leased.lease);
    throw error;
  }
}
