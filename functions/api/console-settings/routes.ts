// Routes for the settings of an account that only its console has: colleagues and API keys. They are
// documented in `/openapi.console.json`.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { actEffects } from '../../../shared/audit/act-effects.ts';
import {
  Colleague,
  ColleaguePatch,
  InvitedColleague,
  NewColleague,
  SignInLink,
} from '../../../shared/console/colleague.ts';
import { maxColleagueInvitationsPerDay, maxColleagues } from '../../../shared/console/colleague-rows.ts';
import { ConsoleKey, IssuedKey, KeyRequest } from '../../../shared/console/console-api-keys.ts';
import { CredentialFate, MadeCredentials } from '../../../shared/credentials/made-credentials.ts';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { json, jsonBody } from '../../../shared/http/responses.ts';
import { ColleagueRole, Environment } from '../../../shared/system/caller.ts';
import { colleague } from '../callers/colleague.ts';

const colleagueTag = 'Colleagues';
const keyTag = 'API keys';
const forOwners = { callers: [colleague], reveals: 'admin', document: 'console' } as const;
const alsoForRoles = ['developer'] as const;
const ColleaguePath = z.object({
  id: z.string().meta({ description: 'The colleague.', examples: ['col_01k9p3ws6t8v0x2z4b6d8f0h2k'] }),
});

const WithCredentials = z.object({
  credentials: CredentialFate.optional().meta({
    description:
      'What happens to the user tokens, mobile tokens and SDK sessions that the colleague made; `end` by default. Their connect links end in any case.',
  }),
});

export const listColleagues = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/console/api/colleagues',
    operationId: 'listColleagues',
    tags: [colleagueTag],
    summary: 'List colleagues',
    description: 'Lists everyone who uses the console of the account, oldest first.',
    responses: { 200: json(z.object({ data: z.array(Colleague) }), 'The colleagues.') },
  }),
  forOwners,
);

export const inviteColleague = defineEndpoint(
  createRoute({
    method: 'post',
    path: '/console/api/colleagues',
    operationId: 'inviteColleague',
    tags: [colleagueTag],
    summary: 'Invite a colleague',
    description: `Sends a sign-in link by mail, or returns it once if this deployment sends no mail. An account can have at most ${maxColleagues} colleagues, and invite at most ${maxColleagueInvitationsPerDay} per day (UTC).`,
    request: { body: jsonBody(NewColleague) },
    responses: { 201: json(InvitedColleague, 'The colleague was added.') },
  }),
  {
    ...forOwners,
    audits: 'colleague.invited',
    changes: 'access',
    failures: ['already_colleague', 'limit_reached'],
  },
);

export const updateColleague = defineEndpoint(
  createRoute({
    method: 'patch',
    path: '/console/api/colleagues/{id}',
    operationId: 'updateColleague',
    tags: [colleagueTag],
    summary: 'Change a colleague',
    description: `Changes only the fields you send. ${actEffects['colleague.updated']}`,
    request: { params: ColleaguePath, query: WithCredentials, body: jsonBody(ColleaguePatch) },
    responses: { 200: json(Colleague, 'The changed colleague.') },
  }),
  { ...forOwners, audits: 'colleague.updated', changes: 'access', failures: ['not_found', 'last_owner'] },
);

export const removeColleague = defineEndpoint(
  createRoute({
    method: 'delete',
    path: '/console/api/colleagues/{id}',
    operationId: 'removeColleague',
    tags: [colleagueTag],
    summary: 'Remove a colleague',
    description: actEffects['colleague.removed'],
    request: { params: ColleaguePath, query: WithCredentials },
    responses: { 204: { description: 'The colleague was removed.' } },
  }),
  { ...forOwners, audits: 'colleague.removed', changes: 'access', failures: ['not_found', 'last_owner'] },
);

export const resetColleagueAccess = defineEndpoint(
  createRoute({
    method: 'post',
    path: '/console/api/colleagues/{id}/link',
    operationId: 'resetColleagueAccess',
    tags: [colleagueTag],
    summary: 'Reset the access of a colleague',
    description: `Returns a sign-in link for a colleague who lost their passkey. ${actEffects['colleague.access_reset']}`,
    request: { params: ColleaguePath, query: WithCredentials },
    responses: { 201: json(SignInLink, 'The link. It is shown only once.') },
  }),
  { ...forOwners, audits: 'colleague.access_reset', changes: 'access', failures: ['not_found'] },
);

export const listColleagueCredentials = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/console/api/colleagues/{id}/credentials',
    operationId: 'listColleagueCredentials',
    tags: [colleagueTag],
    summary: 'List what a colleague made',
    description: 'Lists what ends when the colleague is removed, and the keys and webhook secrets to rotate then.',
    request: {
      params: ColleaguePath,
      query: z.object({
        new_role: ColleagueRole.optional().meta({
          description: 'Lists what a change to this role ends instead.',
          examples: ['support'],
        }),
      }),
    },
    responses: { 200: json(MadeCredentials, 'What the colleague made that still works.') },
  }),
  { ...forOwners, failures: ['not_found'] },
);

export const listKeys = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/console/api/keys',
    operationId: 'listKeys',
    tags: [keyTag],
    summary: 'List API keys',
    description: 'Lists the keys of the account, newest first. Developers get those of the sandbox.',
    responses: { 200: json(z.object({ data: z.array(ConsoleKey) }), 'The keys.') },
  }),
  { ...forOwners, alsoForRoles, failures: ['not_found'] },
);

export const replaceKey = defineEndpoint(
  createRoute({
    method: 'post',
    path: '/console/api/keys',
    operationId: 'replaceKey',
    tags: [keyTag],
    summary: 'Replace an API key',
    description:
      `Creates a key. ${actEffects['key.replaced']} The overlap is \`overlap_hours\`. ` +
      'Developers replace the key of the sandbox only.',
    request: { body: jsonBody(KeyRequest) },
    responses: { 201: json(IssuedKey, 'The new key.') },
  }),
  { ...forOwners, alsoForRoles, audits: 'key.replaced', changes: 'access', failures: ['not_found'] },
);

export const revokeKey = defineEndpoint(
  createRoute({
    method: 'delete',
    path: '/console/api/keys/{environment}',
    operationId: 'revokeKey',
    tags: [keyTag],
    summary: 'Revoke the API keys of an environment',
    description: `${actEffects['key.revoked']} ` + 'Developers revoke those of the sandbox only.',
    request: { params: z.object({ environment: Environment }) },
    responses: { 204: { description: 'No key of the environment works any longer.' } },
  }),
  { ...forOwners, alsoForRoles, audits: 'key.revoked', changes: 'access', failures: ['not_found'] },
);
