// Whether a request comes from one of this deployment's own pages. SameSite cookies do not tell:
// sibling subdomains, and other ports of localhost, are the same site.
import type { CallerRequest } from '../../../shared/http/caller-kind.ts';
import { Failure } from '../../../shared/system/failure.ts';

/** Every header that the browser sent must say so, on reads as well. */
export function isFromOwnOrigin(request: CallerRequest): boolean {
  const site = request.header('sec-fetch-site');
  const origin = request.header('origin');
  if (site === undefined && origin === undefined) return false;
  return (
    (site === undefined || site === 'same-origin') && (origin === undefined || origin === new URL(request.url).origin)
  );
}

/** For requests that sign someone in, so that no other page can do so in their browser. */
export function assertOwnOrigin(request: CallerRequest): void {
  if (!isFromOwnOrigin(request))
    throw new Failure('unauthorized', 'Signing in works only from the pages of the console.');
}
