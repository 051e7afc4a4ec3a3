// The signed tokens that a backend issues so that its users' apps can read their data.
import { SignJWT } from 'jose';
import { formatTimestamp } from '../platform/time/time.ts';
import type { Caller } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { getAuthorizedUser } from '../users/users.ts';
import type { TokenResponse } from './issued-token.ts';
import { createSigningKeyCache, signingAlgorithm, userTokenLifetimeMs } from './signing-keys.ts';
import { tokenAudience, tokenIssuer } from './token-issuer.ts';

export function createUserTokenIssuer(deps: Deps) {
  const signingKey = createSigningKeyCache(deps);
  return async (caller: Caller, userId: string): Promise<TokenResponse> => {
    const user = await getAuthorizedUser(deps, caller, userId);
    const { kid, key } = await signingKey();
    const issuedSeconds = Math.floor(deps.clock.now() / 1000);
    const expiresSeconds = issuedSeconds + userTokenLifetimeMs / 1000;
    const token = await new SignJWT({ acc: caller.account, env: caller.env, epoch: user.sharingEpoch })
      .setProtectedHeader({ alg: signingAlgorithm, kid, typ: 'JWT' })
      .setIssuer(tokenIssuer(deps))
      .setAudience(tokenAudience)
      .setSubject(user.id)
      .setIssuedAt(issuedSeconds)
      .setExpirationTime(expiresSeconds)
      .sign(key);
    return { token, user_id: user.id, expires_at: formatTimestamp(expiresSeconds * 1000) };
  };
}
