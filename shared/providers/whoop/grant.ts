// WHOOP's consent: a refresh has to request `offline` again, or no further refresh is possible.
import type { GrantAdapter } from '../kit/grant.ts';
import { buildTokenRequest, createStandardGrant, interpretRefresh } from '../kit/standard-grant.ts';
import { whoop } from './descriptor.ts';

export const whoopGrant: GrantAdapter = {
  ...createStandardGrant(whoop),
  refresh: {
    buildRequest: ({ credentials, grant }) =>
      buildTokenRequest(
        whoop,
        whoop.oauth.tokenUrl,
        { grant_type: 'refresh_token', refresh_token: grant.refreshToken ?? '', scope: 'offline' },
        credentials,
      ),
    interpret(response, context) {
      const verdict = interpretRefresh(response, context);
      // The response may name only the scope that was requested here. The scopes that the user
      // granted remain.
      return typeof verdict === 'string' ? verdict : { ...verdict, scopes: context.grant.scopes ?? verdict.scopes };
    },
  },
};
