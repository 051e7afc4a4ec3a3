// Routes for the Mobile SDK: the sessions a backend opens, the credentials a phone uses, and its
// uploads.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { actEffects } from '../../../shared/audit/act-effects.ts';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { json, jsonBody } from '../../../shared/http/responses.ts';
import { maxSdkSessions } from '../../../shared/mobile/make-room-for-session.ts';
import {
  IdempotencyKey,
  SdkBootstrap,
  SdkCredentials,
  SdkExchangeRequest,
  SdkRefreshRequest,
  SdkSessionList,
  SdkSessionRequest,
} from '../../../shared/mobile/sdk-session.ts';
import { sdkSessionRateLimit } from '../../../shared/platform/rate-limit.ts';
import { maxReportedRejections, uploadLimits } from '../../../shared/providers/kit/upload-limits.ts';
import { UploadAccepted } from '../../../shared/providers/kit/upload-response.ts';
import { ReceivedUpload } from '../../../shared/providers/phone/upload.ts';
import { Upload } from '../../../shared/providers/phone/upload-records.ts';
import { maxDevices } from '../../../shared/users/device-states.ts';
import { apiKey } from '../callers/api-key.ts';
import { colleague } from '../callers/colleague.ts';
import { endingPhone, phone } from '../callers/phone.ts';

const tag = 'Mobile SDK';
const id = z.string().meta({ description: 'The user.', examples: ['usr_01k9p3w0b1c3e5g7j9m1p3r5t7'] });
/**
 * For calls by phones: an app takes a 400 for the end of a batch, and its data would be lost.
 */
const ignoresUnknownParameters = true;

export const openSdkSession = defineEndpoint(
  createRoute({
    method: 'post',
    path: '/v1/users/{id}/sdk-sessions',
    operationId: 'openSdkSession',
    tags: [tag],
    summary: 'Open an SDK session',
    description:
      'Opens a session for one installation of your app and returns a client token, which the app exchanges once. ' +
      'The same `Idempotency-Key` and body within 24 hours return the same response. A different key for an installation ' +
      'that is already known recovers its session: it gets a new client token, and the previous one and every access and refresh token of the session stop working. ' +
      `A user can have ${maxSdkSessions} sessions. Opening another ends the oldest one that no phone has used yet or, if there is none, the least recently used one.`,
    request: {
      params: z.object({ id }),
      headers: z.object({ 'Idempotency-Key': IdempotencyKey }),
      body: jsonBody(SdkSessionRequest),
    },
    responses: {
      200: json(SdkBootstrap, 'The response to a repeated request, or the recovered session of a known installation.'),
      201: json(SdkBootstrap, 'The session was opened.'),
    },
  }),
  {
    callers: [apiKey, colleague],
    reveals: 'values',
    audits: 'sdk_session.created',
    changes: 'credentials',
    user: 'id',
    failures: ['invalid_body', 'not_found', 'idempotency_conflict'],
  },
);

export const listSdkSessions = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/v1/users/{id}/sdk-sessions',
    operationId: 'listSdkSessions',
    tags: [tag],
    summary: 'List SDK sessions',
    description:
      'Lists the pending and active sessions of a user, newest first. Sessions from before the user was removed from the team have ended and are not listed.',
    request: { params: z.object({ id }) },
    responses: { 200: json(SdkSessionList, 'The sessions.') },
  }),
  { callers: [apiKey, colleague], reveals: 'state', user: 'id', servesUnshared: true, failures: ['not_found'] },
);

export const revokeSdkSession = defineEndpoint(
  createRoute({
    method: 'delete',
    path: '/v1/users/{id}/sdk-sessions/{session_id}',
    operationId: 'revokeSdkSession',
    tags: [tag],
    summary: 'Revoke an SDK session',
    description: `Ends the session. ${actEffects['sdk_session.revoked']}`,
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
  {
    callers: [apiKey, colleague],
    reveals: 'state',
    audits: 'sdk_session.revoked',
    changes: 'state',
    user: 'id',
    servesUnshared: true,
    failures: ['not_found'],
  },
);

export const exchangeSdkToken = defineEndpoint(
  createRoute({
    method: 'post',
    path: '/v1/sdk/sessions/exchange',
    operationId: 'exchangeSdkToken',
    tags: [tag],
    summary: 'Exchange a client token',
    description:
      'The app exchanges its single-use client token for credentials. A mobile token works too: it opens a session with ' +
      'the categories it was issued for. A token that was already used, has expired or was altered fails with `invalid_token`.',
    request: { body: jsonBody(SdkExchangeRequest) },
    responses: { 200: json(SdkCredentials, 'The credentials.') },
  }),
  {
    callers: [],
    reveals: 'nothing',
    audits: false,
    changes: 'credentials',
    ignoresUnknownParameters,
    failures: ['invalid_token'],
  },
);

export const refreshSdkCredentials = defineEndpoint(
  createRoute({
    method: 'post',
    path: '/v1/sdk/sessions/refresh',
    operationId: 'refreshSdkCredentials',
    tags: [tag],
    summary: 'Refresh SDK credentials',
    description:
      'Returns the next pair of credentials. A refresh token can be used once; within 60 seconds it can be used one more time ' +
      'and returns the same pair, in case the response was lost. Using it after that ends the session.',
    request: { body: jsonBody(SdkRefreshRequest) },
    responses: { 200: json(SdkCredentials, 'The next pair of credentials.') },
  }),
  {
    callers: [],
    reveals: 'nothing',
    audits: false,
    changes: 'credentials',
    ignoresUnknownParameters,
    failures: ['invalid_token', 'token_expired'],
  },
);

export const revokeOwnSdkSession = defineEndpoint(
  createRoute({
    method: 'delete',
    path: '/v1/sdk/sessions/current',
    operationId: 'revokeOwnSdkSession',
    tags: [tag],
    summary: 'Sign out the phone',
    description:
      'Ends the session of the access token, even one over its rate limit: its credentials stop working immediately.',
    responses: { 204: { description: 'The session was revoked.' } },
  }),
  { callers: [endingPhone], reveals: 'state', audits: false, changes: 'state', ignoresUnknownParameters },
);

const formatMegabytes = (bytes: number): string => `${bytes / 1e6} MB`;

export const uploadSdkData = defineEndpoint(
  createRoute({
    method: 'post',
    path: '/v1/sdk/data',
    operationId: 'uploadSdkData',
    tags: [tag],
    summary: 'Upload health data',
    description:
      'Stores a batch of records from one device, as JSON or with `Content-Encoding: gzip`: at most ' +
      `${formatMegabytes(uploadLimits.wireBytes)} as sent, ${formatMegabytes(uploadLimits.decompressedBytes)} decompressed and ${uploadLimits.records.toLocaleString('en')} records. Each record is validated on its own: valid records are stored even if others are rejected. ` +
      `The first ${maxReportedRejections} rejections are listed by path; the rest are only counted. An unknown field of the upload is rejected like a record. Newer data replaces what the device sent before; sending the last ` +
      `batch again changes nothing. A user can have at most ${maxDevices} active devices (409 \`limit_reached\`). A device can send at most ` +
      `${uploadLimits.sessionsPerDay} nights and ${uploadLimits.sessionsPerDay} workouts per day and ${uploadLimits.tracePoints.toLocaleString('en')} points in a trace (\`limit_exceeded\`), and ` +
      `nothing before ${uploadLimits.firstYear}. A session can send ${sdkSessionRateLimit.perSecond} upload a second, with bursts of ${sdkSessionRateLimit.burst}. The body can be nested at most ${uploadLimits.depth} levels deep and can have at most ${uploadLimits.values.toLocaleString('en')} values.`,
    request: { body: jsonBody(ReceivedUpload) },
    responses: {
      202: json(UploadAccepted, 'The valid records are stored and are being processed.', {
        batch_id: 'bat_Zk1wQ0t5b2R4UjB2d3d3dw',
        accepted: 997,
        rejected_count: 1,
        rejected: [
          {
            path: 'samples.12.value',
            code: 'implausible_value',
            message: 'heart_rate must be between 20 and 300 bpm.',
          },
        ],
      }),
    },
  }),
  {
    callers: [phone],
    reveals: 'values',
    audits: false,
    changes: 'data',
    ignoresUnknownParameters,
    documentedBody: Upload,
    bodyLimits: {
      wireBytes: uploadLimits.wireBytes,
      decompressedBytes: uploadLimits.decompressedBytes,
      shape: {
        depth: uploadLimits.depth,
        values: uploadLimits.values,
        members: uploadLimits.records + 100,
        reportedMembers: uploadLimits.records,
      },
    },
    failures: ['limit_reached', 'sharing_revoked'],
  },
);
