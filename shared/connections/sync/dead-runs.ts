// A run that crashes, because what a provider answers kills its process, must not block its
// connection. As with uploads, attempts are recorded once the message is delivered again: the window
// that was being read shrinks with each crash, until the one day remains that can be quarantined.
import { EngineUnavailable } from '../../platform/ports.ts';
import { isPresumedDead } from '../../system/presumed-dead.ts';
import { canBePolled } from '../client/sync-backoff.ts';
import { connectionLogFields } from '../connection-rows.ts';
import { syncRows } from '../sync-rows.ts';
import { halveWindow, mergeWindows } from './days-to-read.ts';
import { nextStep, type Step } from './next-step.ts';
import { nextPollMs } from './poll-interval.ts';
import { nextQuarantineRetryMs } from './quarantined-days.ts';
import { commitState, getRereadWindow, type SyncContext, type SyncState, withPlan } from './sync-state.ts';

const crashesBeforeQuarantine = 3;

/**
 * Records the attempt of this run, if its message was delivered before. An attempt that is still
 * recorded then belongs to a run that crashed, at the step that is next again.
 */
export async function recordRunAttempt(context: SyncContext, state: SyncState, receives: number): Promise<SyncState> {
  const { attempt } = state.plan;
  if (receives <= 1 && attempt === undefined) return state;
  const nowMs = context.deps.clock.now();
  const hasCrashed = attempt?.startedMs != null && isPresumedDead(attempt.startedMs, nowMs);
  const crashes = (attempt?.crashes ?? 0) + (hasCrashed ? 1 : 0);
  const counted = withPlan(state, { attempt: { startedMs: nowMs, crashes } });
  return commitState(context, hasCrashed ? planAfterCrash(context, counted, crashes) : counted, {
    state: crashes > 0 ? 'failed' : undefined,
  });
}

/** The run has ended by itself. Its crashes count until a window was read. */
export const endRunAttempt = ({ plan }: SyncState): Pick<SyncState['plan'], 'attempt'> =>
  plan.attempt && plan.attempt.crashes > 0 ? { attempt: { ...plan.attempt, startedMs: null } } : { attempt: undefined };

/**
 * If the table is unavailable, the attempt stays recorded, and a late next run counts one crash too
 * many.
 */
export async function clearRunAttempt(
  { deps }: Pick<SyncContext, 'deps'>,
  user: string,
  device: string,
): Promise<void> {
  try {
    await syncRows(deps.store).clearAttempt(user, device);
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error;
    deps.log('warn', 'attempt_not_cleared', { user_id: user, device_id: device, cause: error });
  }
}

function planAfterCrash(context: SyncContext, state: SyncState, crashes: number): SyncState {
  const step = nextStep(context, state);
  const isSuspect = crashes >= crashesBeforeQuarantine;
  if (step?.kind === 'window') return shrinkOrQuarantine(context, state, step, isSuspect);
  // A quarantined day is the one that is known to be dangerous.
  if (step?.kind === 'quarantined') return withPlan(state, { quarantineMs: nextQuarantineRetryMs(context) });
  if (step?.kind === 'poll') return storePolledWindow(context, state);
  if (isSuspect && (step?.kind === 'notification' || step?.kind === 'probe' || step?.kind === 'deferred'))
    return replaceByReread(context, state, step);
  return state;
}

/** A poll stores only what it has read. As a window of its own, it can shrink. */
function storePolledWindow(context: SyncContext, state: SyncState): SyncState {
  const { plan, user } = state;
  if (!canBePolled(context.adapter.descriptor)) return state;
  return withPlan(state, {
    pollMs: nextPollMs(context, user, plan),
    pollTurn: 'none',
    lastPollMs: context.deps.clock.now(),
    rereadDays: [...plan.rereadDays, getRereadWindow(context, state)],
  });
}

function shrinkOrQuarantine(
  context: SyncContext,
  state: SyncState,
  { days, rest }: Extract<Step, { kind: 'window' }>,
  isSuspect: boolean,
): SyncState {
  if (days.from !== days.to) return withPlan(state, { stride: halveWindow(days) });
  if (!isSuspect) return state;
  logStep(context, state, { day: days.from });
  const { plan } = state;
  return withPlan(state, {
    ...rest,
    rereadDays: [...rest.rereadDays],
    quarantined: mergeWindows([...plan.quarantined, days]),
    quarantineMs: plan.quarantined.length > 0 ? plan.quarantineMs : nextQuarantineRetryMs(context),
    attempt: undefined,
  });
}

/** Reads the newest days instead of the notification. */
function replaceByReread(
  context: SyncContext,
  state: SyncState,
  step: Extract<Step, { kind: 'notification' | 'probe' | 'deferred' }>,
): SyncState {
  logStep(context, state, {});
  const { plan } = state;
  const rereadDays = [...plan.rereadDays, getRereadWindow(context, state)];
  if (step.kind === 'notification')
    return { ...withPlan(state, { rereadDays, attempt: undefined }), resolved: state.resolved + 1 };
  const deferred = plan.deferred.filter((each) => each !== step.deferred);
  return withPlan(state, { rereadDays, deferred, attempt: undefined });
}

const logStep = ({ deps }: SyncContext, { connection }: SyncState, fields: { day?: string }): void =>
  deps.log('error', 'sync_crashing', { ...connectionLogFields(connection), ...fields });
