// One run of a connection's writer: what is due, then the tokens, the windows, the notifications,
// and the commit. The queue gives each connection one writer at a time.
import { getProviderAdapter } from '../../providers/adapters.ts';
import type { Deps } from '../../system/deps.ts';
import { Superseded } from '../client/sync-errors.ts';
import { createUserClient, getConfiguredProviderOrLog } from '../client/user-client.ts';
import { openTokens } from '../client/user-tokens.ts';
import { failConnection } from '../connect/complete-connection.ts';
import { revocationRows } from '../revocation-rows.ts';
import { type ConnectionSnapshot, type ConnectionWithInbox, type SealedGrant, syncRows } from '../sync-rows.ts';
import { wakeConnection } from '../wake-connection.ts';
import { clearRunAttempt, endRunAttempt, recordRunAttempt } from './dead-runs.ts';
import { handleSyncError } from './handle-sync-error.ts';
import { nextRunMs, nextStep } from './next-step.ts';
import { performStep } from './perform-step.ts';
import { commitState, type RunResult, type SyncContext, type SyncState, toSyncState, withPlan } from './sync-state.ts';

const hourMs = 3_600_000;
/**
 * A superseded run that is older than this does not retry: another run may have overtaken it and
 * continues.
 */
const maxRetryAgeMs = 35_000;
const maxTries = 3;

interface RunOptions extends Pick<SyncContext, 'maxWindows'> {
  /** How often the message was received: 1 the first time. */
  receives?: number;
}

/** Does nothing when nothing is due. */
export async function syncConnection(
  deps: Deps,
  userId: string,
  deviceId: string,
  options: RunOptions = {},
): Promise<void> {
  const startedMs = deps.clock.now();
  for (let tries = 1; ; tries++) {
    try {
      return await syncOnce(deps, userId, deviceId, { ...options, startedMs });
    } catch (error) {
      const isSuperseded = error instanceof Superseded;
      if (isSuperseded && deps.clock.now() - startedMs >= maxRetryAgeMs) return;
      if (isSuperseded && tries < maxTries) continue;
      await clearRunAttempt({ deps }, userId, deviceId);
      throw error;
    }
  }
}

async function syncOnce(
  deps: Deps,
  userId: string,
  deviceId: string,
  { startedMs, maxWindows, receives = 1 }: RunOptions & { startedMs: number },
): Promise<void> {
  const read = await syncRows(deps.store).read(userId, deviceId);
  if (!read) return;
  const { connection, user, device } = read;
  if (connection.status !== 'active') return expireConnection(deps, connection);
  // For a user who is being deleted, the user's writer ends the connection.
  if (!user || user.status === 'deleting' || device?.status !== 'active') return;
  if (user.status === 'unshared') return pauseConnection(deps, connection);
  const state = toSyncState(read);
  if (!state) return;
  if (connection.inbox.length === 0 && nextRunMs(state.plan) > deps.clock.now()) return leaveUntilDue(deps, read);
  const { notBeforeMs, turn } = state.plan;
  if (notBeforeMs > deps.clock.now()) return void (await syncRows(deps.store).deferInbox(connection, notBeforeMs));
  const configured = await getConfiguredProviderOrLog(deps, connection);
  if (!configured) return finishRun(deps, { after: withPlan(state, { notBeforeMs: startedMs + hourMs }) });
  const adapter = getProviderAdapter(connection.provider);
  const client = createUserClient(deps, configured, { providerAccount: connection.providerAccount, turn, startedMs });
  const tokens = openTokens(deps, connection, adapter, configured, client, (sealed, before) =>
    storeTokens(deps, connection, sealed, before),
  );
  const context = { deps, adapter, configured, client, tokens, startedMs, maxWindows };
  const initial = await recordRunAttempt(context, withPlan(state, { turn: 'none' }), receives);
  const result = await run(context, initial);
  if (result) await finishRun(deps, result);
  await client.budget.storeSuccess();
}

/**
 * A device whose place in the index is earlier than its work would be found again and again, and
 * would count as overdue.
 */
async function leaveUntilDue({ store, clock }: Deps, { connection, plan, dueMs }: ConnectionSnapshot): Promise<void> {
  if (dueMs === undefined || dueMs > clock.now()) return;
  await syncRows(store).reschedule(connection.user, connection.device, plan, nextRunMs(plan));
}

/** Returns undefined when the connection has ended. */
async function run(context: SyncContext, initial: SyncState): Promise<RunResult | undefined> {
  const { client } = context;
  for (let state = initial; ; ) {
    const step = nextStep(context, state);
    if (!step) return { after: state };
    const spentBefore = client.budget.spent();
    try {
      state = await performStep(context, state, step);
    } catch (error) {
      return handleSyncError(context, state, { step, requests: client.budget.spent() - spentBefore }, error);
    }
  }
}

/** Remaining work continues at once, in another run. */
async function finishRun(deps: Deps, { after, state, nextMs }: RunResult): Promise<void> {
  const nowMs = deps.clock.now();
  const { plan, connection, resolved, windows } = after;
  const dueMs = Math.max(nowMs, nextMs ?? nextRunMs(plan));
  const syncedMs = windows > 0 && state === undefined ? nowMs : undefined;
  await commitState({ deps }, withPlan(after, endRunAttempt(after)), { state, nextMs: dueMs, syncedMs });
  const hasMore = connection.inbox.length > resolved && plan.notBeforeMs <= nowMs && nextMs === undefined;
  if (hasMore || dueMs === nowMs) await wakeConnection(deps, after.user.id, after.device.id);
}

/**
 * Also stores them while the consent is being revoked, so that the revocation uses the new tokens.
 */
const storeTokens = async (
  { store }: Deps,
  connection: ConnectionWithInbox,
  sealed: SealedGrant,
  before: string,
): Promise<boolean> =>
  (await syncRows(store).renewGrant(connection, before, sealed)) ||
  (await revocationRows(store).renewGrant(connection, before, sealed));

/** The link expired unused, or the code was lost during the exchange. */
async function expireConnection(deps: Deps, connection: ConnectionWithInbox): Promise<void> {
  if (Number.parseInt(connection.dueSk ?? '', 10) > deps.clock.now()) return;
  await failConnection(deps, connection, connection.status === 'pending' ? 'link_expired' : 'provider_unavailable');
}

/**
 * Nothing is fetched or recorded from now on, and no sweep finds the connection, until the user
 * shares again.
 */
async function pauseConnection(deps: Deps, connection: ConnectionWithInbox): Promise<void> {
  if (connection.pausedMs !== undefined) return;
  if (!(await syncRows(deps.store).pause(connection, deps.clock.now()))) throw new Superseded();
}
