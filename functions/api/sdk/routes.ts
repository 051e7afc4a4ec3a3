// The Mobile SDK: sessions a backend opens, credentials a phone holds, and the uploads it makes with them.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { apiKey } from '../../../shared/http/callers/api-key.ts';
import { phone } from '../../../shared/http/callers/phone.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { json, jsonBody } from '../../../shared/http/responses.ts';
import { mostDevices } from '../../../shared/model/device.ts';
import {
  IdempotencyKey,
  SdkBootstrap,
  SdkCredentials,
  SdkExchangeRequest,
  SdkRefreshRequest,
  SdkSessionList,
  SdkSessionRequest,
} from '../../../shared/model/sdk-session.ts';
import { mostRejectionsTold, Upload, UploadAccepted, UploadBody, uploadLimits } from '../../../shared/model/upload.ts';

const tag = 'Mobile SDK';
const id = z.string().meta({ description: 'The user.', examples: ['usr_01k9p3w0b1c3e5g7j9m1p3r5t7'] });

export const openSdkSession = endpoint(
  createRoute({
    method: 'post',
    path: '/v1/users/{id}/sdk-sessions',
    operationId: 'openSdkSession',
    tags: [tag],
    summary: 'Open an SDK session',
    description:
      'Opens a session for one installation of your app and answers with a client token, which the app exchanges once. ' +
      'The same `Idempotency-Key` and body within 24 hours give the same answer again. Another key for an installation ' +
      'that is known recovers its session: a new client token; the one before and every access and refresh token of the session are dead.',
    request: {
      params: z.object({ id }),
      headers: z.object({ 'Idempotency-Key': IdempotencyKey }),
      body: jsonBody(SdkSessionRequest),
    },
    responses: {
      200: json(SdkBootstrap, 'The same bootstrap again, or one that recovers a known installation.'),
      201: json(SdkBootstrap, 'The session was opened.'),
    },
  }),
  { callers: [apiKey], user: 'id', failures: ['invalid_body', 'not_found', 'idempotency_conflict'] },
);

export const listSdkSessions = endpoint(
  createRoute({
    method: 'get',
    path: '/v1/users/{id}/sdk-sessions',
    operationId: 'listSdkSessions',
    tags: [tag],
    summary: 'List SDK sessions',
    description: 'The pending and active sessions of a user, newest first.',
    request: { params: z.object({ id }) },
    responses: { 200: json(SdkSessionList, 'The sessions.') },
  }),
  { callers: [apiKey], user: 'id', failures: ['not_found'] },
);

export const revokeSdkSession = endpoint(
  createRoute({
    method: 'delete',
    path: '/v1/users/{id}/sdk-sessions/{session_id}',
    operationId: 'revokeSdkSession',
    tags: [tag],
    summary: 'Revoke an SDK session',
    description: 'Ends the session: its credentials are dead with the answer. What it has uploaded stays.',
    request: {
      params: z.object({
        id,
        session_id: z
          .string()
          .meta({ description: 'The session, a UUID.', examples: ['0b9f4a52-3f6e-4e0b-8f43-5c2a9d1e7b60'] }),
      }),
    },
    responses: { 204: { description: 'The session was revoked.' } },
  }),
  { callers: [apiKey], user: 'id', failures: ['not_found'] },
);

export const exchangeSdkToken = endpoint(
  createRoute({
    method: 'post',
    path: '/v1/sdk/sessions/exchange',
    operationId: 'exchangeSdkToken',
    tags: [tag],
    summary: 'Exchange a client token',
    description:
      'The app turns its single-use client token into credentials. A mobile token is taken too: it opens a session with ' +
      'the categories it was issued for. A token that was used, has expired or was altered is `invalid_token`.',
    request: { body: jsonBody(SdkExchangeRequest) },
    responses: { 200: json(SdkCredentials, 'The credentials.') },
  }),
  { callers: [], failures: ['invalid_token'] },
);

export const refreshSdkCredentials = endpoint(
  createRoute({
    method: 'post',
    path: '/v1/sdk/sessions/refresh',
    operationId: 'refreshSdkCredentials',
    tags: [tag],
    summary: 'Refresh SDK credentials',
    description:
      'The next pair of credentials. The refresh token is good for one use; within 60 seconds it may be used once more ' +
      'and gets the very same pair, in case the answer was lost. After that its use ends the session.',
    request: { body: jsonBody(SdkRefreshRequest) },
    responses: { 200: json(SdkCredentials, 'The next pair.') },
  }),
  { callers: [], failures: ['invalid_token', 'token_expired'] },
);

export const revokeOwnSdkSession = endpoint(
  createRoute({
    method: 'delete',
    path: '/v1/sdk/sessions/current',
    operationId: 'revokeOwnSdkSession',
    tags: [tag],
    summary: 'Sign the phone out',
    description: 'Ends the session whose access token is sent: its credentials are dead with the answer.',
    responses: { 204: { description: 'The session was revoked.' } },
  }),
  { callers: [phone] },
);

const megabytes = (bytes: number): string => `${bytes / 1e6} MB`;

export const uploadSdkData = endpoint(
  createRoute({
    method: 'post',
    path: '/v1/sdk/data',
    operationId: 'uploadSdkData',
    tags: [tag],
    summary: 'Upload health data',
    description:
      'Stores a batch of records from one device, as JSON or with `Content-Encoding: gzip`: at most ' +
      `${megabytes(uploadLimits.wireBytes)} as sent, ${megabytes(uploadLimits.unpackedBytes)} unpacked and ${uploadLimits.records.toLocaleString('en')} records. Each record is judged on its own: good ones are stored although others are rejected. ` +
      `The first ${mostRejectionsTold} rejections are told by their path, the others are counted. What arrives later replaces what a device said before; sending the last ` +
      `batch again changes nothing. A user has at most ${mostDevices} active devices (409 \`limit_reached\`), a device at most ` +
      `${uploadLimits.sessionsADay} nights and ${uploadLimits.sessionsADay} workouts on a day and ${uploadLimits.tracePoints.toLocaleString('en')} points in a trace (\`limit_exceeded\`), and ` +
      `nothing before ${uploadLimits.firstYear} is taken. The body may be nested ${uploadLimits.depth} levels deep and have ${uploadLimits.values.toLocaleString('en')} values.`,
    request: { body: jsonBody(UploadBody) },
    responses: {
      202: json(UploadAccepted, 'The good records are stored and being worked in.', {
        batch_id: 'bat_Zk1wQ0t5b2R4UjB2d3d3dw',
        accepted: 997,
        rejected_count: 1,
        rejected: [
          {
            path: 'samples.12.value',
            code: 'implausible_value',
            message: 'heart_rate must be from 20 to 300 bpm.',
          },
        ],
      }),
    },
  }),
  {
    callers: [phone],
    documentedBody: Upload,
    bodyLimits: {
      wireBytes: uploadLimits.wireBytes,
      unpackedBytes: uploadLimits.unpackedBytes,
      shape: {
        depth: uploadLimits.depth,
        values: uploadLimits.values,
        members: uploadLimits.records + 100,
        toldMembers: uploadLimits.records,
      },
    },
    failures: ['limit_reached'],
  },
);
