// The provider refuses a token: it is believed when it has done so often enough, and not for very many people at once. Only then the device is disconnected; what it brought stays.

import { userEvent } from '../../events/new-event.ts';
import { conditionalCommit } from '../../system/store.ts';
import { deviceRows } from '../../users/device-rows.ts';
import { spread } from '../client/sync-backoff.ts';
import { Superseded } from '../client/sync-errors.ts';
import { connectionRows } from '../connection-rows.ts';
import { endedConsentRows } from './ended-consent-rows.ts';
import { about, type Ended, type SyncContext, type SyncState, withPlan } from './sync-state.ts';

const minuteMs = 60_000;
const doubtMs = 60 * minuteMs;

/** Undefined when the device was disconnected. */
export async function handleRefusedToken(
  context: SyncContext,
  state: SyncState,
  saidEnded: boolean,
): Promise<Ended | undefined> {
  const { deps, adapter, configured } = context;
  const { provider, env } = state.connection;
  const { times, minutesApart } = adapter.descriptor.dead;
  const now = deps.clock.now();
  const apartMs = minutesApart * minuteMs;
  const before = state.plan.dead ?? { times: 0, lastMs: 0 };
  const counts = before.times === 0 || now - before.lastMs >= apartMs;
  const said = counts ? { times: before.times + 1, lastMs: now } : before;
  if ((said.times >= times || saidEnded) && (await isConfirmed(context))) {
    if (await endedConsentRows(deps.store).count(provider, env, now, configured.disconnectsPerHour))
      return disconnect(context, state);
    // The provider may be wrong about all of them, or we are, and a consent that was let go comes back by the person only.
    deps.log('error', 'too_many_consents_ended', { ...about(state), max: configured.disconnectsPerHour });
    const notBeforeMs = now + spread(doubtMs, deps.random.bytes(2));
    return { after: withPlan(state, { dead: said, notBeforeMs }), state: 'waiting' };
  }
  deps.log('warn', 'token_refused', { ...about(state), times: said.times });
  const dead = said.times >= times ? { times: times - 1, lastMs: now } : said;
  return { after: withPlan(state, { dead, notBeforeMs: dead.lastMs + apartMs }), state: 'waiting' };
}

async function isConfirmed({ adapter, tokens, line }: SyncContext): Promise<boolean> {
  const { confirmDead } = adapter.grant;
  return confirmDead ? line.plainly(confirmDead(await tokens.holding())) : true;
}

/** The device, the connection and the event in one transaction; refused where the connection has got other tokens. */
async function disconnect({ deps, tokens }: SyncContext, state: SyncState): Promise<undefined> {
  const { user, device, connection } = state;
  const isEnded = await conditionalCommit(deps.store, [
    deviceRows(deps.store).disconnecting(user.id, device.id, 'consent_ended'),
    ...connectionRows(deps.store).ending({ ...connection, grant: tokens.sealed() }),
    userEvent(deps, 'device.disconnected', user, { deviceId: device.id }),
  ]);
  if (!isEnded) throw new Superseded();
  deps.log('warn', 'consent_ended', about(state));
  return undefined;
}
