// Routes for tokens, which a backend issues with its API key for its users' apps, and of the public
// keys that verify them.
import { createRoute } from '@hono/zod-openapi';
import {
  MobileTokenRequest,
  PublicKeySet,
  TokenResponse,
  UserTokenRequest,
} from '../../../shared/accounts/issued-token.ts';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { json, jsonBody, paymentFailures } from '../../../shared/http/responses.ts';
import { apiKey } from '../callers/api-key.ts';
import { colleague } from '../callers/colleague.ts';

const tag = 'Tokens';
const callers = [apiKey, colleague];
const failures = ['invalid_body', 'not_found', 'sharing_revoked', ...paymentFailures] as const;

export const issueUserToken = defineEndpoint(
  createRoute({
    method: 'post',
    path: '/v1/auth/user-token',
    operationId: 'issueUserToken',
    tags: [tag],
    summary: 'Issue a user token',
    description:
      'Issues a signed token (JWT, ES256) that can read one user for one hour. It is safe to hand to that user’s app.',
    request: { body: jsonBody(UserTokenRequest) },
    responses: { 200: json(TokenResponse, 'The token.') },
  }),
  { callers, reveals: 'values', audits: 'user_token.created', changes: 'credentials', failures },
);

export const refreshUserToken = defineEndpoint(
  createRoute({
    method: 'post',
    path: '/v1/auth/user-token/refresh',
    operationId: 'refreshUserToken',
    tags: [tag],
    summary: 'Refresh a user token',
    description:
      'Issues a new token for the same user, valid for another hour. Earlier tokens stay valid until they expire, or until the user is removed from the team.',
    request: { body: jsonBody(UserTokenRequest) },
    responses: { 200: json(TokenResponse, 'The new token.') },
  }),
  { callers, reveals: 'values', audits: 'user_token.created', changes: 'credentials', failures },
);

export const issueMobileToken = defineEndpoint(
  createRoute({
    method: 'post',
    path: '/v1/auth/mobile-token',
    operationId: 'issueMobileToken',
    tags: [tag],
    summary: 'Issue a mobile token',
    description:
      'Issues a single-use token that opens a Mobile SDK session within five minutes. It is not a credential for this API. ' +
      '`scopes` names the metric categories that the phone may upload. Defaults to all of them. Stress levels (`stress_score` samples) need `scores`.',
    request: { body: jsonBody(MobileTokenRequest) },
    responses: {
      200: json(TokenResponse, 'The token, starting with `mt_`.', {
        token: 'mt_3kTMd9XrBq7VZ1nYcWfLs0PjHg5Ea8UoRi2Qw6Nb4Cx',
        user_id: 'usr_01k9p3w0b1c3e5g7j9m1p3r5t7',
        expires_at: '2026-03-14T07:31:53.589Z',
      }),
    },
  }),
  { callers, reveals: 'values', audits: 'mobile_token.created', changes: 'credentials', failures },
);

export const publicKeys = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/.well-known/jwks.json',
    operationId: 'getPublicKeys',
    tags: [tag],
    summary: 'Get the public keys of user tokens',
    description:
      'Returns the keys that verify user tokens, as a JSON Web Key Set. An old key is included until its last token has expired.',
    responses: {
      200: json(PublicKeySet, 'The keys.'),
    },
  }),
  { callers: [], reveals: 'nothing' },
);
