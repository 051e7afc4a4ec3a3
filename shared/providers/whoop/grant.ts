// WHOOP's consent: a refresh has to ask for `offline` again, or it is the last one.
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
      // The answer may name no more than was asked for here; what the person allowed stays allowed.
      return typeof verdict === 'string' ? verdict : { ...verdict, scopes: context.grant.scopes ?? verdict.scopes };
    },
  },
};
