// Starts a connection: creates a pending device and a single-use link to the provider's consent
// page.

import { type CloudProviderId, cloudProviderIds, providerIds, sdkProviderIds } from '../../catalog/provider.ts';
import { findNearestName } from '../../platform/nearest-name.ts';
import { optimisticRetry } from '../../platform/optimistic-retry.ts';
import { toShownName } from '../../platform/shown-name.ts';
import { formatTimestamp } from '../../platform/time/time.ts';
import { providerDescriptors } from '../../providers/catalog.ts';
import { getProviderLabel } from '../../providers/provider-label.ts';
import type { LinkingCaller } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import { Failure } from '../../system/failure.ts';
import type { Maker } from '../../system/maker.ts';
import { newId } from '../../system/new-id.ts';
import { getAuthorizedUserContext } from '../../users/authorized-user.ts';
import { commitWhileShared } from '../../users/commit-while-shared.ts';
import { type DeviceRow, deviceRows } from '../../users/device-rows.ts';
import { maxDevices } from '../../users/device-states.ts';
import { devicesWithData } from '../../users/user-context.ts';
import { type UserRow, userRows } from '../../users/user-rows.ts';
import { findAvailableProviders } from '../client/provider-availability.ts';
import { type ConnectRequest, connectMinutes, type PendingDevice } from '../connection.ts';
import { connectionRows } from '../connection-rows.ts';
import { type ConnectState, newNonce, newVerifier, nonceHash, sealState, sealVerifier } from './connect-state.ts';

const minuteMs = 60_000;
/**
 * Pending devices per provider. There can be several tabs, but no more, because every read of the
 * user includes them.
 */
const maxPendingPerProvider = 3;

export interface ConnectionRequest {
  provider: CloudProviderId;
  redirectUrl: string | null;
  /** A page of this service to return to. */
  returnTo: string | null;
  /** The origin at which this deployment was reached. */
  origin: string;
  /**
   * The API key or the colleague that the request came from, or that made the connect link that it
   * came from. The pending connection ends when any of them ends.
   */
  keyHash: string | null;
  maker: Maker | null;
  link: string | null;
  /** How far back the history goes, if not as far as usual with the provider. */
  historyDays?: number | null;
}

/** The pending connection, and its secrets, which leave this process only in sealed form. */
export interface StartedConnection {
  pending: PendingDevice;
  state: ConnectState;
  verifier: string;
}

export async function connectDevice(
  deps: Deps,
  caller: LinkingCaller,
  userId: string,
  { provider, redirect_url }: ConnectRequest,
  origin: string,
): Promise<PendingDevice> {
  const { user, devices } = await getAuthorizedUserContext(deps, caller, userId);
  const { keyHash, maker = null } = caller;
  const request = { redirectUrl: redirect_url ?? null, returnTo: null, origin, keyHash, maker, link: null };
  return (await beginConnection(deps, user, devices, { provider: parseConnectableProvider(provider), ...request }))
    .pending;
}

export function parseConnectableProvider(provider: string): CloudProviderId {
  const cloud = cloudProviderIds.find((id) => id === provider);
  if (cloud) return cloud;
  const sdk = sdkProviderIds.some((id) => id === provider);
  throw new Failure(
    'unconnectable_provider',
    sdk
      ? `${provider} is connected through the Mobile SDK. Open a session with POST /v1/users/{id}/sdk-sessions.`
      : `Unknown provider \`${toShownName(provider)}\`. ${adviseProvider(provider)}`,
  );
}

function adviseProvider(input: string): string {
  const lower = input.toLowerCase();
  for (const id of cloudProviderIds) {
    const { deviceBrand } = providerDescriptors[id];
    if (deviceBrand?.toLowerCase() === lower) return `${deviceBrand} devices connect through \`${id}\`.`;
  }
  // Without this, every name with the word `health` would be near another company's.
  const candidates = providerIds.filter((id) => id.charAt(0) === lower.charAt(0));
  const nearest = findNearestName(input, candidates);
  return `${nearest === undefined ? '' : `Did you mean \`${nearest}\`? `}GET /v1/providers?connection=all lists those that users can connect.`;
}

export const unavailableProvider = (provider: CloudProviderId): Failure =>
  new Failure(
    'unconnectable_provider',
    `${getProviderLabel(provider)} is not available in this deployment. GET /v1/providers lists the available providers; /docs/providers/${provider} explains how to set it up.`,
  );

export async function beginConnection(
  deps: Deps,
  user: UserRow,
  devices: readonly DeviceRow[],
  { provider, redirectUrl, returnTo, origin, keyHash, maker, link, historyDays = null }: ConnectionRequest,
): Promise<StartedConnection> {
  const { id: userId, account, env, sharingEpoch } = user;
  if (!(await findAvailableProviders(deps, env)).has(provider)) throw unavailableProvider(provider);
  if (devicesWithData(devices).length >= maxDevices)
    throw new Failure(
      'limit_reached',
      `This user already has the maximum of ${maxDevices} devices. Disconnect one first.`,
      {
        details: { limit: maxDevices },
      },
    );
  const now = deps.clock.now();
  const device = newDevice(deps, provider);
  const state = { user: userId, device: device.id, nonce: newNonce(deps) };
  const verifier = newVerifier(deps);
  const expiresMs = now + connectMinutes * minuteMs;
  await evictOldestPending(deps, userId, devices, provider);
  await commitWhileShared(deps, user, [
    deviceRows(deps.store).buildInsert(userId, device),
    connectionRows(deps.store).buildAwaitConsent({
      ...{ user: userId, device: device.id, account, env, provider, origin, status: 'pending' },
      pendingConsent: {
        nonceHash: nonceHash(deps, state.nonce),
        verifier: sealVerifier(deps, verifier, device.id),
        ...{ redirectUrl, returnTo, expiresMs, keyHash, maker, link, sharingEpoch },
      },
      ...{ providerAccount: null, grant: null, grantExpiresMs: null, scopes: null, connectedMs: null, historyDays },
    }),
  ]);
  const auth_url = `${origin}/connect/${sealState(deps, state)}`;
  const pending = {
    id: device.id,
    provider,
    status: 'pending',
    auth_url,
    expires_at: formatTimestamp(expiresMs),
  } as const;
  return { pending, state, verifier };
}

const newDevice = (deps: Deps, provider: CloudProviderId): DeviceRow => ({
  id: newId(deps, 'device'),
  ordinal: -1,
  provider,
  connection: 'cloud',
  deviceType: providerDescriptors[provider].deviceType,
  model: providerDescriptors[provider].name,
  name: null,
  status: 'pending',
  connectedMs: null,
  lastSyncMs: null,
  lastBatch: null,
  receivedMs: 0,
  error: null,
  sync: null,
  stages: false,
});

/**
 * Removes the oldest devices that are pending or have failed. Their links then report that they are
 * unknown.
 */
async function evictOldestPending(
  deps: Deps,
  userId: string,
  devices: readonly DeviceRow[],
  provider: CloudProviderId,
): Promise<void> {
  const pendingDevices = devices
    .filter((each) => each.provider === provider && (each.status === 'pending' || each.status === 'failed'))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const { id } of pendingDevices.slice(0, Math.max(0, pendingDevices.length - maxPendingPerProvider + 1)))
    await forgetPendingDevice(deps, userId, id);
}

/** Removes a device that was never connected, together with its link. */
export async function forgetPendingDevice(deps: Deps, userId: string, deviceId: string): Promise<void> {
  await optimisticRetry({ what: 'a device', retries: 5 }, async () => {
    const head = await userRows(deps.store).readHead(userId);
    const device = deviceRows(deps.store)
      .parseHead(head?.rest ?? [])
      .find(({ id }) => id === deviceId);
    if (device?.status !== 'pending' && device?.status !== 'failed') return;
    const connection = await connectionRows(deps.store).find(userId, deviceId);
    // The code is just being exchanged, so the device is no longer waiting for consent.
    if (connection?.status === 'exchanging') return;
    await deps.store.commit([
      deviceRows(deps.store).buildForget(userId, device),
      ...(connection ? connectionRows(deps.store).buildEnd(connection) : []),
    ]);
  });
}
