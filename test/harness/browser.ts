// A browser as the connect pages see it: it stores the cookies that it receives and sends them
// back.

import { completeConnection, type OAuthCallback } from '../../shared/connections/connect/complete-connection.ts';
import { bindState, newNonce, openState } from '../../shared/connections/connect/connect-state.ts';
import type { Deps } from '../../shared/system/deps.ts';

export class CookieJar {
  readonly #cookies = new Map<string, string>();

  /** The headers of the next request. */
  headers(): Record<string, string> {
    const all = [...this.#cookies].map(([name, value]) => `${name}=${value}`);
    return all.length === 0 ? {} : { cookie: all.join('; ') };
  }

  store(responseHeaders: Headers): void {
    for (const cookie of responseHeaders.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      const at = pair.indexOf('=');
      this.#cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
  }
}

/** A connection that was initiated by neither an API key nor a connect link. */
export const noInitiator = { keyHash: null, maker: null, link: null } as const;

/** The callback of a browser that opened this link, without a provider in between. */
export function makeCallback(
  deps: Deps,
  authUrl: string,
  { provider = 'oura', ...query }: { provider?: string; [name: string]: string },
): OAuthCallback {
  const state = openState(deps, authUrl.slice(authUrl.lastIndexOf('/') + 1));
  if (!state) throw new Error(`not a link of this deployment: ${authUrl}`);
  const browser = newNonce(deps);
  return { provider, query: { state: bindState(deps, state, browser), ...query }, browser };
}

export const completeCallback = (deps: Deps, authUrl: string, query: Record<string, string>) =>
  completeConnection(deps, makeCallback(deps, authUrl, query));
