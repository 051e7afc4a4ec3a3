// Verifies user tokens, and says what is wrong with one that is not valid.
import { unknownToken, unknownUserTokenAdvice } from '../system/admission.ts';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import type { createJwtVerifier, UserTokenClaims } from './verify-jwt.ts';

export function createUserTokenVerifier(deps: Deps) {
  let verifier: ReturnType<typeof createJwtVerifier> | undefined;
  return async (token: string): Promise<UserTokenClaims> => {
    verifier ??= (await import('./verify-jwt.ts')).createJwtVerifier(deps);
    const result = await verifier(token);
    if ('claims' in result) return result.claims;
    if (result.problem === 'invalid') throw unknownToken(unknownUserTokenAdvice, result.cause);
    throw new Failure('token_expired', 'The user token has expired. Request a new one from your backend.');
  };
}
