// Routes for users: create, list, get, update and delete.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { actEffects } from '../../../shared/audit/act-effects.ts';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { json, jsonBody, paymentFailures } from '../../../shared/http/responses.ts';
import { Cursor, createLimitField, Page } from '../../../shared/platform/page.ts';
import { MemberFilter } from '../../../shared/team/team.ts';
import { DeletionAccepted, DetailedUser, ExternalRef, NewUser, User, UserPatch } from '../../../shared/users/user.ts';
import { apiKey } from '../callers/api-key.ts';
import { colleague } from '../callers/colleague.ts';
import { exampleCreatedUser, exampleNewUser, exampleUserPatch } from './example-user.ts';

const UserPath = z.object({
  id: z.string().meta({ description: 'The user.', examples: ['usr_01k9p3w0b1c3e5g7j9m1p3r5t7'] }),
});
const tag = 'Users';
const callers = [apiKey, colleague];

export const createUser = defineEndpoint(
  createRoute({
    method: 'post',
    path: '/v1/users',
    operationId: 'createUser',
    tags: [tag],
    summary: 'Create a user',
    description:
      "Creates a user in the key's environment. A user created with a sandbox key gets a ring, a phone, seven days of data and " +
      'scores within moments, and receives more data every hour; `profile.sandbox_persona` selects what kind of person it simulates, ' +
      '`profile.sandbox_days` how many days it starts with, up to 366, and a few personas start with more or fewer. ' +
      '`profile.sandbox_seed` gives several users the same life; with the persona `empty`, a user has no devices and no data until you send some or connect a device that has some. ' +
      'An `external_ref` that another user in the environment already has is rejected, and the error names that user. ' +
      'A profile without a `timezone` takes the first one that a phone, a browser or a provider reports for the user; ' +
      '`timezone_source` is then `device`. Send `UTC` for days in UTC.',
    request: { body: jsonBody(NewUser, exampleNewUser) },
    responses: { 201: json(User, 'The user was created.', exampleCreatedUser) },
  }),
  {
    callers,
    reveals: 'values',
    audits: 'user.created',
    changes: 'state',
    failures: ['invalid_body', 'external_ref_taken', ...paymentFailures],
  },
);

export const listUsers = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/v1/users',
    operationId: 'listUsers',
    tags: [tag],
    summary: 'List users',
    description:
      'Lists every user in the environment, newest first. You can also look up the user with a given `external_ref`, or the user of a team `member`.',
    request: {
      query: z.object({
        external_ref: ExternalRef.optional().meta({ description: 'Return only the user with exactly this reference.' }),
        member: MemberFilter,
        limit: createLimitField(100, 50),
        cursor: Cursor.optional(),
      }),
    },
    responses: { 200: json(Page('UserPage', User, 'One page of users.'), 'One page of users.') },
  }),
  {
    callers,
    reveals: 'state',
    otherFormParameters: { reference_id: 'external_ref', page: 'cursor', per_page: 'limit' },
    failures: ['invalid_request', 'invalid_cursor', ...paymentFailures],
  },
);

export const getUser = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/v1/users/{id}',
    operationId: 'getUser',
    tags: [tag],
    summary: 'Get a user',
    description:
      'Returns the user with its profile, sync status, score status and linked devices. A user whose `status` is `unshared` can also be read, because none of these fields is a measured value.',
    request: { params: UserPath },
    responses: { 200: json(DetailedUser, 'The user.') },
  }),
  { callers, reveals: 'state', user: 'id', servesUnshared: true, failures: ['not_found', ...paymentFailures] },
);

export const updateUser = defineEndpoint(
  createRoute({
    method: 'patch',
    path: '/v1/users/{id}',
    operationId: 'updateUser',
    tags: [tag],
    summary: 'Update a user',
    description:
      'Changes only the fields you send. An explicit null clears a field, and an empty patch changes nothing. ' +
      'Fields of `profile` are changed individually. A new `timezone` moves the user’s days; `timezone: null` ' +
      'clears it, and the profile takes the next one that a phone, a browser or a provider reports.',
    request: { params: UserPath, body: jsonBody(UserPatch, exampleUserPatch) },
    responses: { 200: json(User, 'The updated user.') },
  }),
  {
    callers,
    reveals: 'values',
    audits: 'user.updated',
    changes: 'state',
    user: 'id',
    servesUnshared: true,
    failures: ['invalid_body', 'not_found', 'external_ref_taken', ...paymentFailures],
  },
);

export const deleteUser = defineEndpoint(
  createRoute({
    method: 'delete',
    path: '/v1/users/{id}',
    operationId: 'deleteUser',
    tags: [tag],
    summary: 'Delete a user',
    description:
      `${actEffects['user.deleted']} ` +
      'As soon as this call responds, the user can no longer be found. The data is erased in the background; the `user.deleted` event is the receipt, ' +
      'and [/docs/erasure](/docs/erasure) lists what remains.',
    request: { params: UserPath },
    responses: { 202: json(DeletionAccepted, 'The deletion was accepted.') },
  }),
  {
    callers,
    reveals: 'state',
    audits: 'user.deleted',
    changes: 'data',
    user: 'id',
    servesUnshared: true,
    failures: ['not_found', ...paymentFailures],
  },
);
