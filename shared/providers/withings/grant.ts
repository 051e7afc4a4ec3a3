// Consent at Withings: responses are wrapped, a bad code or refresh token is status 503 inside a
// 200, and a revocation takes a signed request.
import { createHmac } from 'node:crypto';
import { type GrantAdapter, GrantRefused, type RefreshOutcome } from '../kit/grant.ts';
import type { ProviderCredentials, ProviderRequest } from '../kit/request-flow.ts';
import {
  buildTokenRequest,
  codeExchangeFields,
  createStandardGrant,
  parseGrant,
  readField,
} from '../kit/standard-grant.ts';
import { withings } from './descriptor.ts';
import {
  classifyWithingsResponse,
  isUnauthenticated,
  parseWithingsEnvelope,
  toWithingsError,
  type WithingsEnvelope,
} from './envelope.ts';

const apiUrl = withings.apiUrl;
const badParametersStatus = 503;

const mentionsClient = ({ error }: WithingsEnvelope): boolean => /client|consumer/i.test(error ?? '');
const mentionsRefreshToken = ({ error }: WithingsEnvelope): boolean => /refresh.?token/i.test(error ?? '');

/** Signs the values in this order with our secret. */
const sign = ({ clientSecret }: ProviderCredentials, ...values: string[]): string =>
  createHmac('sha256', clientSecret).update(values.join(',')).digest('hex');

function buildNonceRequest(credentials: ProviderCredentials, nowMs: number): ProviderRequest {
  const timestamp = String(Math.floor(nowMs / 1000));
  const { clientId } = credentials;
  return {
    method: 'POST',
    url: `${apiUrl}/v2/signature`,
    form: {
      action: 'getnonce',
      client_id: clientId,
      timestamp,
      signature: sign(credentials, 'getnonce', clientId, timestamp),
    },
  };
}

function buildRevokeRequest(credentials: ProviderCredentials, nonce: string, account: string): ProviderRequest {
  const { clientId } = credentials;
  return {
    method: 'POST',
    url: `${apiUrl}/v2/oauth2`,
    form: {
      action: 'revoke',
      client_id: clientId,
      nonce,
      signature: sign(credentials, 'revoke', clientId, nonce),
      userid: account,
    },
  };
}

export const withingsGrant: GrantAdapter = {
  ...createStandardGrant(withings),
  classifyResponse: classifyWithingsResponse,
  *exchange(requested) {
    const response = yield buildTokenRequest(
      withings,
      withings.oauth.tokenUrl,
      { ...codeExchangeFields(requested), redirect_uri: requested.redirectUri },
      requested.credentials,
    );
    const envelope = parseWithingsEnvelope(response);
    if (!envelope || classifyWithingsResponse(response) === 'too_many' || classifyWithingsResponse(response) === 'away')
      throw toWithingsError('token', response);
    const grant = envelope.status === 0 ? parseGrant(envelope.body, requested) : undefined;
    const account = readField(envelope.body, 'userid');
    if (grant && account !== undefined) return { ...grant, account };
    if (envelope.status === 0)
      throw new GrantRefused('code_refused', 'Withings did not report which account was linked.');
    if (mentionsClient(envelope))
      throw new GrantRefused('not_configured', "Withings does not accept this service's credentials.");
    throw new GrantRefused(
      'code_refused',
      'Withings did not accept the authorization. It is valid for only 30 seconds.',
    );
  },
  refresh: {
    buildRequest: ({ credentials, grant }) =>
      buildTokenRequest(
        withings,
        withings.oauth.tokenUrl,
        { grant_type: 'refresh_token', refresh_token: grant.refreshToken ?? '' },
        credentials,
      ),
    interpret(response, { nowMs, grant }): RefreshOutcome {
      const envelope = parseWithingsEnvelope(response);
      if (!envelope) return 'unclear';
      if (envelope.status === 0) return parseGrant(envelope.body, { nowMs, before: grant }) ?? 'unclear';
      if (mentionsClient(envelope)) return 'ours';
      return envelope.status === badParametersStatus || mentionsRefreshToken(envelope) ? 'dead' : 'unclear';
    },
    readAccount: (response) => readField(parseWithingsEnvelope(response)?.body, 'userid'),
  },
  *revoke({ credentials, account, nowMs }) {
    const nonceResponse = yield buildNonceRequest(credentials, nowMs);
    const envelope = parseWithingsEnvelope(nonceResponse);
    const nonce = envelope?.status === 0 ? readField(envelope.body, 'nonce') : undefined;
    if (nonce === undefined) throw toWithingsError('nonce', nonceResponse);
    const response = yield buildRevokeRequest(credentials, nonce, account);
    const revokeEnvelope = parseWithingsEnvelope(response);
    // If Withings denies access, there is nothing left to revoke.
    if (revokeEnvelope && (revokeEnvelope.status === 0 || isUnauthenticated(revokeEnvelope))) return;
    throw toWithingsError('revocation', response);
  },
};
