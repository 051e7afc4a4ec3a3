// A user's app, with a token its backend issued: it reads that one user.
import { type UserTokenCaller, userTokenAdmission } from '../../../shared/accounts/admit-user-token.ts';
import { userTokenVerifier } from '../../../shared/accounts/tokens.ts';
import { bearerFailures, bearerShowing, bearerToken } from '../../../shared/http/bearer.ts';
import type { CallerKind } from '../../../shared/http/caller-kind.ts';

const looksLikeJwt = (token: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(token);

export const userToken: CallerKind<UserTokenCaller> = {
  name: 'user_token',
  securityScheme: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'A user token: reads one user for one hour.',
  },
  ...bearerShowing,
  failures: [...bearerFailures, 'wrong_user', 'sharing_revoked'],
  elsewhere: "A user token can only read its own user's data. Use an API key.",
  otherUser: 'This user token was issued for a different user.',
  open: (deps) => {
    const verify = userTokenVerifier(deps);
    const { admit, lastSeen } = userTokenAdmission(deps);
    return async (request) => {
      const token = bearerToken(request);
      if (token === undefined || !looksLikeJwt(token)) return undefined;
      const claims = await verify(token);
      return { userId: claims.sub, admit: () => admit(claims), lastSeen: () => lastSeen(claims) };
    };
  },
};
