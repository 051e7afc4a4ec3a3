// A phone exchanges its single-use token for credentials. A client token continues the session that
// it was created for; a mobile token opens one.

import { optimisticRetry } from '../platform/optimistic-retry.ts';
import type { Write } from '../platform/ports.ts';
import type { Deps } from '../system/deps.ts';
import { madeCredentialRows } from '../system/made-credential-rows.ts';
import { isSharedSince } from '../users/sharing.ts';
import { userRows } from '../users/user-rows.ts';
import { buildCountSession, maxSessionConflicts } from './count-session.ts';
import { buildCredentials, readSdkToken, refreshTokenLifetimeMs } from './credentials.ts';
import { buildMakeRoom } from './make-room-for-session.ts';
import { mobileTokenHash, mobileTokenPrefix } from './mobile-token.ts';
import { type MobileTokenRow, mobileTokenRows } from './mobile-token-rows.ts';
import { newSession } from './open-session.ts';
import type { SdkCredentials, SdkExchangeRequest } from './sdk-session.ts';
import { type SdkSessionRow, sdkSessionRows, toMadeCredential } from './sdk-session-rows.ts';
import { buildCredentialsInEpoch, extendMadeCredential, invalidToken, requireActiveUser } from './sdk-sessions.ts';

export async function exchangeToken(deps: Deps, request: SdkExchangeRequest): Promise<SdkCredentials> {
  return request.client_token.startsWith(mobileTokenPrefix)
    ? buildCredentials(deps, await openWithMobileToken(deps, request))
    : redeemClientToken(deps, request.client_token);
}

async function redeemClientToken(deps: Deps, token: string): Promise<SdkCredentials> {
  const claims = readSdkToken(deps, 'client', token);
  const now = deps.clock.now();
  if (typeof claims?.nonceOrSeq !== 'string' || claims.expiresMs <= now) throw invalidToken();
  const { sharingEpoch } = await requireActiveUser(deps, claims.user);
  const { user, session, nonceOrSeq } = claims;
  const row = await sdkSessionRows(deps.store).exchangeClientToken(
    user,
    session,
    nonceOrSeq,
    now,
    now + refreshTokenLifetimeMs,
  );
  if (!row) throw invalidToken();
  await extendMadeCredential(deps, row);
  return buildCredentialsInEpoch(deps, sharingEpoch, row);
}

/**
 * The token is used up in the transaction that opens the session, so it cannot be used up without
 * opening one.
 */
async function openWithMobileToken(deps: Deps, request: SdkExchangeRequest): Promise<SdkSessionRow> {
  const hash = mobileTokenHash(deps, request.client_token);
  return optimisticRetry({ what: 'an SDK session', retries: maxSessionConflicts }, async () => {
    const token = await mobileTokenRows(deps.store).findByHash(hash);
    if (!token || token.expiresMs <= deps.clock.now()) throw invalidToken();
    const user = await requireActiveUser(deps, token.user);
    if (!isSharedSince(user, token.sharingEpoch)) throw invalidToken();
    const { row, writes, created } = await prepareSession(deps, token, request);
    await deps.store.commit([
      ...mobileTokenRows(deps.store).buildRedeem(token),
      ...buildTransferToSession(deps, token, row),
      created ? buildCountSession(user) : userRows(deps.store).buildActiveCheck(user.id),
      ...writes,
    ]);
    return row;
  });
}

/** The maker of the token is the maker of the session, which ends with the maker's access. */
const buildTransferToSession = (deps: Deps, { maker, hash, user }: MobileTokenRow, session: SdkSessionRow): Write[] =>
  maker === null
    ? []
    : [
        ...madeCredentialRows(deps.store).buildRemove(maker, { kind: 'mobile_token', id: hash, user }),
        ...madeCredentialRows(deps.store).buildInsert(maker, toMadeCredential(session)),
      ];

async function prepareSession(deps: Deps, token: MobileTokenRow, request: SdkExchangeRequest) {
  const now = deps.clock.now();
  const provider = request.provider ?? (request.platform === 'android' ? 'health_connect' : 'apple_health');
  const known =
    request.installation_id === undefined
      ? undefined
      : await sdkSessionRows(deps.store).findByInstallation(token.user, request.installation_id, provider);
  const before = known === undefined ? undefined : await sdkSessionRows(deps.store).findById(token.user, known);
  const base = before ?? newSession(deps, { ...token, id: token.user });
  const row: SdkSessionRow = {
    ...base,
    status: 'active',
    appId: request.app_id ?? base.appId,
    installationId: base.installationId ?? request.installation_id ?? null,
    platform: request.platform ?? base.platform,
    provider,
    scopes: token.scopes,
    lastSeenMs: now,
    clientNonce: null,
    refreshSeq: base.refreshSeq + 1,
    validFrom: base.refreshSeq + 1,
    rotatedMs: now,
    graceUsed: true,
    endsMs: now + refreshTokenLifetimeMs,
    changedBy: null,
    sharingEpoch: token.sharingEpoch,
    maker: token.maker,
  };
  const writes = before
    ? sdkSessionRows(deps.store).buildRestart(before, row)
    : [...sdkSessionRows(deps.store).buildInsert(row, known), ...(await buildMakeRoom(deps, row))];
  return { row, writes, created: before === undefined };
}
