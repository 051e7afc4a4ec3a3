// From the Authorization header to an admitted caller of this route.
import type { Admitted, Authenticator, Credential } from '../domain/access/authenticate.ts';
import { Failure } from '../model/failure.ts';
import type { Route } from './route.ts';

export async function credentialIn(authenticator: Authenticator, header: string | undefined): Promise<Credential> {
  if (!header) throw new Failure('unauthorized', 'A token is required: send Authorization: Bearer <token>.');
  const token = /^Bearer +(\S+) *$/i.exec(header)?.[1];
  if (!token) throw new Failure('invalid_token', 'The Authorization header must read: Bearer <token>.');
  return authenticator.recognise(token);
}

/** What a credential may never do on this route, whoever's it is; decided without reading anything. */
export function mustBeAllowed(route: Route, credential: Credential, params: Record<string, string>): void {
  if (!route.callers.includes(credential.kind)) throw notForIt(route, credential);
  const userInPath = params['user_id'] ?? params['id'];
  if (credential.kind === 'user_token' && credential.claims.sub !== userInPath)
    throw new Failure('wrong_user', 'This user token was issued for another user.');
}

function notForIt(route: Route, credential: Credential): Failure {
  if (!route.callers.includes('api_key'))
    return new Failure('invalid_token', 'This call takes the access token of an SDK session.');
  return new Failure(
    'insufficient_scope',
    credential.kind === 'sdk_session'
      ? 'An SDK credential only uploads: use an API key.'
      : 'A user token only reads the data of its own user: use an API key.',
  );
}

export function mustBePaid(route: Route, admitted: Admitted): void {
  if (admitted.suspended && route.failures.includes('payment_required'))
    throw new Failure('payment_required', "The account's plan is suspended: settle it to go on.");
}
