// The cookie with the token of a colleague's session.
import { sessionHours } from '../../../shared/console/open-console-session.ts';
import type { CallerRequest } from '../../../shared/http/caller-kind.ts';
import { isLoopbackHost } from '../../../shared/platform/loopback.ts';
import { Failure } from '../../../shared/system/failure.ts';

/**
 * The `__Host-` prefix keeps other hosts of the same domain from setting the cookie. It needs https,
 * so on a laptop the name has the port instead, which browsers do not tell cookies apart by.
 */
function findCookieName({ protocol, hostname, port }: URL): string | undefined {
  if (protocol === 'https:') return '__Host-daybook';
  return isLoopbackHost(hostname) ? `daybook_${port || '80'}` : undefined;
}

/**
 * Every token that the browser sent. On a laptop there can be two: a page on another port can set a
 * cookie of the same name for a longer path, and the browser sends that one first.
 */
export function listSessionTokens(request: CallerRequest): string[] {
  const name = findCookieName(new URL(request.url));
  if (name === undefined) return [];
  const cookies = request.header('cookie')?.split(/;\s*/) ?? [];
  return cookies.filter((cookie) => cookie.startsWith(`${name}=`)).map((cookie) => cookie.slice(name.length + 1));
}

/** Throws if the request does not say which session it belongs to. */
export function readSessionToken(request: CallerRequest): string | undefined {
  const [token, ...others] = listSessionTokens(request);
  if (others.length > 0)
    throw new Failure(
      'unauthorized',
      'Your browser sent two session cookies, and another page on this machine may have set one of them. Delete the cookies of this address, then sign in again.',
    );
  return token;
}

export const buildSessionCookie = (token: string, origin: string): string =>
  buildCookie(token, origin, sessionHours * 3600);

export const buildEndedCookie = (origin: string): string => buildCookie('', origin, 0);

function buildCookie(value: string, origin: string, maxAgeSeconds: number): string {
  const url = new URL(origin);
  const name = findCookieName(url);
  if (name === undefined)
    throw new Failure('invalid_request', 'The console needs https, or http://localhost on your own machine.');
  const secure = url.protocol === 'https:' ? '; Secure' : '';
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`;
}
