// Routes for users in Form 1: in an envelope, in numbered pages, and with their reference as
// `reference_id`.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { defineForm1Endpoint } from '../../../shared/http/endpoint.ts';
import { json, jsonBody, paymentFailures } from '../../../shared/http/responses.ts';
import { PageNumber, PerPage } from '../../../shared/platform/offset-page.ts';
import { MemberFilter } from '../../../shared/team/team.ts';
import {
  FlatUserPatch,
  NewFlatUser,
  UserEnvelope,
  UserOffsetPage,
  WrittenUser,
} from '../../../shared/users/form-1-schema.ts';
import { DeletionAccepted, ExternalRef } from '../../../shared/users/user.ts';
import { exampleCreatedUser, exampleNewFlatUser, exampleUserPatch } from './example-user.ts';
import * as usual from './routes.ts';

const tag = 'Users';
const UserPath = z.object({
  user_id: z.string().meta({ description: 'The user.', examples: ['usr_01k9p3w0b1c3e5g7j9m1p3r5t7'] }),
});

export const createUser = defineForm1Endpoint(
  usual.createUser,
  createRoute({
    ...usual.createUser.route,
    description: usual.createUser.route.description.replace('An `external_ref`', 'A `reference_id`'),
    request: { body: jsonBody(NewFlatUser, exampleNewFlatUser) },
    responses: {
      201: json(WrittenUser, 'The user was created.', {
        ...exampleCreatedUser,
        reference_id: exampleNewFlatUser.reference_id,
      }),
    },
  }),
);

export const listUsers = defineForm1Endpoint(
  usual.listUsers,
  createRoute({
    method: 'get',
    path: '/v1/users',
    operationId: 'listUsers',
    tags: [tag],
    summary: 'List users',
    description:
      'Lists every user in the environment in numbered pages, in order of creation. You can also look up the user with a given `reference_id`, or the user of a team `member`. ' +
      'A user created while you page is added at the end; when a user is deleted, those after it move up by one place. `meta.total` is exact. ' +
      'Pages cover the first 100,000 users.',
    request: {
      query: z.object({
        reference_id: ExternalRef.optional().meta({ description: 'Return only the user with exactly this reference.' }),
        member: MemberFilter,
        page: PageNumber,
        per_page: PerPage,
      }),
    },
    responses: { 200: json(UserOffsetPage, 'One page of users.') },
  }),
  {
    otherFormParameters: { external_ref: 'reference_id', cursor: 'page', limit: 'per_page' },
    failures: ['invalid_request', ...paymentFailures],
  },
);

export const getUser = defineForm1Endpoint(
  usual.getUser,
  createRoute({
    method: 'get',
    path: '/v1/users/{user_id}',
    operationId: 'getUser',
    tags: [tag],
    summary: 'Get a user',
    description: 'Returns the user with its profile, sync status and score status.',
    request: { params: UserPath },
    responses: { 200: json(UserEnvelope, 'The user.') },
  }),
);

export const updateUser = defineForm1Endpoint(
  usual.updateUser,
  createRoute({
    method: 'patch',
    path: '/v1/users/{user_id}',
    operationId: 'updateUser',
    tags: [tag],
    summary: 'Update a user',
    description: usual.updateUser.route.description,
    request: { params: UserPath, body: jsonBody(FlatUserPatch, exampleUserPatch) },
    responses: { 200: json(WrittenUser, 'The updated user.') },
  }),
);

export const deleteUser = defineForm1Endpoint(
  usual.deleteUser,
  createRoute({
    method: 'delete',
    path: '/v1/users/{user_id}',
    operationId: 'deleteUser',
    tags: [tag],
    summary: 'Delete a user permanently',
    description: usual.deleteUser.route.description,
    request: { params: UserPath },
    responses: { 202: json(DeletionAccepted, 'The deletion was accepted.') },
  }),
);
