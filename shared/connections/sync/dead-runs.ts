// A run that dies, because what a provider answers kills its process, must not block its connection.
// As with uploads, attempts are recorded once the message is delivered again: the window that was
// being read shrinks with each death, until the one day remains that can be quarantined.
import { EngineUnavailable } from '../../platform/ports.ts';
import { daysBetween } from '../../platform/time/local-day.ts';
import { connectionLogFields } from '../connection-rows.ts';
import { syncRows } from '../sync-rows.ts';
import { mergeWindows } from './days-to-read.ts';
import { nextStep } from './next-step.ts';
import { nextQuarantineRetryMs } from './quarantined-days.ts';
import { commitState, getRereadWindow, type SyncContext, type SyncState, withPlan } from './sync-state.ts';

/** A worker may also die for unrelated reasons, such as a machine failure or a host restart. */
const minDeaths = 3;
/** A message whose run never finished is delivered again after two minutes. */
const presumedDeadAfterMs = 115_000;

/**
 * Records the attempt of this run, if its message was delivered before. An attempt that is still
 * recorded then belongs to a run that died, at the step that is next again.
 */
export async function countDeaths(context: SyncContext, state: SyncState, receives: number): Promise<SyncState> {
  const { attempt } = state.plan;
  if (receives <= 1 && attempt === undefined) return state;
  const nowMs = context.deps.clock.now();
  const hasDied = attempt?.startedMs != null && nowMs - attempt.startedMs >= presumedDeadAfterMs;
  const deaths = (attempt?.deaths ?? 0) + (hasDied ? 1 : 0);
  const counted = withPlan(state, { attempt: { startedMs: nowMs, deaths } });
  return commitState(context, hasDied ? stepAside(context, counted, deaths) : counted, {
    state: deaths > 0 ? 'failed' : undefined,
  });
}

/** The run has ended by itself. Its deaths count until a window was read. */
export const endAttempt = ({ plan }: SyncState): Pick<SyncState['plan'], 'attempt'> =>
  plan.attempt && plan.attempt.deaths > 0 ? { attempt: { ...plan.attempt, startedMs: null } } : { attempt: undefined };

/**
 * If the table is unavailable, the attempt stays recorded, and a late next run counts one death too
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

function stepAside(context: SyncContext, state: SyncState, deaths: number): SyncState {
  const step = nextStep(context, state);
  const isSuspect = deaths >= minDeaths;
  const { plan } = state;
  if (step?.kind === 'window') {
    const { days, rest } = step;
    if (days.from !== days.to) return withPlan(state, { stride: halve(days) });
    if (!isSuspect) return state;
    logStep(context, state, { day: days.from });
    const quarantined = mergeWindows([...plan.quarantined, days]);
    const quarantineMs = plan.quarantined.length > 0 ? plan.quarantineMs : nextQuarantineRetryMs(context);
    return withPlan(state, {
      ...rest,
      rereadDays: [...rest.rereadDays],
      quarantined,
      quarantineMs,
      attempt: undefined,
    });
  }
  // A quarantined day is the one that is known to be dangerous.
  if (step?.kind === 'quarantined') return withPlan(state, { quarantineMs: nextQuarantineRetryMs(context) });
  if (!isSuspect || (step?.kind !== 'notification' && step?.kind !== 'deferred')) return state;
  logStep(context, state, {});
  const rereadDays = [...plan.rereadDays, getRereadWindow(context, state)];
  if (step.kind === 'notification')
    return { ...withPlan(state, { rereadDays, attempt: undefined }), resolved: state.resolved + 1 };
  const deferred = plan.deferred.filter((each) => each !== step.deferred);
  return withPlan(state, { rereadDays, deferred, attempt: undefined });
}

const halve = ({ from, to }: { from: string; to: string }): number =>
  Math.max(1, Math.floor((daysBetween(from, to) + 1) / 2));

const logStep = ({ deps }: SyncContext, { connection }: SyncState, fields: { day?: string }): void =>
  deps.log('error', 'sync_quarantined', { ...connectionLogFields(connection), ...fields });
