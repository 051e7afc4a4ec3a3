// Tokens: issued by a backend with its API key, for its users' apps; and the public keys that prove them.
import { json, paid } from '../../../shared/http/answers.ts';
import { route } from '../../../shared/http/route.ts';
import { MobileTokenRequest, PublicKeySet, TokenResponse, UserTokenRequest } from '../../../shared/model/token.ts';

const tag = 'Tokens';
const callers = ['api_key'] as const;
const failures = ['invalid_body', 'not_found', ...paid] as const;

export const issueUserToken = route({
  method: 'post',
  path: '/v1/auth/user-token',
  operationId: 'issueUserToken',
  tag,
  summary: 'Issue a user token',
  description: 'A signed token (JWT, ES256) that reads one user for one hour: safe to hand to that user’s app.',
  callers,
  body: UserTokenRequest,
  answers: { 200: json(TokenResponse, 'The token.') },
  failures,
});

export const refreshUserToken = route({
  method: 'post',
  path: '/v1/auth/user-token/refresh',
  operationId: 'refreshUserToken',
  tag,
  summary: 'Refresh a user token',
  description: 'A new token for the same user, with an hour of its own. Earlier tokens stay valid until they expire.',
  callers,
  body: UserTokenRequest,
  answers: { 200: json(TokenResponse, 'The new token.') },
  failures,
});

export const issueMobileToken = route({
  method: 'post',
  path: '/v1/auth/mobile-token',
  operationId: 'issueMobileToken',
  tag,
  summary: 'Issue a mobile token',
  description:
    'A token that opens the Mobile SDK once, within five minutes. It is no credential for this API. ' +
    '`scopes` names the metric categories the phone may upload; all of them by default.',
  callers,
  body: MobileTokenRequest,
  answers: {
    200: {
      ...json(TokenResponse, 'The token, starting with `mt_`.'),
      example: {
        token: 'mt_3kTMd9XrBq7VZ1nYcWfLs0PjHg5Ea8UoRi2Qw6Nb4Cx',
        user_id: 'usr_01k9p3w0b1c3e5g7j9m1p3r5t7',
        expires_at: '2026-03-14T07:31:53.589Z',
      },
    },
  },
  failures,
});

export const publicKeys = route({
  method: 'get',
  path: '/.well-known/jwks.json',
  operationId: 'getPublicKeys',
  tag,
  summary: 'Public keys of user tokens',
  description:
    'The keys that verify user tokens, as a JSON Web Key Set. An old key stays until its last token has expired.',
  callers: [],
  answers: {
    200: json(PublicKeySet, 'The keys.'),
  },
  failures: [],
});
