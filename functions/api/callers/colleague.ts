// The colleague caller: someone who is signed in to the console, in one of its pages. The cookie
// alone is no credential: it counts only with the header `Daybook-Environment`, which no other site
// can send, from this deployment's own pages, and without an `Authorization` header.
import { admitSession, type ColleagueCaller, hashIfSessionToken } from '../../../shared/console/admit-session.ts';
import type { CallerKind, EndpointDemands } from '../../../shared/http/caller-kind.ts';
import { type ColleagueRole, Environment } from '../../../shared/system/caller.ts';
import { Failure } from '../../../shared/system/failure.ts';
import { mayChange, maySee, needsRecentSignIn } from '../../../shared/system/role-rights.ts';
import { isFromOwnOrigin } from './own-origin.ts';
import { listSessionTokens, readSessionToken } from './session-cookie.ts';

const roleText: Readonly<Record<ColleagueRole, string>> = {
  owner: 'The role owner does not permit this.',
  developer: 'The role developer does not permit this: it manages neither colleagues nor live keys. Ask an owner.',
  support:
    'The role support does not permit this: it sees the state of devices and syncs, no health values, profiles or tokens, and changes nothing but requesting a sync. Ask an owner or a developer.',
};

export const colleague: CallerKind<ColleagueCaller> = {
  name: 'colleague',
  securityScheme: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-daybook',
    description:
      'The session of a colleague who is signed in to the console. It counts only with the header `Daybook-Environment`, in requests from the console itself.',
  },
  isInternal: true,
  cacheControl: 'private, no-store',
  failures: ['unauthorized', 'invalid_token', 'token_expired', 'insufficient_scope'],
  listDemandFailures: (endpoint) => (demandsRecentSignIn(endpoint) ? ['recent_sign_in_required'] : []),
  isPresent: (request) => listSessionTokens(request).length > 0,
  missingMessage: 'Sign in to the console first.',
  unknownMessage: 'The session has ended, or was sent with an Authorization header. Sign in again.',
  findRefusal: ({ role, hasRecentSignIn }, endpoint) => {
    if (!permits(role, endpoint)) return new Failure('insufficient_scope', roleText[role]);
    if (demandsRecentSignIn(endpoint) && !hasRecentSignIn)
      return new Failure(
        'recent_sign_in_required',
        'Sign in again to do this: it needs a link or a passkey used within the last ten minutes.',
      );
    return undefined;
  },
  createRecognizer: (deps) => async (request) => {
    if (request.header('authorization') !== undefined) return undefined;
    const token = readSessionToken(request);
    if (token === undefined) return undefined;
    const hash = hashIfSessionToken(deps, token);
    if (hash === undefined) return undefined;
    if (!isFromOwnOrigin(request))
      throw new Failure('unauthorized', 'A session counts only in requests from the pages of the console.');
    const env = Environment.safeParse(request.header('daybook-environment'));
    if (!env.success)
      throw new Failure('unauthorized', 'A session needs the header Daybook-Environment: live or sandbox.');
    return { admit: () => admitSession(deps, hash, env.data) };
  },
};

const permits = (role: ColleagueRole, { reveals, changes = 'nothing', alsoForRoles }: EndpointDemands): boolean =>
  (maySee(role, reveals) && mayChange(role, changes)) || alsoForRoles?.includes(role) === true;

const demandsRecentSignIn = ({ changes = 'nothing' }: EndpointDemands): boolean => needsRecentSignIn(changes);
