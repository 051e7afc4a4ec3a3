// The user token caller: a user's app that reads that user's data with a token issued by its
// backend.
import { createUserTokenAdmission, type UserTokenCaller } from '../../../shared/accounts/admit-user-token.ts';
import { createUserTokenVerifier } from '../../../shared/accounts/user-token-verifier.ts';
import { bearerCredential, bearerFailures, parseBearerToken } from '../../../shared/http/bearer.ts';
import type { CallerKind } from '../../../shared/http/caller-kind.ts';
import { unknownTokenText, unknownUserTokenAdvice } from '../../../shared/system/admission.ts';

const looksLikeJwt = (token: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(token);

export const userToken: CallerKind<UserTokenCaller> = {
  name: 'user_token',
  securityScheme: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: "A user token. It reads one user's data and is valid for one hour.",
  },
  ...bearerCredential,
  unknownMessage: `${unknownTokenText} ${unknownUserTokenAdvice}`,
  failures: [...bearerFailures, 'wrong_user', 'sharing_revoked'],
  wrongEndpointMessage: "A user token can only read its own user's data. Use an API key.",
  otherUserMessage: 'This user token was issued for a different user.',
  createRecognizer: (deps) => {
    const verify = createUserTokenVerifier(deps);
    const { admit, findCachedCaller } = createUserTokenAdmission(deps);
    return async (request) => {
      const token = parseBearerToken(request);
      if (token === undefined || !looksLikeJwt(token)) return undefined;
      const claims = await verify(token);
      return { userId: claims.sub, admit: () => admit(claims), findCachedCaller: () => findCachedCaller(claims) };
    };
  },
};
