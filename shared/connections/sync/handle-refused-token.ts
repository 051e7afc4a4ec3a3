// Handles a token that the provider refuses. The refusal is trusted after enough repetitions, and
// not for very many users at once. Only then is the device disconnected; its data stays.

import { userEvent } from '../../events/new-event.ts';
import { commitConditionally } from '../../system/store.ts';
import { deviceRows } from '../../users/device-rows.ts';
import { addJitter } from '../client/sync-backoff.ts';
import { Superseded } from '../client/sync-errors.ts';
import { connectionLogFields, connectionRows } from '../connection-rows.ts';
import { endedConsentRows } from './ended-consent-rows.ts';
import { type RunResult, type SyncContext, type SyncState, withPlan } from './sync-state.ts';

const minuteMs = 60_000;
const doubtPauseMs = 60 * minuteMs;

/** Returns undefined when the device was disconnected. */
export async function handleRefusedToken(
  context: SyncContext,
  state: SyncState,
  isReportedEnded: boolean,
): Promise<RunResult | undefined> {
  const { deps, adapter, configured } = context;
  const { provider, env } = state.connection;
  const { minReports, minMinutesApart: minutesApart } = adapter.descriptor.invalidTokenPolicy;
  const now = deps.clock.now();
  const apartMs = minutesApart * minuteMs;
  const before = state.plan.tokenRefusals ?? { count: 0, lastMs: 0 };
  const isCounted = before.count === 0 || now - before.lastMs >= apartMs;
  const refusals = isCounted ? { count: before.count + 1, lastMs: now } : before;
  if ((refusals.count >= minReports || isReportedEnded) && (await isConfirmed(context))) {
    if (await endedConsentRows(deps.store).countIfBelow(provider, env, now, configured.disconnectsPerHour))
      return disconnect(context, state);
    // The provider, or this deployment, may be wrong about all of these users, and only a user can
    // restore a consent that was dropped.
    deps.log('error', 'too_many_consents_ended', {
      ...connectionLogFields(state.connection),
      max_per_hour: configured.disconnectsPerHour,
    });
    const notBeforeMs = now + addJitter(doubtPauseMs, deps.random.bytes(2));
    return { after: withPlan(state, { tokenRefusals: refusals, notBeforeMs }), state: 'waiting' };
  }
  deps.log('warn', 'token_refused', { ...connectionLogFields(state.connection), refusals: refusals.count });
  const tokenRefusals = refusals.count >= minReports ? { count: minReports - 1, lastMs: now } : refusals;
  return { after: withPlan(state, { tokenRefusals, notBeforeMs: tokenRefusals.lastMs + apartMs }), state: 'waiting' };
}

async function isConfirmed({ adapter, tokens, client }: SyncContext): Promise<boolean> {
  const { confirmTokenInvalid } = adapter.grant;
  return confirmTokenInvalid ? client.withoutToken(confirmTokenInvalid(await tokens.latest())) : true;
}

/**
 * Ends the device and the connection and records the event in one transaction. Fails when the
 * connection has received other tokens.
 */
async function disconnect({ deps, tokens }: SyncContext, state: SyncState): Promise<undefined> {
  const { user, device, connection } = state;
  const isEnded = await commitConditionally(deps.store, [
    deviceRows(deps.store).buildDisconnect(user.id, device.id, 'consent_ended'),
    ...connectionRows(deps.store).buildEnd({ ...connection, grant: tokens.sealed() }),
    userEvent(deps, 'device.disconnected', user, { deviceId: device.id }),
  ]);
  if (!isEnded) throw new Superseded();
  deps.log('warn', 'consent_ended', connectionLogFields(state.connection));
  return undefined;
}
