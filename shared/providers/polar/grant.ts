// Polar's consent: tokens that cannot be renewed, and persons who have to be registered before their data is served.
import { type CodeExchange, type GrantAdapter, GrantRefused, type LinkedGrant } from '../kit/grant.ts';
import { isOk, type RequestFlow, UnexpectedResponse } from '../kit/request-flow.ts';
import { createStandardGrant, exchangeCode, readField, withBearerToken } from '../kit/standard-grant.ts';
import { polar } from './descriptor.ts';

function* exchange(requested: CodeExchange): RequestFlow<LinkedGrant> {
  const { grant, json } = yield* exchangeCode(polar, requested);
  const account = readField(json, 'x_user_id');
  if (!account) throw new GrantRefused('code_refused', 'Polar did not say whose account was linked.');
  // With the account: whoever links another one later is another member.
  const member = { 'member-id': `${requested.externalId}-${account}` };
  const response = yield withBearerToken({ method: 'POST', url: `${polar.apiUrl}/users`, json: member }, { grant });
  if (response.status === 403)
    throw new GrantRefused(
      'scopes_missing',
      "Polar asks for its mandatory consents first. Give them in Polar Flow's settings, then connect again.",
    );
  // 409: registered before.
  if (!isOk(response) && response.status !== 409) throw new UnexpectedResponse('Polar registration', response);
  return { ...grant, refreshToken: null, account };
}

export const polarGrant: GrantAdapter = { ...createStandardGrant(polar), exchange, refresh: null };
