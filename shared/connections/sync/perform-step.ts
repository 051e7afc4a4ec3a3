// The steps of a run: each takes the state of the run and returns the new state.

import { sandboxHistoryDays } from '../../catalog/sandbox.ts';
import { addDays } from '../../platform/time/local-day.ts';
import type { DayWindow } from '../../providers/kit/provider-pages.ts';
import { UnexpectedResponse } from '../../providers/kit/request-flow.ts';
import { wakeWorker } from '../../system/wake-worker.ts';
import { derivePushKeys, pushPath } from '../client/push-keys.ts';
import { ProviderUnavailable } from '../client/send-to-provider.ts';
import { canBePolled, capPollDelay, pollAfterMs } from '../client/sync-backoff.ts';
import { connectionLogFields } from '../connection-rows.ts';
import { subscriptionRows } from '../subscription-rows.ts';
import type { SyncPlan } from '../sync-plan.ts';
import { selectNextDays } from './days-to-read.ts';
import { type Step, windowDays } from './next-step.ts';
import { expectsPushes, isPollOnly, nextPollMs, recordPush } from './poll-interval.ts';
import { takePollTurn } from './poll-turn.ts';
import { readOrQuarantine, retryQuarantined } from './quarantined-days.ts';
import { resolveDeferred, resolveNotification } from './resolve-notification.ts';
import { commitState, getRereadWindow, type SyncContext, type SyncState, todayFor, withPlan } from './sync-state.ts';

/** The delay after a subscription failed, and the minimum delay before one is renewed. */
const resubscribeAfterMs = 3_600_000;
const minRenewalMs = 60_000;

export async function performStep(context: SyncContext, state: SyncState, step: Step): Promise<SyncState> {
  if (step.kind === 'begin') return beginHistory(context, state);
  if (step.kind === 'subscribe') return subscribe(context, state);
  if (step.kind === 'notification') return resolveNotification(context, state, step.notification);
  if (step.kind === 'poll') return poll(context, state);
  if (step.kind === 'probe')
    return withPlan(state, { rereadDays: [...state.plan.rereadDays, getRereadWindow(context, state)] });
  if (step.kind === 'deferred') return resolveDeferred(context, state, step.deferred);
  return step.kind === 'window' ? readWindow(context, state, step) : retryQuarantined(context, state);
}

/** The history goes back from today, so the first window contains the newest days. */
async function beginHistory(context: SyncContext, state: SyncState): Promise<SyncState> {
  const { deps, adapter } = context;
  const { env, provider, origin, historyDays } = state.connection;
  const maxDays = env === 'sandbox' ? sandboxHistoryDays : Number.POSITIVE_INFINITY;
  const to = todayFor(context, state);
  const from = addDays(to, -(historyDays ?? Math.min(adapter.descriptor.historyDays, maxDays)));
  const nowMs = deps.clock.now();
  const plan = { ...state.plan, history: { from, to }, lastPollMs: nowMs, lastChangeMs: nowMs };
  if (env === 'live' && adapter.subscriptions?.ensureForDeployment) {
    const isNew = await subscriptionRows(deps.store).open(provider, env, origin, nowMs);
    if (isNew) await wakeWorker(deps, 'connection', { provider, env });
  }
  // Commit first, so that callers see the range of the history before any of it is fetched.
  return commitState(context, withPlan(state, { ...plan, pollMs: nextPollMs(context, state.user, plan) }));
}

async function subscribe(context: SyncContext, state: SyncState): Promise<SyncState> {
  const { deps, adapter, configured, client, tokens } = context;
  const { provider, env, origin, providerAccount } = state.connection;
  const nowMs = deps.clock.now();
  const request = {
    credentials: configured.credentials,
    // A deployment that has moved since then is subscribed at its new address.
    callbackUrl: (deps.deployment.baseUrl ?? origin) + pushPath(deps, provider, env),
    verificationToken: derivePushKeys(deps, provider, env).verificationToken,
    known: undefined,
    nowMs,
    account: providerAccount ?? '',
  };
  try {
    const flow = adapter.subscriptions?.ensureForUser?.(request);
    const { renewMs } = flow ? await client.withUserToken(flow, tokens) : { renewMs: nowMs };
    return withPlan(state, { subscribeMs: Math.max(renewMs, nowMs + minRenewalMs) });
  } catch (error) {
    // Without a subscription, data comes from polling.
    if (!(error instanceof UnexpectedResponse || error instanceof ProviderUnavailable)) throw error;
    deps.log('warn', 'subscription_failed', { ...connectionLogFields(state.connection), detail: error.message });
    return withPlan(state, { subscribeMs: nowMs + resubscribeAfterMs });
  }
}

/**
 * A connection whose pushes arrive is polled only when they stay away, or when it has not been
 * polled for a day, because a push may have been lost.
 */
async function poll(context: SyncContext, before: SyncState): Promise<SyncState> {
  const { deps, adapter, configured, tokens } = context;
  const { descriptor } = adapter;
  const nowMs = deps.clock.now();
  const { device, user, plan: known } = before;
  const plan = device.receivedMs > known.readMs ? { ...known, ...recordPushedData(context, before) } : known;
  const state = withPlan(before, plan);
  const isExpecting = expectsPushes(adapter, configured, plan, nowMs);
  const dueMs = canBePolled(descriptor) ? nextPollMs(context, user, plan) : device.receivedMs + pollAfterMs(descriptor);
  const cappedMs = capPollDelay(descriptor, plan.lastPollMs, dueMs);
  if (isExpecting && cappedMs > nowMs) return withPlan(state, { pollMs: cappedMs });
  // When polling for data is not allowed, at least keep the tokens valid.
  if (!canBePolled(descriptor)) {
    await tokens.current();
    return withPlan(state, { pollMs: nextPollMs(context, user, plan), lastPollMs: nowMs });
  }
  const turn = await takePollTurn(context, plan);
  if (!turn.drawn) return withPlan(state, { pollMs: turn.retryMs, pollTurn: turn.turn });
  return withPlan(state, {
    pollMs: nextPollMs(context, user, plan),
    pollTurn: 'none',
    lastPollMs: nowMs,
    rereadDays: [...plan.rereadDays, getRereadWindow(context, state)],
  });
}

/** Data that the writer did not read itself was pushed. */
const recordPushedData = ({ adapter, configured }: SyncContext, { device, plan }: SyncState): Partial<SyncPlan> =>
  plan.readMs === 0 || isPollOnly(adapter.descriptor, configured.credentials)
    ? {}
    : { ...recordPush(adapter.descriptor, plan, device.receivedMs), readMs: device.receivedMs };

async function readWindow(
  context: SyncContext,
  before: SyncState,
  { days, rest, isHistory }: Extract<Step, { kind: 'window' }>,
): Promise<SyncState> {
  const { sync } = context.adapter.descriptor;
  const stride = Math.min(windowDays(context, before.plan) * 2, sync.windowDays);
  const read = await readOrQuarantine(context, before, days);
  // A poll that succeeds says nothing about the window of the history that failed.
  const isHistoryFailing = !isHistory && before.plan.history !== null && before.plan.failures > 0;
  const plan = {
    ...read.plan,
    rereadDays: [...rest.rereadDays, ...(isHistory ? findZoneSeam(context, read, days) : [])],
    history: rest.history,
    ...(isHistory ? { historyZone: read.user.timezone } : {}),
    ...{ notBeforeMs: 0, tokenRefusals: null, attempt: undefined },
    ...(isHistoryFailing ? {} : { failures: 0, stride }),
  };
  const isLast = before.plan.history !== null && rest.history === null;
  const state = withPlan(read, isLast ? { ...plan, pollMs: soonerPollMs(context, read, plan) } : plan);
  const after = { ...state, windows: before.windows + 1 };
  // The last window is committed when the run ends.
  return selectNextDays(rest, 1) ? commitState(context, after) : after;
}

/**
 * Each window continues from the one before it, day by day. When the user's time zone has changed
 * between the two, the time between both kinds of day is in neither, so the days where they meet
 * are read again.
 */
function findZoneSeam({ adapter }: SyncContext, { user, plan }: SyncState, { to }: DayWindow): DayWindow[] {
  const isSeam = plan.historyZone !== undefined && plan.historyZone !== user.timezone;
  return isSeam && canBePolled(adapter.descriptor) ? [{ from: to, to: addDays(to, 1) }] : [];
}

/** Any rate limit delays the history. Now that it is complete, polls can be more frequent. */
const soonerPollMs = (context: SyncContext, { user }: SyncState, plan: SyncState['plan']): number =>
  Math.min(plan.pollMs, nextPollMs(context, user, plan));
