// Polar's consent: tokens that cannot be renewed, and persons who have to be registered before their data is served.
import { type CodeExchange, GrantRefused, type GrantRules, type Linked } from '../kit/grant.ts';
import { bearer, exchangeCode, fieldIn, standardGrant } from '../kit/standard-grant.ts';
import { isOk, type Talk, Unexpected } from '../kit/vendor.ts';
import { polar } from './descriptor.ts';

function* exchange(asked: CodeExchange): Talk<Linked> {
  const { grant, json } = yield* exchangeCode(polar, asked);
  const account = fieldIn(json, 'x_user_id');
  if (!account) throw new GrantRefused('code_refused', 'Polar did not say whose account was linked.');
  // With the account: whoever links another one later is another member.
  const member = { 'member-id': `${asked.externalId}-${account}` };
  const reply = yield bearer({ method: 'POST', url: `${polar.apiUrl}/users`, json: member }, { grant });
  if (reply.status === 403)
    throw new GrantRefused(
      'scopes_missing',
      "Polar asks for its mandatory consents first. Give them in Polar Flow's settings, then connect again.",
    );
  // 409: registered before.
  if (!isOk(reply) && reply.status !== 409) throw new Unexpected('Polar registration', reply);
  return { ...grant, refreshToken: null, account };
}

export const polarGrant: GrantRules = { ...standardGrant(polar), exchange, refresh: null };
