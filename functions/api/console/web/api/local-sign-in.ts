// The request that only a host on this machine answers. It is not part of the API.
import { ApiFailure, Offline } from './failures.ts';

/** Returns the secret of a new sign-in link. */
export async function requestLocalSecret(): Promise<string> {
  const response = await fetch('/console/local-sign-in', { method: 'POST' }).catch((cause: unknown) => {
    throw new Offline('offline', { cause });
  });
  const body: unknown = await response.json();
  if (response.ok && typeof body === 'object' && body !== null && 'secret' in body) return String(body.secret);
  throw new ApiFailure(response, body);
}
