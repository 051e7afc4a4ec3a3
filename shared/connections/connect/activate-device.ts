// Activates a device after consent: the device, its tokens, its provider account and the event are
// written in one transaction, which also ends the devices that it replaces.

import { userEvent } from '../../events/new-event.ts';
import { optimisticRetry } from '../../platform/optimistic-retry.ts';
import type { Write } from '../../platform/ports.ts';
import type { LinkedGrant } from '../../providers/kit/grant.ts';
import type { Deps } from '../../system/deps.ts';
import { wakeWorker } from '../../system/wake-worker.ts';
import { deviceRows } from '../../users/device-rows.ts';
import { seedRows } from '../../users/seed-rows.ts';
import { stateRows } from '../../users/state-rows.ts';
import { readUserContext, type UserContext } from '../../users/user-context.ts';
import { userRows } from '../../users/user-rows.ts';
import { getTokenVault } from '../client/get-token-vault.ts';
import { type ConnectionRow, connectionRows, grantContext } from '../connection-rows.ts';
import { revocationRows } from '../revocation-rows.ts';
import { wakeConnection } from '../wake-connection.ts';

/** Returns false when the user or the device is gone. */
export async function activateDevice(
  deps: Deps,
  pendingConnection: ConnectionRow,
  linked: LinkedGrant,
): Promise<boolean> {
  const { user: userId, device: deviceId } = pendingConnection;
  const { account: providerAccount, ...grant } = linked;
  const sealed = await getTokenVault(deps, pendingConnection.env).seal(
    JSON.stringify(grant),
    grantContext(pendingConnection),
  );
  const isActivated = await optimisticRetry({ what: 'a device', retries: 20 }, async () => {
    const userContext = await readUserContext(deps, userId);
    const device = userContext?.devices.find(({ id, status }) => id === deviceId && status === 'pending');
    if (!userContext || !device) return false;
    const now = deps.clock.now();
    const { user, state } = userContext;
    const row = {
      ...pendingConnection,
      providerAccount,
      grant: sealed,
      grantExpiresMs: grant.expiresMs,
      scopes: grant.scopes === null ? null : [...grant.scopes],
      connectedMs: now,
    };
    await deps.store.commit([
      userRows(deps.store).buildActiveCheck(userId),
      stateRows(deps.store).buildTakeOrdinal(userId, state),
      deviceRows(deps.store).buildConnect(userId, device, state.nextOrdinal, now),
      ...connectionRows(deps.store).buildActivate(row),
      userEvent(deps, 'device.connected', user, { deviceId }),
      ...(await buildReplacementWrites(deps, userContext, row, now)),
      ...(row.env === 'sandbox' ? await buildSandboxFeedWrites(deps, user.id, now) : []),
    ]);
    return true;
  });
  if (isActivated) await wakeConnection(deps, userId, deviceId);
  if (isActivated && pendingConnection.env === 'sandbox') await wakeWorker(deps, 'seed', { user_id: userId });
  return isActivated;
}

/**
 * In the sandbox, the simulated provider pushes data on its own, as a real one would. Live users
 * have no such feed.
 */
const buildSandboxFeedWrites = async (deps: Deps, userId: string, nowMs: number): Promise<Write[]> =>
  (await seedRows(deps.store).find(userId)) ? [seedRows(deps.store).buildWake(userId, nowMs)] : [];

/**
 * Earlier devices of the same provider keep their data. Nobody has disconnected them, so there is
 * no event beside `device.connected` of the new one. A consent for the same provider account is
 * not revoked, because it may be the one that was just given.
 */
async function buildReplacementWrites(
  deps: Deps,
  { user, devices }: UserContext,
  next: ConnectionRow,
  nowMs: number,
): Promise<Write[]> {
  const writes: Write[] = [];
  for (const { id, provider, connection, status } of devices) {
    if (provider !== next.provider || connection !== 'cloud' || status !== 'active') continue;
    const existing = await connectionRows(deps.store).find(user.id, id);
    const isSame = existing?.providerAccount === next.providerAccount;
    writes.push(
      deviceRows(deps.store).buildDisconnect(user.id, id, 'replaced'),
      ...(existing?.status === 'active' && !isSame
        ? revocationRows(deps.store).buildReplaceConnection(existing, nowMs)
        : []),
      ...(existing && isSame ? connectionRows(deps.store).buildEnd(existing) : []),
    );
  }
  return writes;
}
