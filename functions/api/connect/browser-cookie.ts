// The cookie that identifies the browser a user connects in. A callback is only accepted in the
// browser that opened the link.

import { isNonce } from '../../../shared/connections/connect/connect-state.ts';
import { connectMinutes } from '../../../shared/connections/connection.ts';

/**
 * The `__Host-` prefix prevents other hosts of the same domain from setting the cookie. Browsers
 * accept it over HTTPS only.
 */
const cookieNameFor = (origin: string): string =>
  origin.startsWith('https:') ? '__Host-daybook_connect' : 'daybook_connect';

/** Returns undefined when the browser has no valid nonce. */
export function readBrowserNonce(cookies: string | undefined, origin: string): string | undefined {
  const start = `${cookieNameFor(origin)}=`;
  return cookies
    ?.split(/;\s*/)
    .flatMap((cookie) => (cookie.startsWith(start) ? cookie.slice(start.length) : []))
    .find(isNonce);
}

/**
 * SameSite is Lax because the user returns from the provider's site. The cookie lasts as long as a
 * link to a consent page, counted from the last time one was opened.
 */
export const buildBrowserCookie = (nonce: string, origin: string): string =>
  `${cookieNameFor(origin)}=${nonce}; Path=/; Max-Age=${connectMinutes * 60}; HttpOnly; SameSite=Lax${origin.startsWith('https:') ? '; Secure' : ''}`;
