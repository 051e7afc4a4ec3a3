// Gives a user's consent at the sandbox's simulated provider, without a browser.

import type { CloudProviderId } from '../../shared/catalog/provider.ts';
import { sandboxCredentials } from '../../shared/connections/client/configured-provider.ts';
import { providerDescriptors } from '../../shared/providers/catalog.ts';
import { toSandboxAccount } from '../../shared/sandbox/provider-server/account.ts';
import { openBuiltInProvider } from '../../shared/sandbox/provider-server/open-built-in-provider.ts';
import type { Deps } from '../../shared/system/deps.ts';

/** The redirect URI that is registered with the provider. */
export const callbackAt = (origin: string, provider: CloudProviderId): string =>
  `${origin}/connect/callback/${provider}`;

/** The consent page that a link leads to. */
export function consentAt(origin: string, provider: CloudProviderId, path: string) {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: `sandbox-${provider}`,
    redirect_uri: callbackAt(origin, provider),
    state: 'a-state',
  });
  const { host } = new URL(providerDescriptors[provider].oauth.authorizeUrl);
  return { params: { provider, host, path }, query: `?${query}` };
}

/** Returns an access token for a fictional user, whose token has not been used before. */
export async function sandboxAccessToken(deps: Deps, provider: CloudProviderId): Promise<string> {
  const simulated = await openBuiltInProvider(deps);
  const redirectUri = callbackAt('https://day.example', provider);
  const consentRequest = { provider, redirectUri, state: 's', scopes: [], challenge: undefined };
  const account = toSandboxAccount({ userId: `usr_${'0'.repeat(26)}`, persona: 'average', timezone: null });
  const code = new URL(simulated.buildAllowedUrl(consentRequest, account)).searchParams.get('code') ?? '';
  const { clientId, clientSecret } = sandboxCredentials(deps, provider);
  const response = await simulated.handle({
    method: 'POST',
    url: providerDescriptors[provider].oauth.tokenUrl,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      client_id: clientId,
      client_secret: clientSecret,
    }).toString(),
  });
  return JSON.parse(response.text).access_token;
}
