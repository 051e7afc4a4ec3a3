// What becomes of a run that cannot go on: what it was about stays in the plan, and is tried again later the more often that happened.

import { Overtaken } from '../../pipeline/accept-records.ts';
import { randomShare, retryAfterMs } from '../../platform/backoff.ts';
import { EngineUnavailable } from '../../platform/ports.ts';
import { daysBetween } from '../../platform/time/local-day.ts';
import { Unexpected } from '../../providers/kit/vendor.ts';
import { VendorAway } from '../client/send.ts';
import { backoffMs } from '../client/sync-backoff.ts';
import { CredentialsRefused, OutOfBudget, OutOfTime, Superseded, TokenRefused } from '../client/sync-errors.ts';
import { pauseMs } from '../client/vendor-line.ts';
import type { SyncPlan } from '../sync-plan.ts';
import { handleRefusedToken } from './consent-ended.ts';
import type { Step } from './next-step.ts';
import { deferNotification, isUnanswered } from './resolve-notification.ts';
import { about, type Ended, type SyncContext, type SyncState, withPlan } from './sync-state.ts';

/** A pause that callers are shown. */
const longPauseMs = 15 * 60_000;
const soonMs = 5_000;

/** The step that failed, and how many requests it had sent. */
export interface FailedStep {
  step: Step;
  spent: number;
}

/** Undefined when the connection has ended. Throws what only another run can handle. */
export async function handleSyncError(
  context: SyncContext,
  before: SyncState,
  failed: FailedStep,
  error: unknown,
): Promise<Ended | undefined> {
  if (error instanceof Superseded || error instanceof EngineUnavailable) throw error;
  // What was said of a token counts no longer when the provider has given another.
  const state = context.tokens.wereRenewed() ? withPlan(before, { dead: null }) : before;
  const nowMs = context.deps.clock.now();
  // Another run would come no further, where this one did not.
  if (error instanceof OutOfTime && (state.windows > 0 || state.resolved > 0)) return { after: state };
  if (error instanceof Overtaken) return { after: state, nextMs: nowMs + soonMs };
  if (error instanceof OutOfBudget) return waitInLine(context, state, failed, error);
  if (error instanceof TokenRefused) return refused(context, state, failed);
  if (error instanceof VendorAway || error instanceof OutOfTime) return away(context, state, failed, error);
  return failure(context, state, failed, error);
}

/** Each comes back at a time of its own: when its place comes up, or at any time where no more places are given. */
function waitInLine(context: SyncContext, state: SyncState, failed: FailedStep, error: OutOfBudget): Ended {
  const { deps } = context;
  const now = deps.clock.now();
  const { againMs: freeMs, turn } = error;
  const chance = randomShare(deps.random.bytes(2));
  const notBeforeMs = turn === 'none' ? Math.ceil(now + soonMs + ((freeMs - now) * (1 + chance)) / 2) : freeMs;
  return {
    after: withPlan(state, { ...fewerDays(state, failed), notBeforeMs, turn }),
    state: notBeforeMs - now > longPauseMs ? 'waiting' : undefined,
  };
}

/** The provider may be away just when it is asked to confirm. */
async function refused(context: SyncContext, state: SyncState, failed: FailedStep): Promise<Ended | undefined> {
  const { step } = failed;
  const pending = [...state.plan.deferred.map(({ notification }) => notification)];
  if (step.kind === 'notification') pending.push(step.notification);
  const saidEnded = state.saidEnded || pending.some(({ what }) => what === 'ended');
  try {
    return await handleRefusedToken(context, state, saidEnded);
  } catch (error) {
    if (!(error instanceof VendorAway)) throw error;
    return away(context, state, failed, error);
  }
}

/** What was too much for one answer, or for the requests there are, is read in smaller parts; the next try takes in account what this one took. */
function fewerDays({ plan }: SyncState, { step, spent }: FailedStep): Partial<SyncPlan> {
  // It was not begun.
  if (step.kind !== 'window' || spent === 0) return {};
  const days = daysBetween(step.days.from, step.days.to) + 1;
  return { stride: Math.max(1, Math.floor(days / 2)), requests: Math.max(plan.requests, Math.ceil(spent * 1.5)) };
}

function away(context: SyncContext, before: SyncState, failed: FailedStep, error: VendorAway | OutOfTime): Ended {
  const { deps } = context;
  const { step } = failed;
  const isOfOne = step.kind === 'notification' && isUnanswered(error);
  const state = isOfOne ? deferNotification(context, before, step.notification) : before;
  const now = deps.clock.now();
  const failures = state.plan.failures + 1;
  const { status, headers } = error instanceof VendorAway ? error : new VendorAway(error.message);
  const askedMs = status === 429 ? pauseMs(headers, now) : retryAfterMs(headers['retry-after'], now);
  const notBeforeMs = now + Math.max(backoffMs(failures, deps.random.bytes(2)), askedMs);
  deps.log('warn', 'provider_unavailable', { ...about(state), failures, message: error.message });
  const fewer = status === 429 ? {} : fewerDays(state, failed);
  return { after: withPlan(state, { ...fewer, failures, notBeforeMs }), state: 'waiting' };
}

function failure({ deps }: SyncContext, state: SyncState, failed: FailedStep, error: unknown): Ended {
  const failures = state.plan.failures + 1;
  const isOurs = error instanceof CredentialsRefused;
  const code = isOurs ? 'provider_credentials_refused' : 'sync_failed';
  deps.log('error', code, { ...about(state), failures, ...(isOurs ? { message: error.message } : { cause: error }) });
  const notBeforeMs = deps.clock.now() + backoffMs(failures, deps.random.bytes(2));
  const fewer = error instanceof Unexpected ? fewerDays(state, failed) : {};
  return { after: withPlan(state, { ...fewer, failures, notBeforeMs }), state: 'failed' };
}
