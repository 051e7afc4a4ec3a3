// Consent has come: the device, its tokens, whose account it is and the event go in together, and whatever it replaces steps back.

import { userEvent } from '../../events/new-event.ts';
import { optimisticRetry } from '../../platform/optimistic-retry.ts';
import type { Write } from '../../platform/ports.ts';
import { providers } from '../../providers/catalog.ts';
import type { Linked } from '../../providers/kit/grant.ts';
import type { Deps } from '../../system/deps.ts';
import { wake } from '../../system/wake.ts';
import { deviceRows } from '../../users/device-rows.ts';
import { seedRows } from '../../users/seed-rows.ts';
import { stateRows } from '../../users/state-rows.ts';
import { type Subject, subjectOf } from '../../users/subject.ts';
import { userRows } from '../../users/user-rows.ts';
import { tokenVault } from '../client/token-vault.ts';
import { type ConnectionRow, connectionRows, grantContext } from '../connection-rows.ts';
import { revocationRows } from '../revocation-rows.ts';
import { wakeConnection } from '../wake-connection.ts';

/** False when the user, or the device, is gone. */
export async function activate(deps: Deps, exchanging: ConnectionRow, linked: Linked): Promise<boolean> {
  const { user: userId, device: deviceId } = exchanging;
  const { account: vendorAccount, ...grant } = linked;
  const sealed = await tokenVault(deps, exchanging.env).seal(JSON.stringify(grant), grantContext(exchanging));
  const activated = await optimisticRetry({ what: 'a device', retries: 20 }, async () => {
    const subject = await subjectOf(deps, userId);
    const device = subject?.devices.find(({ id, status }) => id === deviceId && status === 'pending');
    if (!subject || !device) return false;
    const now = deps.clock.now();
    const { user, state } = subject;
    const row = {
      ...exchanging,
      vendorAccount,
      grant: sealed,
      grantExpiresMs: grant.expiresMs,
      scopes: grant.scopes === null ? null : [...grant.scopes],
      connectedMs: now,
    };
    await deps.store.commit([
      userRows(deps.store).stillActive(userId),
      stateRows(deps.store).takingOrdinal(userId, state),
      deviceRows(deps.store).connecting(userId, device, state.nextOrdinal, now),
      ...connectionRows(deps.store).holding(row),
      userEvent(deps, 'device.connected', user, { deviceId }),
      ...(await replacing(deps, subject, row, now)),
      ...(row.env === 'sandbox' ? await feedingSandbox(deps, user.id, now) : []),
    ]);
    return true;
  });
  if (activated) await wakeConnection(deps, userId, deviceId);
  // Of a vendor that may not be asked nothing comes before it sends something.
  const mayBeAsked = providers[exchanging.provider].sync.silentMinutes !== null;
  if (activated && exchanging.env === 'sandbox' && !mayBeAsked) await wake(deps, 'seed', { user_id: userId });
  return activated;
}

/** The sandbox's vendor sends by itself what a real one would. Live users are not fed. */
const feedingSandbox = async (deps: Deps, userId: string, nowMs: number): Promise<Write[]> =>
  (await seedRows(deps.store).of(userId)) ? [seedRows(deps.store).waking(userId, nowMs)] : [];

/** The provider's earlier devices keep what they brought. A consent for the same account is not given back: it may be the very one that just came. */
async function replacing(deps: Deps, { user, devices }: Subject, next: ConnectionRow, nowMs: number): Promise<Write[]> {
  const writes: Write[] = [];
  for (const { id, provider, connection, status } of devices) {
    if (provider !== next.provider || connection !== 'cloud' || status !== 'active') continue;
    const held = await connectionRows(deps.store).of(user.id, id);
    const isSame = held?.vendorAccount === next.vendorAccount;
    writes.push(
      deviceRows(deps.store).disconnecting(user.id, id, 'replaced'),
      userEvent(deps, 'device.disconnected', user, { deviceId: id }),
      ...(held?.status === 'active' && !isSame ? revocationRows(deps.store).replacing(held, nowMs) : []),
      ...(held && isSame ? connectionRows(deps.store).ending(held) : []),
    );
  }
  return writes;
}
