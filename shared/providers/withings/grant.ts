// Consent at Withings: replies are wrapped, a bad code or refresh token is status 503 inside a 200, and giving consent back takes a signed request.
import { createHmac } from 'node:crypto';
import { GrantRefused, type GrantRules, type RefreshVerdict } from '../kit/grant.ts';
import { codeFields, fieldIn, grantIn, standardGrant, tokenRequest } from '../kit/standard-grant.ts';
import type { ProviderCredentials, VendorRequest } from '../kit/vendor.ts';
import { withings } from './descriptor.ts';
import {
  isUnauthenticated,
  type WithingsEnvelope,
  withingsEnvelope,
  withingsMeaning,
  withingsUnexpected,
} from './reply.ts';

const apiUrl = withings.apiUrl;
const badParameters = 503;

const namesClient = ({ error }: WithingsEnvelope): boolean => /client|consumer/i.test(error ?? '');
const namesRefreshToken = ({ error }: WithingsEnvelope): boolean => /refresh.?token/i.test(error ?? '');

/** Over the values in this order, with our secret. */
const signature = ({ clientSecret }: ProviderCredentials, ...values: string[]): string =>
  createHmac('sha256', clientSecret).update(values.join(',')).digest('hex');

function nonceRequest(credentials: ProviderCredentials, nowMs: number): VendorRequest {
  const timestamp = String(Math.floor(nowMs / 1000));
  const { clientId } = credentials;
  return {
    method: 'POST',
    url: `${apiUrl}/v2/signature`,
    form: {
      action: 'getnonce',
      client_id: clientId,
      timestamp,
      signature: signature(credentials, 'getnonce', clientId, timestamp),
    },
  };
}

function revokeRequest(credentials: ProviderCredentials, nonce: string, account: string): VendorRequest {
  const { clientId } = credentials;
  return {
    method: 'POST',
    url: `${apiUrl}/v2/oauth2`,
    form: {
      action: 'revoke',
      client_id: clientId,
      nonce,
      signature: signature(credentials, 'revoke', clientId, nonce),
      userid: account,
    },
  };
}

export const withingsGrant: GrantRules = {
  ...standardGrant(withings),
  meaning: withingsMeaning,
  *exchange(asked) {
    const reply = yield tokenRequest(
      withings,
      withings.oauth.tokenUrl,
      { ...codeFields(asked), redirect_uri: asked.redirectUri },
      asked.credentials,
    );
    const envelope = withingsEnvelope(reply);
    if (!envelope || withingsMeaning(reply) === 'too_many' || withingsMeaning(reply) === 'away')
      throw withingsUnexpected('token', reply);
    const grant = envelope.status === 0 ? grantIn(envelope.body, asked) : undefined;
    const account = fieldIn(envelope.body, 'userid');
    if (grant && account !== undefined) return { ...grant, account };
    if (envelope.status === 0) throw new GrantRefused('code_refused', 'Withings did not say whose account was linked.');
    if (namesClient(envelope))
      throw new GrantRefused('not_configured', "Withings does not accept this service's credentials.");
    throw new GrantRefused('code_refused', 'Withings did not accept the confirmation. It is good for 30 seconds only.');
  },
  refresh: {
    ask: ({ credentials, grant }) =>
      tokenRequest(
        withings,
        withings.oauth.tokenUrl,
        { grant_type: 'refresh_token', refresh_token: grant.refreshToken ?? '' },
        credentials,
      ),
    judge(reply, { nowMs, grant }): RefreshVerdict {
      const envelope = withingsEnvelope(reply);
      if (!envelope) return 'unclear';
      if (envelope.status === 0) return grantIn(envelope.body, { nowMs, before: grant }) ?? 'unclear';
      if (namesClient(envelope)) return 'ours';
      return envelope.status === badParameters || namesRefreshToken(envelope) ? 'dead' : 'unclear';
    },
    accountIn: (reply) => fieldIn(withingsEnvelope(reply)?.body, 'userid'),
  },
  *revoke({ credentials, account, nowMs }) {
    const offered = yield nonceRequest(credentials, nowMs);
    const envelope = withingsEnvelope(offered);
    const nonce = envelope?.status === 0 ? fieldIn(envelope.body, 'nonce') : undefined;
    if (nonce === undefined) throw withingsUnexpected('nonce', offered);
    const reply = yield revokeRequest(credentials, nonce, account);
    const answer = withingsEnvelope(reply);
    // Whoever is not let in has nothing left to take back.
    if (answer && (answer.status === 0 || isUnauthenticated(answer))) return;
    throw withingsUnexpected('revocation', reply);
  },
};
