// Routes for devices: the wearables and phones a user has linked.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { actEffects } from '../../../shared/audit/act-effects.ts';
import {
  ConnectLink,
  ConnectLinkRequest,
  ConnectRequest,
  DocumentedConnectLinkRequest,
  DocumentedConnectRequest,
  PendingDevice,
  SyncRequest,
  syncCooldownMinutes,
} from '../../../shared/connections/connection.ts';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { json, jsonBody, paymentFailures } from '../../../shared/http/responses.ts';
import { ReplayRequest, replayCooldownMinutes } from '../../../shared/pipeline/replay-request.ts';
import { UploadSummary, uploadSummaryDays } from '../../../shared/pipeline/upload-summary.ts';
import { Cursor, createLimitField, Page } from '../../../shared/platform/page.ts';
import { createBooleanField } from '../../../shared/reads/kit/read-parameters.ts';
import { Device } from '../../../shared/users/device.ts';
import { apiKey } from '../callers/api-key.ts';
import { colleague } from '../callers/colleague.ts';
import { userToken } from '../callers/user-token.ts';

const user_id = z.string().meta({ description: 'The user.', examples: ['usr_01k9p3w0b1c3e5g7j9m1p3r5t7'] });

const DevicePath = z.object({
  user_id,
  device_id: z.string().meta({ description: 'The device.', examples: ['dev_01k9p3w4d6f8h0k2n4q6s8v0x2'] }),
});

export const listDevices = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/v1/users/{user_id}/devices',
    operationId: 'listDevices',
    tags: ['Devices'],
    summary: 'List devices',
    description: 'Lists every wearable account and phone the user has linked, and when each one last synced.',
    request: { params: z.object({ user_id }) },
    responses: {
      200: json(
        z.object({ data: z.array(Device) }).meta({ id: 'DeviceList', description: "The user's devices." }),
        'The devices.',
      ),
    },
  }),
  {
    callers: [apiKey, colleague, userToken],
    reveals: 'state',
    user: 'user_id',
    servesUnshared: true,
    failures: ['not_found', ...paymentFailures],
  },
);

export const connectDevice = defineEndpoint(
  createRoute({
    method: 'post',
    path: '/v1/users/{user_id}/devices',
    operationId: 'connectDevice',
    tags: ['Devices'],
    summary: 'Connect a device',
    description:
      'Starts linking a cloud provider and returns the page to send the user to. After the user gives consent at the provider, the device becomes `active` and ' +
      'its history is fetched, newest days first. The link works once and expires after 15 minutes. Connecting a provider that is already connected ' +
      'returns a new pending device, which replaces the old one when consent is given. The old device is then `replaced`, and keeps its history until you delete it. ' +
      'On-device sources (Apple Health, Health Connect, Samsung Health) connect through the Mobile SDK. In the sandbox, a built-in simulated provider stands in for every provider.',
    request: { params: z.object({ user_id }), body: jsonBody(ConnectRequest) },
    responses: {
      200: json(PendingDevice, 'The pending device.'),
    },
  }),
  {
    callers: [apiKey, colleague],
    reveals: 'values',
    audits: 'device.connection_started',
    changes: 'credentials',
    user: 'user_id',
    documentedBody: DocumentedConnectRequest,
    failures: ['not_found', 'unconnectable_provider', 'limit_reached', ...paymentFailures],
  },
);

export const createConnectLink = defineEndpoint(
  createRoute({
    method: 'post',
    path: '/v1/users/{id}/connect-links',
    operationId: 'createConnectLink',
    tags: ['Devices'],
    summary: 'Create a connect link',
    description:
      'Returns a page where the user picks a provider, sees what is connected and disconnects devices. The link belongs to this user and is valid for 24 hours. It ends earlier when you revoke it, when the API key that created it is no longer valid, when the colleague who created it is removed, loses the right to create links or has their access reset, or when the user is removed from the team. Connections that were started on the page and still wait for consent end with it.',
    request: { params: z.object({ id: user_id }), body: jsonBody(ConnectLinkRequest) },
    responses: { 201: json(ConnectLink, 'The link.') },
  }),
  {
    callers: [apiKey, colleague],
    reveals: 'values',
    audits: 'connect_link.created',
    changes: 'credentials',
    user: 'id',
    documentedBody: DocumentedConnectLinkRequest,
    failures: ['not_found', 'unconnectable_provider', ...paymentFailures],
  },
);

export const revokeConnectLink = defineEndpoint(
  createRoute({
    method: 'delete',
    path: '/v1/users/{id}/connect-links/{link_id}',
    operationId: 'revokeConnectLink',
    tags: ['Devices'],
    summary: 'Revoke a connect link',
    description:
      `${actEffects['connect_link.revoked']} ` +
      'Pending devices of such connections become `failed` when their 15 minutes are over. ' +
      'A suspended account can also revoke its links. ' +
      'Repeating the call has no further effect. An expired link can be revoked for 30 days; after that it is `not_found`.',
    request: {
      params: z.object({
        id: user_id,
        link_id: z
          .string()
          .meta({ description: 'The `id` of the link.', examples: ['lnk_01k9p3w5e7g9j1m3p5r7t9w1y3'] }),
      }),
    },
    responses: { 204: { description: 'The link is revoked.' } },
  }),
  {
    callers: [apiKey, colleague],
    reveals: 'state',
    audits: 'connect_link.revoked',
    changes: 'state',
    user: 'id',
    servesUnshared: true,
    failures: ['not_found'],
  },
);

export const syncDevice = defineEndpoint(
  createRoute({
    method: 'post',
    path: '/v1/users/{user_id}/devices/{device_id}/sync',
    operationId: 'syncDevice',
    tags: ['Devices'],
    summary: 'Sync a device now',
    description:
      `Asks the provider for the newest days now, instead of waiting for its next push or poll. A request has an effect once in ${syncCooldownMinutes} minutes per device. ` +
      "The request waits while the provider is unavailable or its rate limit is reached; the device's `sync.state` is then `waiting`. " +
      'A phone cannot be asked, and neither can a device that is pending or disconnected, nor a provider that allows no requests (Garmin).',
    request: { params: DevicePath },
    responses: { 202: json(SyncRequest, 'Whether the provider is asked.') },
  }),
  {
    callers: [apiKey, colleague],
    reveals: 'state',
    audits: 'device.sync_requested',
    changes: 'state',
    alsoForRoles: ['support'],
    user: 'user_id',
    failures: ['not_found', 'sync_not_possible', ...paymentFailures],
  },
);

export const replayDevice = defineEndpoint(
  createRoute({
    method: 'post',
    path: '/v1/users/{user_id}/devices/{device_id}/replay',
    operationId: 'replayDevice',
    tags: ['Devices'],
    summary: "Process a device's stored data again",
    description:
      'Processes everything that the device has sent in the last 30 days once more, with the current rules. Days change only where something is read differently; `data.updated` then names them. ' +
      `A device's data is processed again at most once in ${replayCooldownMinutes} minutes. To fetch the whole history from the provider again, connect the device again.`,
    request: { params: DevicePath },
    responses: { 202: json(ReplayRequest, 'Whether the data is processed again in the background.') },
  }),
  {
    callers: [apiKey, colleague],
    reveals: 'state',
    audits: 'device.replayed',
    changes: 'state',
    user: 'user_id',
    failures: ['not_found', ...paymentFailures],
  },
);

export const listUploads = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/v1/users/{id}/uploads',
    operationId: 'listUploads',
    tags: ['Devices'],
    summary: 'List uploads',
    description:
      `Lists the uploads of phones, pushes of providers and polls of the last ${uploadSummaryDays} days that brought data, newest first. ` +
      'Each item says how many records were accepted, and how many were rejected and why. It contains no health values. ' +
      'A batch that is sent twice in a row is listed once. Data of a provider appears when it has been processed. ' +
      'Of the uploads of an SDK session of which nothing was stored, each minute shows the last one that failed and the last one whose records were all rejected.',
    request: {
      params: z.object({ id: user_id }),
      query: z.object({
        limit: createLimitField(100, 20),
        cursor: Cursor.optional(),
        rejected: createBooleanField(
          'Whether to list only uploads that failed or of which records were rejected. A page can then be short or empty while `next_cursor` leads on.',
        ),
      }),
    },
    responses: { 200: json(Page('UploadSummaryPage', UploadSummary, 'One page of uploads.'), 'One page of uploads.') },
  }),
  {
    callers: [apiKey, colleague],
    reveals: 'state',
    user: 'id',
    servesUnshared: true,
    failures: ['not_found', 'invalid_cursor', ...paymentFailures],
  },
);

export const disconnectDevice = defineEndpoint(
  createRoute({
    method: 'delete',
    path: '/v1/users/{user_id}/devices/{device_id}',
    operationId: 'disconnectDevice',
    tags: ['Devices'],
    summary: 'Disconnect a device',
    description:
      `${actEffects['device.disconnected']} ` +
      "For an on-device source, the provider's Mobile SDK sessions end too, so the device only comes back when the app " +
      'opens a new session. Repeating the call for the same device has no further effect.',
    request: { params: DevicePath },
    responses: { 204: { description: 'The device is disconnected.' } },
  }),
  {
    callers: [apiKey, colleague],
    reveals: 'state',
    audits: 'device.disconnected',
    changes: 'data',
    user: 'user_id',
    servesUnshared: true,
    failures: ['not_found', ...paymentFailures],
  },
);
