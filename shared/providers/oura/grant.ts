// Oura's consent: refresh tokens work once, and a dead one is told in two ways.
import type { GrantRules } from '../kit/grant.ts';
import { judgeRefresh, oauthError, standardGrant } from '../kit/standard-grant.ts';
import { isOk, Unexpected, type VendorRequest } from '../kit/vendor.ts';
import { oura } from './descriptor.ts';

const standard = standardGrant(oura);
const revokeUrl = `${oura.apiUrl}/oauth/revoke`;
const over = [400, 401, 403, 404];

export const ouraGrant: GrantRules = {
  ...standard,
  refresh: standard.refresh && {
    ...standard.refresh,
    judge: (reply, held) =>
      reply.status === 400 && oauthError(reply) === 'invalid_request' ? 'dead' : judgeRefresh(reply, held),
  },
  *revoke({ grant }) {
    const request = (method: 'POST' | 'GET'): VendorRequest => ({
      method,
      url: revokeUrl,
      query: { access_token: grant.accessToken },
    });
    const posted = yield request('POST');
    // Its documentation shows the address and not the verb.
    const reply = posted.status === 405 ? yield request('GET') : posted;
    if (!isOk(reply) && !over.includes(reply.status)) throw new Unexpected('Oura revocation', reply);
  },
};
