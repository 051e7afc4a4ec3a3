// The sandbox's vendor: plays each of the real ones, at their addresses and in their words, over made-up lives or what a test wrote down.
import { createHash } from 'node:crypto';
import type { CloudProviderId } from '../../catalog/provider.ts';
import { providers } from '../../providers/catalog.ts';
import type { ProviderCredentials, VendorReply } from '../../providers/kit/vendor.ts';
import { type IssuedTokens, type ItemsOf, type VendorShapes, vendorJson } from '../simulated-providers/shapes.ts';
import { isAt, isSame, type RawCall, showsClient, tokenShown, type VendorCall, vendorCall } from './call.ts';
import { allowedUrl, type ConsentAsked, consentAsked } from './consent.ts';
import { revokingReply } from './revoking.ts';
import { accessLifeSeconds, type SealedToken, type TokenDeps, vendorTokens } from './tokens.ts';

export interface SandboxVendorDeps extends TokenDeps {
  credentials(provider: CloudProviderId): ProviderCredentials;
  /** Undefined where it is not played yet. */
  shapes(provider: CloudProviderId): VendorShapes;
  items(provider: CloudProviderId, account: string): ItemsOf;
}

export interface SandboxVendor {
  handle(call: RawCall): Promise<VendorReply>;
  /** What the consent page is asked for; a text says why it is not. */
  consent(provider: CloudProviderId, query: Readonly<Record<string, string>>): ConsentAsked | string;
  /** Where a person goes on who has allowed it for this account. */
  allow(asked: ConsentAsked, account: string): string;
  /** For those who need no page; the code is bound to the PKCE challenge. */
  code(provider: CloudProviderId, account: string, challenge: string): string;
  /** Whose account a token is of, also when it has run out. */
  accountOf(provider: CloudProviderId, token: string): string | undefined;
}

export function sandboxVendor(deps: SandboxVendorDeps): SandboxVendor {
  const tokens = vendorTokens(deps);

  async function handle(raw: RawCall): Promise<VendorReply> {
    const call = vendorCall(raw);
    if (!call) return noSuchPath;
    const shapes = deps.shapes(call.provider);
    const { oauth } = providers[call.provider];
    const isForToken = isAt(call, oauth.tokenUrl) || (oauth.refreshUrl !== undefined && isAt(call, oauth.refreshUrl));
    if (isForToken && call.method === 'POST' && fieldsOf(call)['grant_type']) return grant(call, shapes);
    const revoked = await revokingReply(call, tokens, deps.credentials(call.provider));
    return revoked ?? data(call, shapes);
  }

  async function grant(call: VendorCall, shapes: VendorShapes): Promise<VendorReply> {
    const { provider } = call;
    if (!showsClient(call, deps.credentials(provider))) return vendorJson({ error: 'invalid_client' }, 401);
    const fields = fieldsOf(call);
    const dead = () => shapes.deadToken?.() ?? vendorJson({ error: 'invalid_grant' }, 400);
    if (fields['grant_type'] === 'authorization_code') {
      const code = await tokens.spend(provider, 'code', fields['code']);
      if (!code || !isForThis(code, fields)) return dead();
      return tell(shapes, provider, code, { ...tokens.issue(provider, code), isFirst: true });
    }
    if (fields['grant_type'] !== 'refresh_token') return vendorJson({ error: 'unsupported_grant_type' }, 400);
    const rotates = providers[provider].oauth.refreshTokenRotates;
    const refresh = await tokens[rotates ? 'spend' : 'open'](provider, 'refresh', fields['refresh_token']);
    if (!refresh) return dead();
    const issued = tokens.issue(provider, refresh);
    const kept = rotates ? issued : { ...issued, refreshToken: fields['refresh_token'] ?? '' };
    return tell(shapes, provider, refresh, { ...kept, isFirst: false });
  }

  function tell(
    shapes: VendorShapes,
    provider: CloudProviderId,
    { account, scopes }: SealedToken,
    made: Pick<IssuedTokens, 'accessToken' | 'refreshToken' | 'isFirst'>,
  ): VendorReply {
    const issued = {
      ...made,
      expiresInSeconds: accessLifeSeconds(provider),
      account: deps.shown(provider, account),
      scopes,
    };
    return shapes.tokens?.(issued) ?? standardTokens(provider, issued);
  }

  async function data(call: VendorCall, shapes: VendorShapes): Promise<VendorReply> {
    const { provider, method, host, path, query, form, json } = call;
    const token = await tokens.open(provider, 'access', tokenShown(call));
    // Subscriptions are the application's, not a person's.
    if (!token && !showsClient(call, deps.credentials(provider)))
      return shapes.badToken?.(path) ?? vendorJson({ error: 'invalid_token' }, 401);
    const account = token ? deps.shown(provider, token.account) : '';
    const items: ItemsOf = token ? deps.items(provider, token.account) : () => [];
    const request = { method, host, path, query, form, json, account, nowMs: deps.clock.now() };
    return shapes.answer(request, items) ?? noSuchPath;
  }

  return {
    handle,
    consent: (provider, query) => consentAsked(provider, query, deps.credentials(provider).clientId),
    allow: (asked, account) => allowedUrl(tokens, asked, account),
    code: (provider, account, challenge) =>
      tokens.code(provider, { account, scopes: [...providers[provider].scopes], challenge }),
    accountOf: (provider, token) => tokens.contents(provider, token)?.account,
  };
}

const noSuchPath = vendorJson({ error: 'not_found' }, 404);

/** One vendor's clients put them into the query. */
const fieldsOf = ({ query, form }: VendorCall): Readonly<Record<string, string>> => ({ ...query, ...form });

/**
 * As an authorization server binds its codes: to the redirect address and to PKCE's challenge. A
 * verifier without a challenge is a challenge that somebody took away.
 */
function isForThis({ redirectUri, challenge }: SealedToken, fields: Readonly<Record<string, string>>): boolean {
  const sentTo = fields['redirect_uri'] ?? redirectUri;
  if (redirectUri !== undefined && sentTo !== redirectUri) return false;
  if (challenge === undefined) return fields['code_verifier'] === undefined;
  return isSame(
    createHash('sha256')
      .update(fields['code_verifier'] ?? '')
      .digest('base64url'),
    challenge,
  );
}

const standardTokens = (provider: CloudProviderId, issued: IssuedTokens): VendorReply =>
  vendorJson({
    token_type: 'bearer',
    access_token: issued.accessToken,
    refresh_token: issued.refreshToken,
    expires_in: issued.expiresInSeconds,
    ...(issued.scopes.length === 0 ? {} : { scope: issued.scopes.join(providers[provider].oauth.scopeSeparator) }),
  });
