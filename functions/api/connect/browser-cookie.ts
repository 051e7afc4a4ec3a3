// The browser that a person connects in, known by a cookie with a nonce. A callback is good in the
// browser that opened the link only.

import { isNonce } from '../../../shared/connections/connect/connect-state.ts';
import { connectMinutes } from '../../../shared/connections/connection.ts';

/**
 * The prefix keeps other hosts of the same domain from setting it; browsers take it over https
 * only.
 */
const cookieNameFor = (origin: string): string =>
  origin.startsWith('https:') ? '__Host-daybook_connect' : 'daybook_connect';

/** Undefined when the browser has none. */
export function readBrowserNonce(cookies: string | undefined, origin: string): string | undefined {
  const start = `${cookieNameFor(origin)}=`;
  return cookies
    ?.split(/;\s*/)
    .flatMap((cookie) => (cookie.startsWith(start) ? cookie.slice(start.length) : []))
    .find(isNonce);
}

/**
 * Lax, since the person comes back from the provider's site. It lives for as long as a link does
 * from its last opening.
 */
export const buildBrowserCookie = (nonce: string, origin: string): string =>
  `${cookieNameFor(origin)}=${nonce}; Path=/; Max-Age=${connectMinutes * 60}; HttpOnly; SameSite=Lax${origin.startsWith('https:') ? '; Secure' : ''}`;
