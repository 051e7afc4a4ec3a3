// Signing in without mail on this machine: the button of the console's sign-in page asks here for the
// secret of a new link. Only the local host has this path, so no deployment does.
import { toFailureResponse } from '../../shared/http/failure-response.ts';
import { Failure } from '../../shared/system/failure.ts';
import type { GatewayResponse } from './http-event.ts';
import { type HostRequest, isLocalRequest } from './local-request.ts';

export const localSignInPath = '/console/local-sign-in';

/** Returns the address of a sign-in page with a secret; undefined while there is no account. */
export type IssueSignInLink = () => Promise<string | undefined>;

/**
 * Returns undefined for every other path, and for requests that do not come from the console's own
 * page in a browser on this machine.
 */
export async function respondToLocalSignIn(
  issueLink: IssueSignInLink,
  request: HostRequest,
): Promise<GatewayResponse | undefined> {
  if (request.path !== localSignInPath || request.method !== 'POST') return undefined;
  const [host] = request.hosts;
  const { origin, 'sec-fetch-site': site = 'same-origin' } = request.headers;
  if (!isLocalRequest(request) || origin !== `http://${host}` || site !== 'same-origin') return undefined;
  const link = await issueLink();
  if (link === undefined) return toJsonResponse(notReadyFailure.status, notReadyFailure.body);
  return toJsonResponse(201, { secret: new URL(link).hash.slice(1) });
}

const notReadyFailure = toFailureResponse(
  new Failure('unavailable', 'The demo account is still being created. Try again in a moment.', {
    retryAfterSeconds: 1,
  }),
);

const toJsonResponse = (status: number, body: object): GatewayResponse => ({
  status,
  headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' },
  body: Buffer.from(JSON.stringify(body)),
});
