// Polar's consent: tokens cannot be refreshed, and a user has to be registered before Polar serves
// their data.
import { type CodeExchange, type GrantAdapter, GrantRefused, type LinkedGrant } from '../kit/grant.ts';
import { isOk, type RequestFlow, UnexpectedResponse } from '../kit/request-flow.ts';
import { createStandardGrant, exchangeCode, readField, withBearerToken } from '../kit/standard-grant.ts';
import { polar } from './descriptor.ts';

function* exchange(requested: CodeExchange): RequestFlow<LinkedGrant> {
  const { grant, json } = yield* exchangeCode(polar, requested);
  const account = readField(json, 'x_user_id');
  if (!account) throw new GrantRefused('code_refused', 'Polar did not report which account was linked.');
  // The account is part of the member id, because a user who links another account later is another
  // member.
  const member = { 'member-id': `${requested.externalId}-${account}` };
  const response = yield withBearerToken({ method: 'POST', url: `${polar.apiUrl}/users`, json: member }, { grant });
  if (response.status === 403)
    throw new GrantRefused(
      'scopes_missing',
      'Polar requires its mandatory consents first. Give them in the settings of Polar Flow, then connect again.',
    );
  // 409: the user is registered already.
  if (!isOk(response) && response.status !== 409) throw new UnexpectedResponse('Polar registration', response);
  return { ...grant, refreshToken: null, account };
}

export const polarGrant: GrantAdapter = { ...createStandardGrant(polar), exchange, refresh: null };
