// The simulated provider. It imitates each real provider at its URLs and in its formats, with
// simulated users or data written by a test.
import { createHash } from 'node:crypto';
import type { CloudProviderId } from '../../catalog/provider.ts';
import type { SimulatedFailure } from '../../catalog/sandbox.ts';
import { providerDescriptors } from '../../providers/catalog.ts';
import type { ProviderCredentials, ProviderResponse } from '../../providers/kit/request-flow.ts';
import {
  type IssuedTokens,
  type ItemSource,
  jsonProviderResponse,
  type ProviderSimulator,
} from '../simulated-providers/simulator.ts';
import { getSimulatedFailure } from './account.ts';
import { buildAllowedUrl, parseAuthorizationRequest, type SandboxAuthorizationRequest } from './consent.ts';
import {
  constantTimeEqual,
  hasClientCredentials,
  matchesUrl,
  type ProviderCall,
  parseProviderCall,
  type RawCall,
  readToken,
} from './provider-call.ts';
import { respondToRevocation } from './revocation.ts';
import { accessTokenLifetimeSeconds, createProviderTokens, type SealedToken, type TokenDeps } from './tokens.ts';

export interface SimulatedProviderDeps extends TokenDeps {
  credentials(provider: CloudProviderId): ProviderCredentials;
  getSimulator(provider: CloudProviderId): ProviderSimulator;
  createItemSource(provider: CloudProviderId, account: string): ItemSource;
}

export interface SimulatedProvider {
  handle(call: RawCall): Promise<ProviderResponse>;
  /** The parsed consent request, or a string that says why it is refused. */
  parseConsent(
    provider: CloudProviderId,
    query: Readonly<Record<string, string>>,
  ): SandboxAuthorizationRequest | string;
  /** The URL that a user is redirected to after allowing access for this account. */
  buildAllowedUrl(authorizationRequest: SandboxAuthorizationRequest, account: string): string;
  /** Issues a code without a consent page. It is bound to the PKCE challenge. */
  issueCode(provider: CloudProviderId, account: string, challenge: string): string;
  /** The account that a token belongs to, even if the token has expired. */
  accountOf(provider: CloudProviderId, token: string): string | undefined;
}

export function createSimulatedProvider(deps: SimulatedProviderDeps): SimulatedProvider {
  const tokens = createProviderTokens(deps);

  async function handle(raw: RawCall): Promise<ProviderResponse> {
    const call = parseProviderCall(raw);
    if (!call) return notFoundResponse;
    const simulator = deps.getSimulator(call.provider);
    const { oauth } = providerDescriptors[call.provider];
    const isForToken =
      matchesUrl(call, oauth.tokenUrl) || (oauth.refreshUrl !== undefined && matchesUrl(call, oauth.refreshUrl));
    if (isForToken && call.method === 'POST' && mergeFields(call)['grant_type'])
      return respondWithGrant(call, simulator);
    const revocationResponse = await respondToRevocation(call, tokens, deps.credentials(call.provider));
    return revocationResponse ?? respondWithData(call, simulator);
  }

  async function respondWithGrant(call: ProviderCall, simulator: ProviderSimulator): Promise<ProviderResponse> {
    const { provider } = call;
    if (!hasClientCredentials(call, deps.credentials(provider)))
      return jsonProviderResponse({ error: 'invalid_client' }, 401);
    const fields = mergeFields(call);
    const invalidGrant = () =>
      simulator.renderInvalidGrant?.() ?? jsonProviderResponse({ error: 'invalid_grant' }, 400);
    if (fields['grant_type'] === 'authorization_code') {
      const code = await tokens.spend(provider, 'code', fields['code']);
      if (!code || !isCodeValidFor(code, fields)) return invalidGrant();
      return respondWithTokens(simulator, provider, code, { ...tokens.issue(provider, code), isFirst: true });
    }
    if (fields['grant_type'] !== 'refresh_token') return jsonProviderResponse({ error: 'unsupported_grant_type' }, 400);
    const rotates = providerDescriptors[provider].oauth.refreshTokenRotates;
    const refresh = await tokens[rotates ? 'spend' : 'open'](provider, 'refresh', fields['refresh_token']);
    if (!refresh || getSimulatedFailure(refresh.account) === 'consent_ended') return invalidGrant();
    const issued = tokens.issue(provider, refresh);
    const returnedTokens = rotates ? issued : { ...issued, refreshToken: fields['refresh_token'] ?? '' };
    return respondWithTokens(simulator, provider, refresh, { ...returnedTokens, isFirst: false });
  }

  function respondWithTokens(
    simulator: ProviderSimulator,
    provider: CloudProviderId,
    { account, scopes }: SealedToken,
    tokenPair: Pick<IssuedTokens, 'accessToken' | 'refreshToken' | 'isFirst'>,
  ): ProviderResponse {
    const issued = {
      ...tokenPair,
      expiresInSeconds: accessTokenLifetimeSeconds(provider),
      account: deps.toProviderAccount(provider, account),
      scopes,
    };
    return simulator.renderTokens?.(issued) ?? standardTokenResponse(provider, issued);
  }

  async function respondWithData(call: ProviderCall, simulator: ProviderSimulator): Promise<ProviderResponse> {
    const { provider, method, host, path, query, form, json } = call;
    const token = await tokens.open(provider, 'access', readToken(call));
    const failure = token && findFailure(token, deps.clock.now());
    if (failure === 'unavailable') return jsonProviderResponse({ error: 'service_unavailable' }, 503);
    if (failure === 'rate_limited') return jsonProviderResponse({ error: 'too_many_requests' }, 429);
    if (failure === 'consent_ended') return respondToInvalidToken(call, simulator);
    // Subscriptions belong to the application, not to a user.
    if (!token && !hasClientCredentials(call, deps.credentials(provider)))
      return respondToInvalidToken(call, simulator);
    const account = token ? deps.toProviderAccount(provider, token.account) : '';
    const items: ItemSource = token ? deps.createItemSource(provider, token.account) : () => [];
    const request = { method, host, path, query, form, json, account, nowMs: deps.clock.now() };
    return simulator.respond(request, items) ?? notFoundResponse;
  }

  return {
    handle,
    parseConsent: (provider, query) => parseAuthorizationRequest(provider, query, deps.credentials(provider).clientId),
    buildAllowedUrl: (authorizationRequest, account) => buildAllowedUrl(tokens, authorizationRequest, account),
    issueCode: (provider, account, challenge) =>
      tokens.code(provider, { account, scopes: [...providerDescriptors[provider].scopes], challenge }),
    accountOf: (provider, token) => tokens.contents(provider, token)?.account,
  };
}

/** The first data arrives before a failure begins. */
const failureDelayMs = 60_000;

const findFailure = ({ account, issuedMs }: SealedToken, nowMs: number): SimulatedFailure | undefined =>
  nowMs - issuedMs < failureDelayMs ? undefined : getSimulatedFailure(account);

const respondToInvalidToken = ({ path }: ProviderCall, simulator: ProviderSimulator): ProviderResponse =>
  simulator.renderInvalidAccessToken?.(path) ?? jsonProviderResponse({ error: 'invalid_token' }, 401);

const notFoundResponse = jsonProviderResponse({ error: 'not_found' }, 404);

/** The clients of one provider send them in the query. */
const mergeFields = ({ query, form }: ProviderCall): Readonly<Record<string, string>> => ({ ...query, ...form });

/**
 * Binds a code as an authorization server does: to the redirect URI and to the PKCE challenge. A
 * verifier without a challenge means that the challenge was stripped.
 */
function isCodeValidFor({ redirectUri, challenge }: SealedToken, fields: Readonly<Record<string, string>>): boolean {
  const sentRedirectUri = fields['redirect_uri'] ?? redirectUri;
  if (redirectUri !== undefined && sentRedirectUri !== redirectUri) return false;
  if (challenge === undefined) return fields['code_verifier'] === undefined;
  return constantTimeEqual(
    createHash('sha256')
      .update(fields['code_verifier'] ?? '')
      .digest('base64url'),
    challenge,
  );
}

const standardTokenResponse = (provider: CloudProviderId, issued: IssuedTokens): ProviderResponse =>
  jsonProviderResponse({
    token_type: 'bearer',
    access_token: issued.accessToken,
    refresh_token: issued.refreshToken,
    expires_in: issued.expiresInSeconds,
    ...(issued.scopes.length === 0
      ? {}
      : { scope: issued.scopes.join(providerDescriptors[provider].oauth.scopeSeparator) }),
  });
