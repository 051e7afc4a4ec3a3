// The state of a run: one value that its steps take and return. It is committed between steps,
// together with the progress that callers see, and at the end.

import { writeConditionally } from '../../platform/conditional-write.ts';
import { addDays, daysBetween, todayIn } from '../../platform/time/local-day.ts';
import type { ProviderAdapter } from '../../providers/kit/adapter.ts';
import type { DayWindow } from '../../providers/kit/provider-pages.ts';
import type { Deps } from '../../system/deps.ts';
import type { DeviceRow, SyncProgress } from '../../users/device-rows.ts';
import type { UserRow } from '../../users/user-rows.ts';
import type { ConfiguredProvider } from '../client/configured-provider.ts';
import type { ProviderClient } from '../client/provider-client.ts';
import { Superseded } from '../client/sync-errors.ts';
import type { UserTokens } from '../client/user-tokens.ts';
import type { SyncPlan } from '../sync-plan.ts';
import { type ConnectionSnapshot, type ConnectionWithInbox, countBeforeInbox, syncRows } from '../sync-rows.ts';
import { listDays } from './days-to-read.ts';

/** What every step of a run needs. */
export interface SyncContext {
  deps: Deps;
  adapter: ProviderAdapter;
  configured: ConfiguredProvider;
  client: ProviderClient;
  tokens: UserTokens;
  startedMs: number;
  /** How many windows the run may read, if fewer than usual. */
  maxWindows?: number | undefined;
}

export interface SyncState {
  readonly user: UserRow;
  readonly device: DeviceRow;
  readonly connection: ConnectionWithInbox;
  readonly plan: SyncPlan;
  /** How many notifications of the inbox are resolved but not drained yet. */
  readonly resolved: number;
  /** How many windows this run has read. */
  readonly windows: number;
  /** Whether nothing has been stored since the device and the user were read. */
  readonly isFresh: boolean;
  /** A push reported that the consent has ended, and the provider has not contradicted it. */
  readonly isReportedEnded: boolean;
}

export const withPlan = <State extends SyncState>(state: State, change: Partial<SyncPlan>): State => ({
  ...state,
  plan: { ...state.plan, ...change },
});

/** Returns undefined when nothing may be fetched. */
export function toSyncState(read: ConnectionSnapshot | undefined): SyncState | undefined {
  if (!read) return undefined;
  const { connection, user, device, plan } = read;
  if (connection.status !== 'active' || user?.status !== 'active' || device?.status !== 'active') return undefined;
  return { user, device, connection, plan, resolved: 0, windows: 0, isFresh: true, isReportedEnded: false };
}

/** Reads the current user, device and inbox. The plan stays the run's own. */
export async function refreshState({ deps }: SyncContext, state: SyncState): Promise<SyncState> {
  const { user, device, plan } = state;
  const now = toSyncState(await syncRows(deps.store).read(user.id, device.id));
  if (now?.plan.fence !== plan.fence) throw new Superseded();
  // Notifications that were replaced in the meantime, because there were too many, are no longer in
  // the inbox.
  const resolved = countBeforeInbox(state.connection) + state.resolved - countBeforeInbox(now.connection);
  return {
    ...now,
    plan,
    resolved: Math.max(0, resolved),
    windows: state.windows,
    isReportedEnded: state.isReportedEnded,
  };
}

export const todayFor = ({ deps }: Pick<SyncContext, 'deps'>, { user }: Pick<SyncState, 'user'>): string =>
  todayIn(user.timezone, deps.clock.now());

/**
 * The days that every poll reads again, because data arrives late or is edited. After a longer
 * pause, all days since then and `rereadDays` before it.
 */
export function getRereadWindow(context: SyncContext, { user, connection, plan }: SyncState): DayWindow {
  const { deps, adapter, startedMs } = context;
  const to = todayIn(user.timezone, deps.clock.now());
  const { rereadDays } = adapter.descriptor.sync;
  const lastPolled = todayIn(user.timezone, plan.lastPollMs || connection.connectedMs || startedMs);
  const since = lastPolled < addDays(to, -rereadDays) ? lastPolled : to;
  return { from: addDays(since, -rereadDays), to };
}

export interface RunStatus {
  /** Shown to callers instead of the progress. */
  state?: 'waiting' | 'failed' | undefined;
  /** When the next run is due, if it differs from the plan. */
  nextMs?: number | undefined;
}

/** The final state of a run, and how it ended. */
export interface RunResult extends RunStatus {
  after: SyncState;
}

/** Commits everything done so far. Throws `Superseded` when the commit is refused. */
export async function commitState(
  context: Pick<SyncContext, 'deps'>,
  state: SyncState,
  status: RunStatus & { syncedMs?: number | undefined } = {},
): Promise<SyncState> {
  const { store } = context.deps;
  const { user, device, connection, plan, resolved } = state;
  const visibleSync = toVisibleSync(context, state, status.state);
  const { nextMs, syncedMs } = status;
  const failing = keepsFailing(plan, status)
    ? { account: user.account, env: user.env, provider: connection.provider, sinceMs: context.deps.clock.now() }
    : undefined;
  const commit = { plan, progress: visibleSync, nextMs, syncedMs, failing };
  const write = syncRows(store).buildCommit(user.id, device.id, commit);
  const { applied } = await writeConditionally(store.table, write);
  if (!applied) throw new Superseded();
  // Drain after the plan is committed: a notification that is resolved twice only costs a second
  // read.
  if (resolved > 0) await syncRows(store).drain(connection, resolved);
  return {
    ...state,
    device: { ...device, sync: visibleSync },
    connection: { ...connection, inbox: connection.inbox.slice(resolved) },
    plan: { ...plan, fence: plan.fence + 1 },
    resolved: 0,
  };
}

/** A single failure, or a wait for the provider's rate limit, is part of ordinary operation. */
const minFailures = 2;
const keepsFailing = ({ failures, tokenRefusals }: SyncPlan, { state }: RunStatus): boolean =>
  state !== undefined && (failures >= minFailures || tokenRefusals !== null);

function toVisibleSync(
  context: Pick<SyncContext, 'deps'>,
  state: SyncState,
  override: RunStatus['state'],
): SyncProgress {
  const { history, quarantined } = state.plan;
  const known = state.device.sync;
  const to = known?.to ?? history?.to ?? todayFor(context, state);
  const from = known?.from ?? history?.from ?? to;
  const doneFrom = history ? addDays(history.to, 1) : from;
  const missing = listDays(quarantined).filter((day) => day >= doneFrom && day <= to).length;
  const progress = history ? 'backfilling' : quarantined.length > 0 ? 'waiting' : 'current';
  return { state: override ?? progress, from, to, doneDays: daysBetween(doneFrom, to) + 1 - missing };
}
