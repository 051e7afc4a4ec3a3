// Routes for signing in to the console: links, sessions, and who is signed in. They are documented
// in `/openapi.console.json`.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { actEffects } from '../../../shared/audit/act-effects.ts';
import {
  ConsoleProfile,
  ConsoleSession,
  DescribedSignInLink,
  SignInLinkRequest,
  SignInOptions,
  SignInSecret,
} from '../../../shared/console/colleague.ts';
import {
  NewPasskey,
  Passkey,
  PasskeyAssertion,
  PasskeyOptions,
  PasskeySignInOptions,
} from '../../../shared/console/passkey.ts';
import { maxPasskeys } from '../../../shared/console/passkeys.ts';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { json, jsonBody } from '../../../shared/http/responses.ts';
import { colleague } from '../callers/colleague.ts';

const tag = 'Signing in';
const document = 'console';
const open = { callers: [], reveals: 'nothing', document } as const;
const signedIn = { callers: [colleague], reveals: 'state', document } as const;
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
      'Sends a link to the address if it belongs to a colleague. The response is the same for every address, known or not, and whether or not the mailbox has used up its allowance of the hour. On a laptop the link also appears in the terminal.',
    request: { body: jsonBody(SignInLinkRequest) },
    responses: { 202: { description: 'A link is on its way, if the address belongs to a colleague.' } },
  }),
  { ...open, audits: false, changes: 'access', failures: ['unauthorized'] },
);

export const describeSignInLink = defineEndpoint(
  createRoute({
    method: 'post',
    path: '/console/api/sign-in/links/description',
    operationId: 'describeSignInLink',
    tags: [tag],
    summary: 'Say whose sign-in link it is',
    description:
      'Returns the account and the masked address that a link signs in to, and does not use the link up. Show both before the colleague signs in: anybody can send a link to an account of their own. Links that are unknown, used, revoked or expired all get the same response.',
    request: { body: jsonBody(SignInSecret) },
    responses: { 200: json(DescribedSignInLink, 'Whose link it is.') },
  }),
  { ...open, audits: false, changes: 'nothing', failures: ['unauthorized', 'invalid_token'] },
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
  { ...open, audits: 'session.created', changes: 'access', failures: ['unauthorized', 'invalid_token'] },
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
  { ...signedIn, audits: 'session.ended', changes: 'state', alsoForRoles: ['support'], failures: ['not_found'] },
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

export const revokeSession = defineEndpoint(
  createRoute({
    method: 'delete',
    path: '/console/api/sessions/{id}',
    operationId: 'revokeSession',
    tags: [tag],
    summary: 'Revoke a session',
    description: `Ends one of the caller's sessions. ${actEffects['session.revoked']} Owners can revoke those of every colleague.`,
    request: { params: SessionPath },
    responses: { 204: { description: 'The session has ended.' } },
  }),
  { ...signedIn, audits: 'session.revoked', changes: 'state', alsoForRoles: ['support'], failures: ['not_found'] },
);

const passkeyTag = 'Passkeys';
const PasskeyPath = z.object({
  id: z.string().meta({ description: 'The passkey.', examples: ['psk_01k9p3wx8y0z2b4d6f8h0k2m4p'] }),
});

export const getPasskeySignInOptions = defineEndpoint(
  createRoute({
    method: 'post',
    path: '/console/api/sign-in/passkeys/options',
    operationId: 'getPasskeySignInOptions',
    tags: [passkeyTag],
    summary: 'Begin to sign in with a passkey',
    description: 'Returns a challenge, which can be answered once, within five minutes.',
    responses: { 200: json(PasskeySignInOptions, 'The options for the browser.') },
  }),
  { ...open, audits: false, changes: 'nothing', failures: ['unauthorized', 'invalid_request'] },
);

export const signInWithPasskey = defineEndpoint(
  createRoute({
    method: 'post',
    path: '/console/api/sign-in/passkeys',
    operationId: 'signInWithPasskey',
    tags: [passkeyTag],
    summary: 'Sign in with a passkey',
    description: 'Begins a session of 12 hours, whose cookie the response sets.',
    request: { body: jsonBody(PasskeyAssertion) },
    responses: { 201: { description: 'The colleague is signed in.' } },
  }),
  {
    ...open,
    audits: 'session.created',
    changes: 'access',
    failures: ['unauthorized', 'invalid_request', 'invalid_token'],
  },
);

export const listPasskeys = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/console/api/passkeys',
    operationId: 'listPasskeys',
    tags: [passkeyTag],
    summary: 'List passkeys',
    description:
      'Lists the passkeys of the colleague who is signed in, oldest first, and whether each works at this address.',
    responses: { 200: json(z.object({ data: z.array(Passkey) }), 'The passkeys.') },
  }),
  { ...signedIn, failures: ['not_found'] },
);

export const getPasskeyOptions = defineEndpoint(
  createRoute({
    method: 'post',
    path: '/console/api/passkeys/options',
    operationId: 'getPasskeyOptions',
    tags: [passkeyTag],
    summary: 'Begin to register a passkey',
    description: 'Returns a challenge, which can be answered once, within five minutes.',
    responses: { 200: json(PasskeyOptions, 'The options for the browser.') },
  }),
  {
    ...signedIn,
    audits: false,
    changes: 'access',
    alsoForRoles: ['developer', 'support'],
    failures: ['not_found', 'invalid_request'],
  },
);

export const registerPasskey = defineEndpoint(
  createRoute({
    method: 'post',
    path: '/console/api/passkeys',
    operationId: 'registerPasskey',
    tags: [passkeyTag],
    summary: 'Register a passkey',
    description: `Adds a passkey, with which the colleague can sign in from now on. A colleague can have at most ${maxPasskeys}.`,
    request: { body: jsonBody(NewPasskey) },
    responses: { 201: json(Passkey, 'The passkey was registered.') },
  }),
  {
    ...signedIn,
    audits: 'passkey.created',
    changes: 'access',
    alsoForRoles: ['developer', 'support'],
    failures: ['not_found', 'invalid_request', 'limit_reached'],
  },
);

export const removePasskey = defineEndpoint(
  createRoute({
    method: 'delete',
    path: '/console/api/passkeys/{id}',
    operationId: 'removePasskey',
    tags: [passkeyTag],
    summary: 'Remove a passkey',
    description: actEffects['passkey.removed'],
    request: { params: PasskeyPath },
    responses: { 204: { description: 'The passkey was removed.' } },
  }),
  { ...signedIn, audits: 'passkey.removed', changes: 'state', alsoForRoles: ['support'], failures: ['not_found'] },
);
