// The signed tokens that a backend issues so that its users' apps can read their data.
import { errors, jwtVerify, SignJWT } from 'jose';
import * as z from 'zod';
import { formatTimestamp } from '../platform/time/time.ts';
import { unknownToken, unknownUserTokenAdvice } from '../system/admission.ts';
import { type Caller, Environment } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import { getAuthorizedUser } from '../users/users.ts';
import type { TokenResponse } from './issued-token.ts';
import { createPublicKeyCache, createSigningKeyCache, signingAlgorithm, userTokenLifetimeMs } from './signing-keys.ts';

const audience = 'daybook';

/** `epoch` is the user's `sharingEpoch`. */
const Claims = z.object({ sub: z.string(), acc: z.string(), env: Environment, epoch: z.number() });
export type UserTokenClaims = z.infer<typeof Claims>;

/** Identifies the deployment, so that a token of another deployment is never valid here. */
const issuer = (deps: Pick<Deps, 'keyring'>): string => `daybook:${deps.keyring.hash('issuer', '').slice(0, 22)}`;

export function createUserTokenIssuer(deps: Deps) {
  const signingKey = createSigningKeyCache(deps);
  return async (caller: Caller, userId: string): Promise<TokenResponse> => {
    const user = await getAuthorizedUser(deps, caller, userId);
    const { kid, key } = await signingKey();
    const issuedSeconds = Math.floor(deps.clock.now() / 1000);
    const expiresSeconds = issuedSeconds + userTokenLifetimeMs / 1000;
    const token = await new SignJWT({ acc: caller.account, env: caller.env, epoch: user.sharingEpoch })
      .setProtectedHeader({ alg: signingAlgorithm, kid, typ: 'JWT' })
      .setIssuer(issuer(deps))
      .setAudience(audience)
      .setSubject(user.id)
      .setIssuedAt(issuedSeconds)
      .setExpirationTime(expiresSeconds)
      .sign(key);
    return { token, user_id: user.id, expires_at: formatTimestamp(expiresSeconds * 1000) };
  };
}

export function createUserTokenVerifier(deps: Deps) {
  const publicKey = createPublicKeyCache(deps);
  return async (token: string): Promise<UserTokenClaims> => {
    try {
      const { payload } = await jwtVerify(
        token,
        async ({ kid }) => {
          const key = typeof kid === 'string' ? await publicKey(kid) : undefined;
          if (!key) throw new errors.JWKSNoMatchingKey();
          return key;
        },
        {
          algorithms: [signingAlgorithm],
          issuer: issuer(deps),
          audience,
          currentDate: new Date(deps.clock.now()),
          requiredClaims: ['sub', 'exp', 'iat'],
        },
      );
      return Claims.parse(payload);
    } catch (error) {
      if (error instanceof errors.JWTExpired)
        throw new Failure('token_expired', 'The user token has expired. Request a new one from your backend.');
      if (error instanceof errors.JOSEError || error instanceof z.ZodError)
        throw unknownToken(unknownUserTokenAdvice, error);
      throw error;
    }
  };
}
