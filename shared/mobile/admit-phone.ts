// Admits a phone. Each session has its own rate limit bucket, so that one runaway phone does not
// slow down others. A suspended plan does not stop uploads.

import { allowedScopes } from '../catalog/mobile-scopes.ts';
import { sdkSessionRateLimit as policy } from '../platform/rate-limit.ts';
import { type AdmittedCaller, RateLimited, unknownAccessTokenAdvice, unknownToken } from '../system/admission.ts';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import { isAccessToken, readSdkToken, type SdkTokenClaims } from './credentials.ts';
import type { SdkCaller } from './sdk-caller.ts';
import { sdkSessionRows } from './sdk-session-rows.ts';

/**
 * Returns undefined for text that does not look like an access token. Reads nothing from the table.
 */
export function parseAccessToken(deps: Deps, token: string): SdkTokenClaims | undefined {
  if (!isAccessToken(token)) return undefined;
  const claims = readSdkToken(deps, 'access', token);
  if (!claims) throw unknownToken(unknownAccessTokenAdvice);
  if (claims.expiresMs <= deps.clock.now())
    throw new Failure('token_expired', 'The access token has expired. Refresh it and try again.');
  return claims;
}

/** `isEnding`: the request ends the session, so an empty bucket does not refuse it. */
export async function admitPhone(
  deps: Deps,
  { user, session: id, nonceOrSeq }: SdkTokenClaims,
  { isEnding = false } = {},
): Promise<AdmittedCaller<SdkCaller>> {
  const pair = Number(nonceOrSeq);
  const admission = await sdkSessionRows(deps.store).admit(user, id, pair);
  if (admission.outcome === 'unknown') throw unknownToken(unknownAccessTokenAdvice);
  const { session, nowMs } = admission;
  const bucket = { fullAtMs: session.fullAtMs, nowMs, policy };
  if (admission.outcome === 'limited') {
    if (!isEnding) throw new RateLimited(bucket);
    // A flood is refused without a look at the row, which may be gone.
    if (!(await sdkSessionRows(deps.store).isCurrent(user, id, pair))) throw unknownToken(unknownAccessTokenAdvice);
  }
  const { account, env, provider, sharingEpoch } = session;
  const scopes = allowedScopes(session.scopes);
  return {
    caller: { kind: 'sdk_session', account, env, form: 2, userId: user, sessionId: id, provider, scopes, sharingEpoch },
    suspended: false,
    bucket,
  };
}
