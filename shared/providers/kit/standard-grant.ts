// OAuth 2 as most vendors mean it, made from a descriptor's facts. A vendor that differs takes this and replaces what is its own.
import * as z from 'zod';
import type { CloudDescriptor } from './descriptor.ts';
import {
  type CodeExchange,
  type Grant,
  GrantRefused,
  type GrantRules,
  type Holding,
  type RefreshVerdict,
} from './grant.ts';
import {
  basicAuth,
  isOk,
  jsonIn,
  type ProviderCredentials,
  type Talk,
  Unexpected,
  type VendorReply,
  type VendorRequest,
} from './vendor.ts';

/** What fits into a header. */
const Token = z
  .string()
  .max(16_384)
  .regex(/^[\x21-\x7e]+$/);

const TokenReply = z.looseObject({
  access_token: Token,
  refresh_token: Token.nullish(),
  expires_in: z.coerce.number().nullish(),
  scope: z.string().nullish(),
});

/** No token lives longer; the number may be anything. */
const mostLifeSeconds = 10 * 365 * 86_400;
/** They are kept with the tokens; nobody has asked for more, or for longer ones. */
const mostScopes = 100;
const longestScope = 200;

const OAuthError = z.looseObject({ error: z.string() });

/** As the standard names it: `invalid_grant`, `invalid_client`, …; undefined when the answer is no such thing. */
export const oauthError = (reply: VendorReply): string | undefined => OAuthError.safeParse(jsonIn(reply)).data?.error;

export function grantIn(json: unknown, { nowMs, before }: { nowMs: number; before?: Grant }): Grant | undefined {
  const reply = TokenReply.safeParse(json).data;
  if (!reply) return undefined;
  const { access_token, refresh_token, expires_in, scope } = reply;
  return {
    accessToken: access_token,
    refreshToken: refresh_token ?? before?.refreshToken ?? null,
    expiresMs:
      typeof expires_in === 'number' && expires_in > 0 ? nowMs + Math.min(expires_in, mostLifeSeconds) * 1000 : null,
    scopes: scope ? scopesIn(scope) : (before?.scopes ?? null),
  };
}

const scopesIn = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .filter((scope) => scope !== '' && scope.length <= longestScope)
    .slice(0, mostScopes);

/** A text or a number at the top of the answer, or inside `user` or `data`. */
export function fieldIn(json: unknown, name: string): string | undefined {
  const Field = z.union([z.string().min(1), z.number()]);
  const Nested = z.looseObject({ user: z.unknown().optional(), data: z.unknown().optional() });
  const at = (value: unknown): string | undefined => {
    const found = z.looseObject({ [name]: Field }).safeParse(value).data?.[name];
    return found === undefined ? undefined : String(found);
  };
  const outer = Nested.safeParse(json).data;
  return at(json) ?? at(outer?.user) ?? at(outer?.data);
}

export function tokenRequest(
  { oauth }: CloudDescriptor,
  url: string,
  fields: Readonly<Record<string, string>>,
  credentials: ProviderCredentials,
): VendorRequest {
  const inBody = oauth.clientAuth === 'body';
  return {
    method: 'POST',
    url,
    form: {
      ...oauth.tokenParameters,
      ...fields,
      ...(inBody ? { client_id: credentials.clientId, client_secret: credentials.clientSecret } : {}),
    },
    headers: { accept: 'application/json', ...(inBody ? {} : { authorization: basicAuth(credentials) }) },
  };
}

export function authorizeUrl(descriptor: CloudDescriptor, consent: Parameters<GrantRules['authorizeUrl']>[0]): string {
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
 * What every token request for a code has; with PKCE, the code is good for the connection that it
 * was given for only.
 */
export const codeFields = ({ code, verifier }: CodeExchange): Record<string, string> => ({
  grant_type: 'authorization_code',
  code,
  ...(verifier === undefined ? {} : { code_verifier: verifier }),
});

/** Asks for the grant itself. */
export function* exchangeCode(descriptor: CloudDescriptor, asked: CodeExchange): Talk<{ grant: Grant; json: unknown }> {
  const { oauth, name } = descriptor;
  const fields = { ...codeFields(asked), redirect_uri: asked.redirectUri };
  const reply = yield tokenRequest(descriptor, oauth.tokenUrl, fields, asked.credentials);
  const json = jsonIn(reply);
  const grant = isOk(reply) ? grantIn(json, asked) : undefined;
  if (grant) return { grant, json };
  const error = oauthError(reply);
  if (error === 'invalid_client' || error === 'unauthorized_client')
    throw new GrantRefused('not_configured', `${name} does not accept this service's credentials.`);
  if (reply.status >= 400 && reply.status < 500)
    throw new GrantRefused('code_refused', `${name} did not accept the confirmation. It may have run out.`);
  throw new Unexpected(`${name} token`, reply);
}

export const bearer = (request: VendorRequest, { grant }: Pick<Holding, 'grant'>): VendorRequest => ({
  ...request,
  headers: { ...request.headers, authorization: `Bearer ${grant.accessToken}` },
});

/** Where it need not be asked for. */
function namedIn({ oauth: { account } }: CloudDescriptor, json: unknown): string | undefined {
  if (account.from === 'token_reply') return fieldIn(json, account.field);
  const token = account.from === 'access_token_claim' ? TokenReply.safeParse(json).data?.access_token : undefined;
  return token === undefined ? undefined : fieldIn(claimsOf(token), account.field);
}

function* accountOf(descriptor: CloudDescriptor, grant: Grant, json: unknown): Talk<string> {
  const { account } = descriptor.oauth;
  if (account.from !== 'request') return required(descriptor, namedIn(descriptor, json));
  const reply = yield bearer({ method: 'GET', url: account.url }, { grant });
  if (!isOk(reply)) throw new Unexpected(`${descriptor.name} account`, reply);
  return required(descriptor, fieldIn(jsonIn(reply), account.field));
}

/** Not verified: it came from the vendor itself, over TLS. */
export function claimsOf(token: string): unknown {
  const [, payload = ''] = token.split('.');
  return jsonIn({ text: Buffer.from(payload, 'base64url').toString() });
}

function required({ name }: CloudDescriptor, account: string | undefined): string {
  if (account === undefined) throw new GrantRefused('code_refused', `${name} did not say whose account was linked.`);
  return account;
}

/** `invalid_grant` is death; a refused client is our own mistake; anything else proves nothing. */
export function judgeRefresh(reply: VendorReply, { nowMs, grant: before }: Holding): RefreshVerdict {
  if (isOk(reply)) return grantIn(jsonIn(reply), { nowMs, before }) ?? 'unclear';
  const error = oauthError(reply);
  if (error === 'invalid_grant') return 'dead';
  return error === 'invalid_client' || error === 'unauthorized_client' ? 'ours' : 'unclear';
}

export function standardGrant(descriptor: CloudDescriptor): GrantRules {
  const { oauth } = descriptor;
  return {
    authorizeUrl: (consent) => authorizeUrl(descriptor, consent),
    *exchange(asked) {
      const { grant, json } = yield* exchangeCode(descriptor, asked);
      return { ...grant, account: yield* accountOf(descriptor, grant, json) };
    },
    refresh: {
      ask: ({ credentials, grant }) =>
        tokenRequest(
          descriptor,
          oauth.refreshUrl ?? oauth.tokenUrl,
          { grant_type: 'refresh_token', refresh_token: grant.refreshToken ?? '' },
          credentials,
        ),
      judge: judgeRefresh,
      accountIn: (reply) => namedIn(descriptor, jsonIn(reply)),
    },
    *revoke(held) {
      const request = revocation(descriptor, held);
      if (!request) return;
      const reply = yield request;
      // Whoever is not let in has nothing left to take back.
      if (isOk(reply) || [400, 401, 403, 404].includes(reply.status)) return;
      throw new Unexpected(`${descriptor.name} revocation`, reply);
    },
  };
}

function revocation(descriptor: CloudDescriptor, held: Holding): VendorRequest | undefined {
  const { revocation: by } = descriptor.oauth;
  const { grant, account, credentials } = held;
  if (by.by === 'bearer')
    return bearer({ method: by.method, url: by.url.replace('{account_id}', encodeURIComponent(account)) }, held);
  if (by.by === 'query') return { method: by.method, url: by.url, query: { [by.tokenParameter]: grant.accessToken } };
  if (by.by === 'form') {
    const token = grant.refreshToken ?? grant.accessToken;
    const fields = Object.fromEntries(
      Object.entries(by.fields).map(([name, value]) => [name, value.replace('{token}', token)]),
    );
    const inBody = by.clientAuth === 'body';
    return {
      method: by.method,
      url: by.url,
      form: {
        ...fields,
        ...(inBody ? { client_id: credentials.clientId, client_secret: credentials.clientSecret } : {}),
      },
      ...(inBody ? {} : { headers: { authorization: basicAuth(credentials) } }),
    };
  }
  return undefined;
}
