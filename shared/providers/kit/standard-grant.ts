// OAuth 2 as most providers implement it, created from a descriptor. A provider that differs
// spreads this grant and overrides parts of it.
import * as z from 'zod';
import type { CloudDescriptor } from './descriptor.ts';
import {
  type CodeExchange,
  type Grant,
  type GrantAdapter,
  type GrantContext,
  GrantRefused,
  type RefreshOutcome,
} from './grant.ts';
import {
  basicAuthHeader,
  isOk,
  type ProviderCredentials,
  type ProviderRequest,
  type ProviderResponse,
  parseResponseJson,
  type RequestFlow,
  UnexpectedResponse,
} from './request-flow.ts';

/** Characters that are valid in a header. */
const Token = z
  .string()
  .max(16_384)
  .regex(/^[\x21-\x7e]+$/);

const TokenResponse = z.looseObject({
  access_token: Token,
  refresh_token: Token.nullish(),
  expires_in: z.coerce.number().nullish(),
  scope: z.string().nullish(),
});

/** No token lives longer. Providers may send any number. */
const maxLifetimeSeconds = 10 * 365 * 86_400;
/** Scopes are stored with the tokens. No provider has more scopes, or longer ones. */
const maxScopes = 100;
const maxScopeLength = 200;

const OAuthError = z.looseObject({ error: z.string() });

/**
 * The standard error code: `invalid_grant`, `invalid_client`, …; undefined if the response contains
 * none.
 */
export const readOAuthError = (response: ProviderResponse): string | undefined =>
  OAuthError.safeParse(parseResponseJson(response)).data?.error;

export function parseGrant(json: unknown, { nowMs, before }: { nowMs: number; before?: Grant }): Grant | undefined {
  const response = TokenResponse.safeParse(json).data;
  if (!response) return undefined;
  const { access_token, refresh_token, expires_in, scope } = response;
  return {
    accessToken: access_token,
    refreshToken: refresh_token ?? before?.refreshToken ?? null,
    expiresMs:
      typeof expires_in === 'number' && expires_in > 0 ? nowMs + Math.min(expires_in, maxLifetimeSeconds) * 1000 : null,
    scopes: scope ? parseScopes(scope) : (before?.scopes ?? null),
  };
}

const parseScopes = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .filter((scope) => scope !== '' && scope.length <= maxScopeLength)
    .slice(0, maxScopes);

/** A string or number at the top of the response, or inside `user` or `data`. */
export function readField(json: unknown, name: string): string | undefined {
  const Field = z.union([z.string().min(1), z.number()]);
  const Nested = z.looseObject({ user: z.unknown().optional(), data: z.unknown().optional() });
  const readAt = (value: unknown): string | undefined => {
    const field = z.looseObject({ [name]: Field }).safeParse(value).data?.[name];
    return field === undefined ? undefined : String(field);
  };
  const outer = Nested.safeParse(json).data;
  return readAt(json) ?? readAt(outer?.user) ?? readAt(outer?.data);
}

export function buildTokenRequest(
  { oauth }: CloudDescriptor,
  url: string,
  fields: Readonly<Record<string, string>>,
  credentials: ProviderCredentials,
): ProviderRequest {
  const inBody = oauth.clientAuth === 'body';
  return {
    method: 'POST',
    url,
    form: {
      ...oauth.tokenParameters,
      ...fields,
      ...(inBody ? { client_id: credentials.clientId, client_secret: credentials.clientSecret } : {}),
    },
    headers: { accept: 'application/json', ...(inBody ? {} : { authorization: basicAuthHeader(credentials) }) },
  };
}

export function buildAuthorizeUrl(
  descriptor: CloudDescriptor,
  consent: Parameters<GrantAdapter['buildAuthorizeUrl']>[0],
): string {
  const { oauth, scopes } = descriptor;
  const url = new URL(oauth.authorizeUrl);
  const parameters = {
    response_type: 'code',
    client_id: consent.credentials.clientId,
    redirect_uri: consent.redirectUri,
    ...(scopes.length > 0 ? { scope: scopes.join(oauth.scopeSeparator) } : {}),
    state: consent.state,
    ...(consent.challenge === undefined ? {} : { code_challenge: consent.challenge, code_challenge_method: 'S256' }),
    ...oauth.authorizeParameters,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/**
 * The fields of every token request for a code. With PKCE, the code is valid only for the
 * connection that it was issued for.
 */
export const codeExchangeFields = ({ code, verifier }: CodeExchange): Record<string, string> => ({
  grant_type: 'authorization_code',
  code,
  ...(verifier === undefined ? {} : { code_verifier: verifier }),
});

/** Requests the grant itself. */
export function* exchangeCode(
  descriptor: CloudDescriptor,
  requested: CodeExchange,
): RequestFlow<{ grant: Grant; json: unknown }> {
  const { oauth, name } = descriptor;
  const fields = { ...codeExchangeFields(requested), redirect_uri: requested.redirectUri };
  const response = yield buildTokenRequest(descriptor, oauth.tokenUrl, fields, requested.credentials);
  const json = parseResponseJson(response);
  const grant = isOk(response) ? parseGrant(json, requested) : undefined;
  if (grant) return { grant, json };
  const error = readOAuthError(response);
  if (error === 'invalid_client' || error === 'unauthorized_client')
    throw new GrantRefused('not_configured', `${name} does not accept this service's credentials.`);
  if (response.status >= 400 && response.status < 500)
    throw new GrantRefused('code_refused', `${name} did not accept the authorization. It may have expired.`);
  throw new UnexpectedResponse(`${name} token`, response);
}

export const withBearerToken = (request: ProviderRequest, { grant }: Pick<GrantContext, 'grant'>): ProviderRequest => ({
  ...request,
  headers: { ...request.headers, authorization: `Bearer ${grant.accessToken}` },
});

/** Reads the account if no request is needed for it. */
function readAccount({ oauth: { account } }: CloudDescriptor, json: unknown): string | undefined {
  if (account.from === 'token_reply') return readField(json, account.field);
  const token = account.from === 'access_token_claim' ? TokenResponse.safeParse(json).data?.access_token : undefined;
  return token === undefined ? undefined : readField(decodeClaims(token), account.field);
}

function* fetchAccount(descriptor: CloudDescriptor, grant: Grant, json: unknown): RequestFlow<string> {
  const { account } = descriptor.oauth;
  if (account.from !== 'request') return requireAccount(descriptor, readAccount(descriptor, json));
  const response = yield withBearerToken({ method: 'GET', url: account.url }, { grant });
  if (!isOk(response)) throw new UnexpectedResponse(`${descriptor.name} account`, response);
  return requireAccount(descriptor, readField(parseResponseJson(response), account.field));
}

/** The token is not verified: it came from the provider itself, over TLS. */
export function decodeClaims(token: string): unknown {
  const [, payload = ''] = token.split('.');
  return parseResponseJson({ text: Buffer.from(payload, 'base64url').toString() });
}

function requireAccount({ name }: CloudDescriptor, account: string | undefined): string {
  if (account === undefined) throw new GrantRefused('code_refused', `${name} did not report which account was linked.`);
  return account;
}

/**
 * `invalid_grant` means that the token is invalid, a refused client is our own mistake, and
 * anything else proves nothing.
 */
export function interpretRefresh(response: ProviderResponse, { nowMs, grant: before }: GrantContext): RefreshOutcome {
  if (isOk(response)) return parseGrant(parseResponseJson(response), { nowMs, before }) ?? 'unclear';
  const error = readOAuthError(response);
  if (error === 'invalid_grant') return 'dead';
  return error === 'invalid_client' || error === 'unauthorized_client' ? 'ours' : 'unclear';
}

export function createStandardGrant(descriptor: CloudDescriptor): GrantAdapter {
  const { oauth } = descriptor;
  return {
    buildAuthorizeUrl: (consent) => buildAuthorizeUrl(descriptor, consent),
    *exchange(requested) {
      const { grant, json } = yield* exchangeCode(descriptor, requested);
      return { ...grant, account: yield* fetchAccount(descriptor, grant, json) };
    },
    refresh: {
      buildRequest: ({ credentials, grant }) =>
        buildTokenRequest(
          descriptor,
          oauth.refreshUrl ?? oauth.tokenUrl,
          { grant_type: 'refresh_token', refresh_token: grant.refreshToken ?? '' },
          credentials,
        ),
      interpret: interpretRefresh,
      readAccount: (response) => readAccount(descriptor, parseResponseJson(response)),
    },
    *revoke(context) {
      const request = buildRevocationRequest(descriptor, context);
      if (!request) return;
      const response = yield request;
      // If the provider denies access, there is nothing left to revoke.
      if (isOk(response) || [400, 401, 403, 404].includes(response.status)) return;
      throw new UnexpectedResponse(`${descriptor.name} revocation`, response);
    },
  };
}

function buildRevocationRequest(descriptor: CloudDescriptor, context: GrantContext): ProviderRequest | undefined {
  const { revocation: config } = descriptor.oauth;
  const { grant, account, credentials } = context;
  if (config.by === 'bearer')
    return withBearerToken(
      { method: config.method, url: config.url.replace('{account_id}', encodeURIComponent(account)) },
      context,
    );
  if (config.by === 'query')
    return { method: config.method, url: config.url, query: { [config.tokenParameter]: grant.accessToken } };
  if (config.by === 'form') {
    const token = grant.refreshToken ?? grant.accessToken;
    const fields = Object.fromEntries(
      Object.entries(config.fields).map(([name, value]) => [name, value.replace('{token}', token)]),
    );
    const inBody = config.clientAuth === 'body';
    return {
      method: config.method,
      url: config.url,
      form: {
        ...fields,
        ...(inBody ? { client_id: credentials.clientId, client_secret: credentials.clientSecret } : {}),
      },
      ...(inBody ? {} : { headers: { authorization: basicAuthHeader(credentials) } }),
    };
  }
  return undefined;
}
