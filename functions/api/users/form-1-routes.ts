// Users in Form 1: in an envelope, by numbered pages, and with their reference as `reference_id`.
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
      'Every user of the environment in numbered pages, in the order of their creation, or the one with a given `reference_id`, or of a `member` of the team. ' +
      'A user created while you page comes at the end; when one is deleted, those behind it move up by one place. `meta.total` is exact. ' +
      'Pages reach as far as the first 100,000 users.',
    request: {
      query: z.object({
        reference_id: ExternalRef.optional().meta({ description: 'Only the user with exactly this reference.' }),
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
    description: 'The user with its profile, sync and score status.',
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
    responses: { 200: json(WrittenUser, 'The user as it is now.') },
  }),
);

export const deleteUser = defineForm1Endpoint(
  usual.deleteUser,
  createRoute({
    method: 'delete',
    path: '/v1/users/{user_id}',
    operationId: 'deleteUser',
    tags: [tag],
    summary: 'Delete a user for good',
    description: usual.deleteUser.route.description,
    request: { params: UserPath },
    responses: { 202: json(DeletionAccepted, 'The deletion was accepted.') },
  }),
);
