// Lists and ends the SDK sessions of a user.

import { optimisticRetry } from '../platform/optimistic-retry.ts';
import { formatTimestamp } from '../platform/time/time.ts';
import type { Caller } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import { madeCredentialRows } from '../system/made-credential-rows.ts';
import type { DeviceGuard } from '../users/devices.ts';
import { assertShared, isSharedSince } from '../users/sharing.ts';
import { type UserRow, userRows } from '../users/user-rows.ts';
import { getAuthorizedUserIncludingUnshared } from '../users/users.ts';
import { buildCredentials } from './credentials.ts';
import type { SdkCaller } from './sdk-caller.ts';
import { type SdkCredentials, type SdkSession, SdkSessionId } from './sdk-session.ts';
import { type SdkSessionRow, sdkSessionRows, toMadeCredential } from './sdk-session-rows.ts';

export const invalidToken = (): Failure =>
  new Failure('invalid_token', 'The token is malformed, already used or revoked. Open a new SDK session.');

export async function listSessions(deps: Deps, caller: Caller, userId: string): Promise<SdkSession[]> {
  const user = await getAuthorizedUserIncludingUnshared(deps, caller, userId);
  const sessions = await sdkSessionRows(deps.store).listByUser(user.id);
  return sessions.filter(({ sharingEpoch }) => sharingEpoch === user.sharingEpoch).map(presentSession);
}

export async function revokeSession(deps: Deps, caller: Caller, userId: string, sessionId: string): Promise<void> {
  const user = await getAuthorizedUserIncludingUnshared(deps, caller, userId);
  const wellFormed = SdkSessionId.safeParse(sessionId).success;
  if (!wellFormed || !(await endSession(deps, user.id, sessionId.toLowerCase())))
    throw new Failure('not_found', `SDK session ${sessionId.slice(0, 64)} not found.`);
}

export async function revokeOwnSession(deps: Deps, caller: SdkCaller): Promise<void> {
  await requireActiveUser(deps, caller.userId);
  await endSession(deps, caller.userId, caller.sessionId);
}

/**
 * The credentials of a user that was deleted or does not share are invalid at once, although their
 * rows are erased later or stay.
 */
export async function requireActiveUser(deps: Deps, userId: string): Promise<UserRow> {
  const user = await userRows(deps.store).findById(userId);
  if (user?.status !== 'active') throw invalidToken();
  return user;
}

/** Builds the newest pair of a session. A session from before the user stopped sharing has none. */
export function buildCredentialsInEpoch(deps: Deps, sharingEpoch: number, row: SdkSessionRow): SdkCredentials {
  if (row.sharingEpoch !== sharingEpoch) throw invalidToken();
  return buildCredentials(deps, row);
}

/** Checks that a phone may upload. The error tells the phone if sharing was revoked. */
export async function assertUploadsAllowed(deps: Deps, { userId, sharingEpoch }: SdkCaller): Promise<void> {
  const user = await userRows(deps.store).findById(userId);
  if (user) assertShared(user);
  if (!user || !isSharedSince(user, sharingEpoch)) throw invalidToken();
}

/** Returns false when there was no session to end. */
export async function endSession(deps: Deps, userId: string, sessionId: string): Promise<boolean> {
  return optimisticRetry({ what: 'an SDK session', retries: 5 }, async () => {
    const row = await sdkSessionRows(deps.store).findById(userId, sessionId);
    if (!row) return false;
    await deps.store.commit(sdkSessionRows(deps.store).buildRemove(row));
    return true;
  });
}

/** Ends the session unless it was recovered by somebody else since. */
export async function endSessionOf(deps: Deps, colleague: string, userId: string, sessionId: string): Promise<boolean> {
  return optimisticRetry({ what: 'an SDK session', retries: 5 }, async () => {
    const row = await sdkSessionRows(deps.store).findById(userId, sessionId);
    if (row?.maker?.colleague !== colleague) return false;
    await deps.store.commit(sdkSessionRows(deps.store).buildRemove(row));
    return true;
  });
}

/** The session lasts longer now, so it must be found for longer when its maker's access ends. */
export const extendMadeCredential = async (deps: Deps, row: SdkSessionRow): Promise<void> => {
  if (row.maker) await madeCredentialRows(deps.store).extend(row.maker, toMadeCredential(row), row.endsMs);
};

const presentSession = (row: SdkSessionRow): SdkSession => ({
  id: row.id,
  status: row.status,
  app_id: row.appId,
  installation_id: row.installationId,
  platform: row.platform,
  provider: row.provider,
  created_at: formatTimestamp(row.createdMs),
  last_seen_at: row.lastSeenMs === null ? null : formatTimestamp(row.lastSeenMs),
});

/**
 * A disconnect ends the session first, so an upload that is in progress does not bring the device
 * back.
 */
export const deviceGuard = (
  { store }: Deps,
  { userId, sessionId, sharingEpoch }: Pick<SdkCaller, 'userId' | 'sessionId' | 'sharingEpoch'>,
): DeviceGuard => ({
  sharingEpoch,
  isOpen: async () => (await sdkSessionRows(store).findById(userId, sessionId)) !== undefined,
  condition: sdkSessionRows(store).buildOpenCheck(userId, sessionId),
});
