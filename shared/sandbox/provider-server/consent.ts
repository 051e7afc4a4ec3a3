// Consent at the simulated provider: what the page is requested with, and the URL that it redirects
// to.
import * as z from 'zod';
import type { CloudProviderId } from '../../catalog/provider.ts';
import { SandboxPersona } from '../../catalog/sandbox.ts';
import { suggestedPersonaParameter, suggestedTimeZoneParameter } from '../../connections/connection.ts';
import { isTimeZone } from '../../platform/time/time.ts';
import { providerDescriptors } from '../../providers/catalog.ts';
import type { ProviderTokens } from './tokens.ts';

const AuthorizeQuery = z.looseObject({
  response_type: z.literal('code').optional(),
  client_id: z.string().min(1),
  redirect_uri: z.url({ protocol: /^https?$/ }),
  state: z.string().min(1).max(2_000),
  scope: z.string().optional(),
  code_challenge: z.string().optional(),
});

export interface SandboxAuthorizationRequest {
  provider: CloudProviderId;
  redirectUri: string;
  state: string;
  scopes: readonly string[];
  challenge: string | undefined;
  /** The time zone of the user's profile, if it has one. */
  timeZone?: string;
  /** The persona of the user, if it was chosen. */
  persona?: SandboxPersona;
}

/**
 * A string says why the user is not redirected: a page must not redirect a request of unknown
 * origin.
 */
export function parseAuthorizationRequest(
  provider: CloudProviderId,
  query: Readonly<Record<string, string>>,
  clientId: string,
): SandboxAuthorizationRequest | string {
  const parsed = AuthorizeQuery.safeParse(query);
  if (!parsed.success) {
    const names = [...new Set(parsed.error.issues.map(({ path }) => path.join('.')))];
    return `The link is incomplete: ${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} missing or invalid.`;
  }
  const { client_id, redirect_uri, state, scope, code_challenge } = parsed.data;
  if (client_id !== clientId) return `No application is registered as ${client_id.slice(0, 64)}.`;
  const { pkce } = providerDescriptors[provider].oauth;
  const timeZone = query[suggestedTimeZoneParameter];
  const persona = SandboxPersona.safeParse(query[suggestedPersonaParameter]).data;
  if (pkce && !code_challenge) return 'The link is incomplete: code_challenge is missing.';
  return {
    provider,
    redirectUri: redirect_uri,
    state,
    scopes: scope ? scope.split(/[\s,]+/).filter((each) => each !== '') : providerDescriptors[provider].scopes,
    challenge: code_challenge,
    ...(timeZone !== undefined && isTimeZone(timeZone) ? { timeZone } : {}),
    ...(persona ? { persona } : {}),
  };
}

/** The URL that the user is redirected to. Some providers report the granted scopes there. */
export function buildAllowedUrl(tokens: ProviderTokens, request: SandboxAuthorizationRequest, account: string): string {
  const { provider, redirectUri, state, scopes, challenge } = request;
  const code = tokens.code(provider, {
    account,
    scopes: [...scopes],
    redirectUri,
    ...(challenge === undefined ? {} : { challenge }),
  });
  const scope = scopes.join(providerDescriptors[provider].oauth.scopeSeparator);
  return withQuery(redirectUri, { code, state, ...(scope === '' ? {} : { scope }) });
}

export const buildDeniedUrl = ({ redirectUri, state }: SandboxAuthorizationRequest): string =>
  withQuery(redirectUri, { error: 'access_denied', state });

function withQuery(address: string, fields: Readonly<Record<string, string>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value);
  return url.href;
}
