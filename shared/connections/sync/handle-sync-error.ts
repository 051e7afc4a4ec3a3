// Decides what happens to a run that cannot continue. Its work stays in the plan and is retried,
// with a longer delay after each failure.

import { StaleRead } from '../../pipeline/accept-records.ts';
import { randomShare, retryAfterMs } from '../../platform/backoff.ts';
import { EngineUnavailable } from '../../platform/ports.ts';
import { formatTimestamp } from '../../platform/time/time.ts';
import { UnexpectedResponse } from '../../providers/kit/request-flow.ts';
import { parsePauseMs } from '../client/provider-client.ts';
import { ProviderUnavailable } from '../client/send-to-provider.ts';
import { backoffMs } from '../client/sync-backoff.ts';
import { CredentialsRefused, OutOfBudget, OutOfTime, Superseded, TokenRefused } from '../client/sync-errors.ts';
import { connectionLogFields } from '../connection-rows.ts';
import type { SyncPlan } from '../sync-plan.ts';
import { halveWindow } from './days-to-read.ts';
import { handleRefusedToken } from './handle-refused-token.ts';
import type { Step } from './next-step.ts';
import { deferNotification, isUnanswered } from './resolve-notification.ts';
import { type RunResult, type SyncContext, type SyncState, withPlan } from './sync-state.ts';

/** Pauses longer than this are shown to callers. */
const longPauseMs = 15 * 60_000;
const shortPauseMs = 5_000;

/** The step that failed, and how many requests it had sent. */
export interface FailedStep {
  step: Step;
  requests: number;
}

/**
 * Returns undefined when the connection has ended. Rethrows errors that only another run can
 * handle.
 */
export async function handleSyncError(
  context: SyncContext,
  before: SyncState,
  failed: FailedStep,
  error: unknown,
): Promise<RunResult | undefined> {
  if (error instanceof Superseded || error instanceof EngineUnavailable) throw error;
  // Refusals of a token no longer count once the provider has issued a new one.
  const state = context.tokens.hasRenewed() ? withPlan(before, { tokenRefusals: null }) : before;
  const nowMs = context.deps.clock.now();
  // If this run made no progress, another run would get no further.
  if (error instanceof OutOfTime && (state.windows > 0 || state.resolved > 0)) return { after: state };
  if (error instanceof StaleRead) return { after: state, nextMs: nowMs + shortPauseMs };
  if (error instanceof OutOfBudget) return waitForBudget(context, state, failed, error);
  if (error instanceof TokenRefused) return handleTokenRefused(context, state, failed);
  if (error instanceof ProviderUnavailable || error instanceof OutOfTime)
    return handleUnavailable(context, state, failed, error);
  return handleFailure(context, state, failed, error);
}

/**
 * Spreads out the retries: each connection comes back when its place in line comes up, or at a
 * random time when no more places are assigned.
 */
function waitForBudget(context: SyncContext, state: SyncState, failed: FailedStep, error: OutOfBudget): RunResult {
  const { deps } = context;
  const now = deps.clock.now();
  const { retryAtMs, turn } = error;
  const randomFraction = randomShare(deps.random.bytes(2));
  const notBeforeMs =
    turn === 'none' ? Math.ceil(now + shortPauseMs + ((retryAtMs - now) * (1 + randomFraction)) / 2) : retryAtMs;
  deps.log('info', 'provider_quota_waited_for', {
    ...connectionLogFields(state.connection),
    retry_at: formatTimestamp(notBeforeMs),
  });
  return {
    after: withPlan(state, { ...shrinkWindow(state, failed), notBeforeMs, turn }),
    state: notBeforeMs - now > longPauseMs ? 'waiting' : undefined,
  };
}

/** The provider may be unavailable when it is called to confirm the refusal. */
async function handleTokenRefused(
  context: SyncContext,
  state: SyncState,
  failed: FailedStep,
): Promise<RunResult | undefined> {
  const { step } = failed;
  const pending = [...state.plan.deferred.map(({ notification }) => notification)];
  if (step.kind === 'notification') pending.push(step.notification);
  const isReportedEnded = state.isReportedEnded || pending.some(({ what }) => what === 'ended');
  try {
    return await handleRefusedToken(context, state, isReportedEnded);
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error;
    return handleUnavailable(context, state, failed, error);
  }
}

/**
 * Reads a smaller window next time, when this one was too large for one response or for the request
 * budget. The next attempt takes into account how many requests this one used.
 */
function shrinkWindow({ plan }: SyncState, { step, requests }: FailedStep): Partial<SyncPlan> {
  // The step had not started.
  if (step.kind !== 'window' || requests === 0) return {};
  return { stride: halveWindow(step.days), requests: Math.max(plan.requests, Math.ceil(requests * 1.5)) };
}

function handleUnavailable(
  context: SyncContext,
  before: SyncState,
  failed: FailedStep,
  error: ProviderUnavailable | OutOfTime,
): RunResult {
  const { deps } = context;
  const { step } = failed;
  const isSingleNotification = step.kind === 'notification' && isUnanswered(error);
  const state = isSingleNotification ? deferNotification(context, before, step.notification) : before;
  const now = deps.clock.now();
  const failures = state.plan.failures + 1;
  const { status, headers } = error instanceof ProviderUnavailable ? error : new ProviderUnavailable(error.message);
  const requestedPauseMs = status === 429 ? parsePauseMs(headers, now) : retryAfterMs(headers['retry-after'], now);
  const notBeforeMs = now + Math.max(backoffMs(failures, deps.random.bytes(2)), requestedPauseMs);
  deps.log('warn', 'provider_unavailable', {
    ...connectionLogFields(state.connection),
    failures,
    detail: error.message,
  });
  const windowChange = status === 429 ? {} : shrinkWindow(state, failed);
  return { after: withPlan(state, { ...windowChange, failures, notBeforeMs }), state: 'waiting' };
}

function handleFailure({ deps }: SyncContext, state: SyncState, failed: FailedStep, error: unknown): RunResult {
  const failures = state.plan.failures + 1;
  const isCredentialsRefused = error instanceof CredentialsRefused;
  const code = isCredentialsRefused ? 'provider_credentials_refused' : 'sync_failed';
  deps.log('error', code, {
    ...connectionLogFields(state.connection),
    failures,
    ...(isCredentialsRefused ? { detail: error.message } : { cause: error }),
  });
  const notBeforeMs = deps.clock.now() + backoffMs(failures, deps.random.bytes(2));
  const windowChange = error instanceof UnexpectedResponse ? shrinkWindow(state, failed) : {};
  return { after: withPlan(state, { ...windowChange, failures, notBeforeMs }), state: 'failed' };
}
