// WHOOP's consent: a refresh has to ask for `offline` again, or it is the last one.
import type { GrantRules } from '../kit/grant.ts';
import { judgeRefresh, standardGrant, tokenRequest } from '../kit/standard-grant.ts';
import { whoop } from './descriptor.ts';

export const whoopGrant: GrantRules = {
  ...standardGrant(whoop),
  refresh: {
    ask: ({ credentials, grant }) =>
      tokenRequest(
        whoop,
        whoop.oauth.tokenUrl,
        { grant_type: 'refresh_token', refresh_token: grant.refreshToken ?? '', scope: 'offline' },
        credentials,
      ),
    judge(reply, held) {
      const verdict = judgeRefresh(reply, held);
      // The answer may name no more than was asked for here; what the person allowed stays allowed.
      return typeof verdict === 'string' ? verdict : { ...verdict, scopes: held.grant.scopes ?? verdict.scopes };
    },
  },
};
