// Routes for signing in to the console: links, sessions, and who is signed in. They are documented
// in `/openapi.console.json`.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import {
  ConsoleProfile,
  ConsoleSession,
  SignInLinkRequest,
  SignInOptions,
  SignInSecret,
} from '../../../shared/console/colleague.ts';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { json, jsonBody } from '../../../shared/http/responses.ts';
import { colleague } from '../callers/colleague.ts';

const tag = 'Signing in';
const undocumented = 'console';
const open = { callers: [], reveals: 'nothing', undocumented } as const;
const signedIn = { callers: [colleague], reveals: 'state', undocumented } as const;
const SessionPath = z.object({
  id: z.string().meta({ description: 'The session.', examples: ['ses_01k9p3wv7w9y1a3c5e7g9j1m3p'] }),
});

export const getSignInOptions = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/console/api/sign-in',
    operationId: 'getSignInOptions',
    tags: [tag],
    summary: 'How to sign in',
    description: 'Returns whether passkeys can be used here, and whether links are sent by mail.',
    responses: { 200: json(SignInOptions, 'The options.') },
  }),
  open,
);

export const requestSignInLink = defineEndpoint(
  createRoute({
    method: 'post',
    path: '/console/api/sign-in/links',
    operationId: 'requestSignInLink',
    tags: [tag],
    summary: 'Request a sign-in link',
    description:
      'Sends a link to the address if it belongs to a colleague. The response is the same for every address, known or not, and over the limit of five requests per address and hour. On a laptop the link also appears in the terminal.',
    request: { body: jsonBody(SignInLinkRequest) },
    responses: { 202: { description: 'A link is on its way, if the address belongs to a colleague.' } },
  }),
  { ...open, audits: false, failures: ['unauthorized'] },
);

export const signInWithLink = defineEndpoint(
  createRoute({
    method: 'post',
    path: '/console/api/sign-in/sessions',
    operationId: 'signInWithLink',
    tags: [tag],
    summary: 'Sign in with a link',
    description:
      'Uses up a sign-in link and begins a session of 12 hours, whose cookie the response sets. A link works once, for ten minutes.',
    request: { body: jsonBody(SignInSecret) },
    responses: { 201: { description: 'The colleague is signed in.' } },
  }),
  { ...open, audits: 'session.created', failures: ['unauthorized', 'invalid_token'] },
);

export const getMe = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/console/api/me',
    operationId: 'getMe',
    tags: [tag],
    summary: 'Who is signed in',
    description: 'Returns the colleague, the account and what this deployment offers.',
    responses: { 200: json(ConsoleProfile, 'The colleague and the account.') },
  }),
  { ...signedIn, failures: ['not_found'] },
);

export const signOut = defineEndpoint(
  createRoute({
    method: 'delete',
    path: '/console/api/session',
    operationId: 'signOut',
    tags: [tag],
    summary: 'Sign out',
    description: 'Ends the session of this request and removes its cookie.',
    responses: { 204: { description: 'The session has ended.' } },
  }),
  { ...signedIn, audits: 'session.ended', failures: ['not_found'] },
);

export const listSessions = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/console/api/sessions',
    operationId: 'listSessions',
    tags: [tag],
    summary: 'List sessions',
    description: "Lists the caller's sessions, newest first. Owners get those of every colleague.",
    responses: { 200: json(z.object({ data: z.array(ConsoleSession) }), 'The sessions.') },
  }),
  { ...signedIn, failures: ['not_found'] },
);

export const endSession = defineEndpoint(
  createRoute({
    method: 'delete',
    path: '/console/api/sessions/{id}',
    operationId: 'endSession',
    tags: [tag],
    summary: 'End a session',
    description: "Ends one of the caller's sessions. Owners can end those of every colleague.",
    request: { params: SessionPath },
    responses: { 204: { description: 'The session has ended.' } },
  }),
  { ...signedIn, audits: 'session.revoked', failures: ['not_found'] },
);
