// A phone turns its single-use token into credentials: a client token takes up the session it was made for, a mobile token opens one.

import { optimisticRetry } from '../platform/optimistic-retry.ts';
import type { Deps } from '../system/deps.ts';
import { isSharedSince } from '../users/sharing.ts';
import { userRows } from '../users/user-rows.ts';
import { credentialsOf, readSdkToken, refreshLifeMs } from './credentials.ts';
import { mobileTokenHash, mobileTokenPrefix } from './mobile-token.ts';
import { type MobileTokenRow, mobileTokenRows } from './mobile-token-rows.ts';
import { newSession } from './open-session.ts';
import type { SdkCredentials, SdkExchangeRequest } from './sdk-session.ts';
import { type SdkSessionRow, sdkSessionRows } from './sdk-session-rows.ts';
import { credentialsIn, deadToken, mustHaveUser } from './sessions.ts';

export async function exchangeToken(deps: Deps, asked: SdkExchangeRequest): Promise<SdkCredentials> {
  return asked.client_token.startsWith(mobileTokenPrefix)
    ? credentialsOf(deps, await openedWithMobileToken(deps, asked))
    : takenUp(deps, asked.client_token);
}

async function takenUp(deps: Deps, token: string): Promise<SdkCredentials> {
  const claims = readSdkToken(deps, 'client', token);
  const now = deps.clock.now();
  if (typeof claims?.mark !== 'string' || claims.expiresMs <= now) throw deadToken();
  const { sharingEpoch } = await mustHaveUser(deps, claims.user);
  const { user, session, mark } = claims;
  const row = await sdkSessionRows(deps.store).takeUp(user, session, mark, now, now + refreshLifeMs);
  if (!row) throw deadToken();
  return credentialsIn(deps, sharingEpoch, row);
}

/** The token ends in the transaction that opens the session: used up and nothing opened cannot happen. */
async function openedWithMobileToken(deps: Deps, asked: SdkExchangeRequest): Promise<SdkSessionRow> {
  const hash = mobileTokenHash(deps, asked.client_token);
  return optimisticRetry({ what: 'an SDK session', retries: 10 }, async () => {
    const token = await mobileTokenRows(deps.store).byHash(hash);
    if (!token || token.expiresMs <= deps.clock.now()) throw deadToken();
    if (!isSharedSince(await mustHaveUser(deps, token.user), token.sharingEpoch)) throw deadToken();
    const { row, writes } = await sessionFor(deps, token, asked);
    await deps.store.commit([
      ...mobileTokenRows(deps.store).redeeming(token),
      userRows(deps.store).stillActive(token.user),
      ...writes,
    ]);
    return row;
  });
}

async function sessionFor(deps: Deps, token: MobileTokenRow, asked: SdkExchangeRequest) {
  const now = deps.clock.now();
  const provider = asked.provider ?? (asked.platform === 'android' ? 'health_connect' : 'apple_health');
  const known =
    asked.installation_id === undefined
      ? undefined
      : await sdkSessionRows(deps.store).ofInstallation(token.user, asked.installation_id, provider);
  const before = known === undefined ? undefined : await sdkSessionRows(deps.store).byId(token.user, known);
  const base = before ?? newSession(deps, { ...token, id: token.user });
  const row: SdkSessionRow = {
    ...base,
    status: 'active',
    appId: asked.app_id ?? base.appId,
    installationId: base.installationId ?? asked.installation_id ?? null,
    platform: asked.platform ?? base.platform,
    provider,
    scopes: token.scopes,
    lastSeenMs: now,
    clientNonce: null,
    refreshSeq: base.refreshSeq + 1,
    validFrom: base.refreshSeq + 1,
    rotatedMs: now,
    graceUsed: true,
    endsMs: now + refreshLifeMs,
    changedBy: null,
    sharingEpoch: token.sharingEpoch,
  };
  const writes = before
    ? [sdkSessionRows(deps.store).restarting(before, row)]
    : sdkSessionRows(deps.store).inserting(row, known);
  return { row, writes };
}
