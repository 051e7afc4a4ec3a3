// Suunto's OAuth: the access token contains the account, and every data request also carries the
// deployment's subscription key.
import { type GrantAdapter, GrantRefused } from '../kit/grant.ts';
import { isOk, UnexpectedResponse } from '../kit/request-flow.ts';
import { createStandardGrant, decodeClaims, exchangeCode, readField, withBearerToken } from '../kit/standard-grant.ts';
import { suunto, suuntoDeauthorizeUrl } from './descriptor.ts';

/** If Suunto denies access, there is nothing left to revoke. */
const isAlreadyRevoked = (status: number): boolean => [400, 401, 403, 404].includes(status);

export const suuntoGrant: GrantAdapter = {
  ...createStandardGrant(suunto),
  *exchange(requested) {
    const { grant, json } = yield* exchangeCode(suunto, requested);
    const account = readField(decodeClaims(grant.accessToken), 'user') ?? readField(json, 'user');
    if (account === undefined)
      throw new GrantRefused('code_refused', 'Suunto did not report which account was linked.');
    return { ...grant, account };
  },
  *revoke(context) {
    const query = { client_id: context.credentials.clientId };
    const response = yield withBearerToken({ method: 'GET', url: suuntoDeauthorizeUrl, query }, context);
    if (!isOk(response) && !isAlreadyRevoked(response.status))
      throw new UnexpectedResponse('Suunto revocation', response);
  },
  authorizeRequest(request, context) {
    const authorized = withBearerToken(request, context);
    return {
      ...authorized,
      headers: {
        ...authorized.headers,
        'ocp-apim-subscription-key': context.credentials.more['subscription_key'] ?? '',
      },
    };
  },
};
