// Suunto's OAuth: the account is named inside the access token, and every data call shows the deployment's subscription too.
import { GrantRefused, type GrantRules } from '../kit/grant.ts';
import { bearer, claimsOf, exchangeCode, fieldIn, standardGrant } from '../kit/standard-grant.ts';
import { isOk, Unexpected } from '../kit/vendor.ts';
import { suunto, suuntoDeauthorizeUrl } from './descriptor.ts';

/** Whoever is not let in has nothing left to take back. */
const hasEnded = (status: number): boolean => [400, 401, 403, 404].includes(status);

export const suuntoGrant: GrantRules = {
  ...standardGrant(suunto),
  *exchange(asked) {
    const { grant, json } = yield* exchangeCode(suunto, asked);
    const account = fieldIn(claimsOf(grant.accessToken), 'user') ?? fieldIn(json, 'user');
    if (account === undefined) throw new GrantRefused('code_refused', 'Suunto did not say whose account was linked.');
    return { ...grant, account };
  },
  *revoke(held) {
    const query = { client_id: held.credentials.clientId };
    const reply = yield bearer({ method: 'GET', url: suuntoDeauthorizeUrl, query }, held);
    if (!isOk(reply) && !hasEnded(reply.status)) throw new Unexpected('Suunto revocation', reply);
  },
  authorized(request, held) {
    const shown = bearer(request, held);
    return {
      ...shown,
      headers: { ...shown.headers, 'ocp-apim-subscription-key': held.credentials.more['subscription_key'] ?? '' },
    };
  },
};
