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

export function readSessionToken(request: CallerRequest): string | undefined {
  const name = findCookieName(new URL(request.url));
  if (name === undefined) return undefined;
  return request
    .header('cookie')
    ?.split(/;\s*/)
    .find((cookie) => cookie.startsWith(`${name}=`))
    ?.slice(name.length + 1);
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
