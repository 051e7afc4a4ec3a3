// Verifies the signature and the claims of a user token. Functions load this file on demand, because
// most calls come with an API key. Such a file has its own copy of every class, so it returns what is
// wrong and throws no failure.
import { errors, jwtVerify } from 'jose';
import * as z from 'zod';
import { Environment } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { Maker } from '../system/maker.ts';
import { createPublicKeyCache, signingAlgorithm } from './signing-keys.ts';
import { tokenAudience, tokenIssuer } from './token-issuer.ts';

/** `epoch` is the user's `sharingEpoch`; `maker` is missing for a token that an API key issued. */
const Claims = z.object({
  sub: z.string(),
  acc: z.string(),
  env: Environment,
  epoch: z.number(),
  maker: Maker.omit({ account: true }).optional(),
});
export type UserTokenClaims = z.infer<typeof Claims>;

export type JwtVerification = { claims: UserTokenClaims } | { problem: 'expired' | 'invalid'; cause: unknown };

export function createJwtVerifier(deps: Deps) {
  const publicKey = createPublicKeyCache(deps);
  return async (token: string): Promise<JwtVerification> => {
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
          issuer: tokenIssuer(deps),
          audience: tokenAudience,
          currentDate: new Date(deps.clock.now()),
          requiredClaims: ['exp', 'iat'],
        },
      );
      return { claims: Claims.parse(payload) };
    } catch (cause) {
      if (cause instanceof errors.JWTExpired) return { problem: 'expired', cause };
      if (cause instanceof errors.JOSEError || cause instanceof z.ZodError) return { problem: 'invalid', cause };
      throw cause;
    }
  };
}
