// Oura's consent: a refresh token works once, and an invalid one is reported in two ways.
import type { GrantAdapter } from '../kit/grant.ts';
import { isOk, type ProviderRequest, UnexpectedResponse } from '../kit/request-flow.ts';
import { createStandardGrant, interpretRefresh, readOAuthError } from '../kit/standard-grant.ts';
import { oura } from './descriptor.ts';

const standardAdapter = createStandardGrant(oura);
const revokeUrl = `${oura.apiUrl}/oauth/revoke`;
const alreadyRevokedStatuses = [400, 401, 403, 404];

export const ouraGrant: GrantAdapter = {
  ...standardAdapter,
  refresh: standardAdapter.refresh && {
    ...standardAdapter.refresh,
    interpret: (response, context) =>
      response.status === 400 && readOAuthError(response) === 'invalid_request'
        ? 'dead'
        : interpretRefresh(response, context),
  },
  *revoke({ grant }) {
    const request = (method: 'POST' | 'GET'): ProviderRequest => ({
      method,
      url: revokeUrl,
      query: { access_token: grant.accessToken },
    });
    const postResponse = yield request('POST');
    // Oura documents the URL but not the method.
    const response = postResponse.status === 405 ? yield request('GET') : postResponse;
    if (!isOk(response) && !alreadyRevokedStatuses.includes(response.status))
      throw new UnexpectedResponse('Oura revocation', response);
  },
};
