// Asks a device's provider for new data now, as a push would. Requests are cooled down per
// connection, so that a button pressed often does not use up the provider's rate limit.
import { formatTimestamp } from '../../platform/time/time.ts';
import { providerDescriptors } from '../../providers/catalog.ts';
import type { Caller } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import { Failure } from '../../system/failure.ts';
import { getAuthorizedUserContext } from '../../users/authorized-user.ts';
import type { DeviceRow } from '../../users/device-rows.ts';
import { canBePolled } from '../client/sync-backoff.ts';
import { type SyncRequest, syncCooldownMinutes } from '../connection.ts';
import { syncRows } from '../sync-rows.ts';
import { wakeConnection } from '../wake-connection.ts';

const cooldownMs = syncCooldownMinutes * 60_000;

export async function requestSync(deps: Deps, caller: Caller, userId: string, deviceId: string): Promise<SyncRequest> {
  const { user, devices } = await getAuthorizedUserContext(deps, caller, userId);
  const device = devices.find(({ id }) => id === deviceId);
  if (!device || device.status === 'removing')
    throw new Failure('not_found', `Device ${deviceId.slice(0, 64)} not found.`);
  assertCanBeAsked(device);
  const nowMs = deps.clock.now();
  const outcome = await syncRows(deps.store).recordRequest({ user: user.id, device: device.id }, nowMs, cooldownMs);
  if (outcome === false) throw cannotSync('disconnected');
  if (typeof outcome === 'object')
    return { accepted: false, next_at: formatTimestamp(outcome.requestedMs + cooldownMs) };
  // With a full inbox, the newest days are among those that are about to be read.
  await wakeConnection(deps, user.id, device.id);
  return { accepted: true, next_at: formatTimestamp(nowMs + cooldownMs) };
}

function assertCanBeAsked({ provider, status }: DeviceRow): void {
  const descriptor = providerDescriptors[provider];
  if (descriptor.connection === 'sdk') throw cannotSync('uploads_itself');
  if (status === 'pending' || status === 'failed' || status === 'disconnected' || status === 'replaced')
    throw cannotSync(status);
  if (!canBePolled(descriptor)) throw cannotSync('push_only');
}

const cannotSyncTexts = {
  uploads_itself: 'A phone uploads its data itself and cannot be asked for it. Open the app on the phone.',
  pending: 'The device is waiting for consent. It syncs by itself as soon as the user has given it.',
  failed: 'The device could not be linked. Connect it again.',
  disconnected: 'The device is disconnected. Connect it again.',
  replaced: 'A newer connection has replaced the device. Sync the newer device.',
  push_only: 'This provider sends its data itself and does not allow requests for it. Sync the wearable with its app.',
} as const;

const cannotSync = (reason: keyof typeof cannotSyncTexts): Failure =>
  new Failure('sync_not_possible', cannotSyncTexts[reason], { details: { reason } });
