// The signed tokens that a backend issues so that its users' apps can read their data.
import { SignJWT } from 'jose';
import { formatTimestamp } from '../platform/time/time.ts';
import type { Caller } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { madeCredentialRows } from '../system/made-credential-rows.ts';
import { commitWhileShared } from '../users/commit-while-shared.ts';
import { getAuthorizedUser } from '../users/users.ts';
import type { TokenResponse } from './issued-token.ts';
import { createSigningKeyCache, signingAlgorithm } from './signing-keys.ts';
import { tokenAudience, tokenIssuer, userTokenLifetimeMs } from './token-issuer.ts';

export function createUserTokenIssuer(deps: Deps) {
  const signingKey = createSigningKeyCache(deps);
  return async (caller: Caller, userId: string): Promise<TokenResponse> => {
    const user = await getAuthorizedUser(deps, caller, userId);
    const { kid, key } = await signingKey();
    const issuedSeconds = Math.floor(deps.clock.now() / 1000);
    const expiresSeconds = issuedSeconds + userTokenLifetimeMs / 1000;
    const makerWrites = madeCredentialRows(deps.store).buildForCaller(caller, {
      kind: 'user_token',
      id: Buffer.from(deps.random.bytes(12)).toString('base64url'),
      user: user.id,
      env: caller.env,
      expiresMs: expiresSeconds * 1000,
    });
    // A backend issues tokens for every start of an app, and pays for no write.
    if (makerWrites.length > 0) await commitWhileShared(deps, user, [], makerWrites);
    const { account: acc, env, maker } = caller;
    const makerClaim = maker && { maker: { colleague: maker.colleague, epoch: maker.epoch } };
    const token = await new SignJWT({ acc, env, epoch: user.sharingEpoch, ...makerClaim })
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
