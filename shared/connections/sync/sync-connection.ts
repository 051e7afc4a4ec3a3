// One run of a connection's writer: what is due, then the tokens, the windows, the notifications, and the commit. The queue gives each connection one writer at a time.
import { adapterOf } from '../../providers/adapters.ts';
import type { Deps } from '../../system/deps.ts';
import { openTokens } from '../client/held-tokens.ts';
import { configuredForWork, personLine } from '../client/person-line.ts';
import { Superseded } from '../client/sync-errors.ts';
import { failConnection } from '../connect/complete.ts';
import { revocationRows } from '../revocation-rows.ts';
import { type HeldConnection, type SealedGrant, syncRows } from '../sync-rows.ts';
import { wakeConnection } from '../wake-connection.ts';
import { handleSyncError } from './handle-sync-error.ts';
import { nextRunMs, nextStep } from './next-step.ts';
import { performStep } from './perform-step.ts';
import { commit, type Ended, type SyncContext, type SyncState, stateOf, withPlan } from './sync-state.ts';

const hourMs = 3_600_000;
/** A run that was superseded when it was older may have been overtaken, and the other one goes on. */
const youngMs = 35_000;
const maxTries = 3;

/** Does nothing when nothing is due. */
export async function syncConnection(deps: Deps, userId: string, deviceId: string): Promise<void> {
  const startedMs = deps.clock.now();
  for (let tries = 1; ; tries++) {
    try {
      return await syncOnce(deps, userId, deviceId, startedMs);
    } catch (error) {
      if (!(error instanceof Superseded)) throw error;
      if (deps.clock.now() - startedMs >= youngMs) return;
      if (tries === maxTries) throw error;
    }
  }
}

async function syncOnce(deps: Deps, userId: string, deviceId: string, startedMs: number): Promise<void> {
  const read = await syncRows(deps.store).read(userId, deviceId);
  if (!read) return;
  const { connection, user, device } = read;
  if (connection.status !== 'active') return giveUp(deps, connection);
  // A user who is being deleted: the person's writer ends the connection.
  if (!user || user.status === 'deleting' || device?.status !== 'active') return;
  if (user.status === 'unshared') return pause(deps, connection);
  const state = stateOf(read);
  if (!state || (connection.inbox.length === 0 && nextRunMs(state.plan) > deps.clock.now())) return;
  const { notBeforeMs, turn } = state.plan;
  if (notBeforeMs > deps.clock.now()) return void (await syncRows(deps.store).deferInbox(connection, notBeforeMs));
  const configured = await configuredForWork(deps, connection);
  if (!configured) return finish(deps, { after: withPlan(state, { notBeforeMs: startedMs + hourMs }) });
  const adapter = adapterOf(connection.provider);
  const line = personLine(deps, configured, { vendorAccount: connection.vendorAccount, turn, startedMs });
  const tokens = openTokens(deps, connection, adapter, configured, line, (sealed, before) =>
    storeTokens(deps, connection, sealed, before),
  );
  const context = { deps, adapter, configured, line, tokens, startedMs };
  const ended = await run(context, withPlan(state, { turn: 'none' }));
  if (ended) await finish(deps, ended);
}

/** Undefined when the connection has ended. */
async function run(context: SyncContext, begun: SyncState): Promise<Ended | undefined> {
  const { line } = context;
  for (let state = begun; ; ) {
    const step = nextStep(context, state);
    if (!step) return { after: state };
    const spentBefore = line.allowance.spent();
    try {
      state = await performStep(context, state, step);
    } catch (error) {
      return handleSyncError(context, state, { step, spent: line.allowance.spent() - spentBefore }, error);
    }
  }
}

/** What is left goes on at once, in another run. */
async function finish(deps: Deps, { after, state, nextMs }: Ended): Promise<void> {
  const nowMs = deps.clock.now();
  const { plan, connection, resolved, windows } = after;
  const dueMs = Math.max(nowMs, nextMs ?? nextRunMs(plan));
  const syncedMs = windows > 0 && state === undefined ? nowMs : undefined;
  await commit({ deps }, after, { state, nextMs: dueMs, syncedMs });
  const isLeft = connection.inbox.length > resolved && plan.notBeforeMs <= nowMs && nextMs === undefined;
  if (isLeft || dueMs === nowMs) await wakeConnection(deps, after.user.id, after.device.id);
}

/** Also when the consent is to be given back meanwhile: with these. */
const storeTokens = async (
  { store }: Deps,
  connection: HeldConnection,
  sealed: SealedGrant,
  before: string,
): Promise<boolean> =>
  (await syncRows(store).renew(connection, before, sealed)) ||
  (await revocationRows(store).renew(connection, before, sealed));

/** Nobody came while the link was good, or the code was lost while it was being swapped. */
async function giveUp(deps: Deps, connection: HeldConnection): Promise<void> {
  if (Number.parseInt(connection.dueSk ?? '', 10) > deps.clock.now()) return;
  await failConnection(deps, connection, connection.status === 'awaited' ? 'link_expired' : 'provider_unavailable');
}

/** Nothing is fetched or recorded from here on, and no schedule finds it, until the person shares again. */
async function pause(deps: Deps, connection: HeldConnection): Promise<void> {
  if (connection.pausedMs !== undefined) return;
  if (!(await syncRows(deps.store).pause(connection, deps.clock.now()))) throw new Superseded();
}
