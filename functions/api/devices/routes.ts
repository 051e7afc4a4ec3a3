// Devices: what a user has linked.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import {
  ConnectLink,
  ConnectLinkRequest,
  ConnectRequest,
  PendingDevice,
} from '../../../shared/connections/connection.ts';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { json, jsonBody, paymentFailures } from '../../../shared/http/responses.ts';
import { Device } from '../../../shared/users/device.ts';
import { apiKey } from '../callers/api-key.ts';
import { userToken } from '../callers/user-token.ts';

const user_id = z.string().meta({ description: 'The user.', examples: ['usr_01k9p3w0b1c3e5g7j9m1p3r5t7'] });

export const listDevices = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/v1/users/{user_id}/devices',
    operationId: 'listDevices',
    tags: ['Devices'],
    summary: 'List devices',
    description: 'Every wearable account and phone the user has linked, and when each last synced.',
    request: { params: z.object({ user_id }) },
    responses: {
      200: json(
        z.object({ data: z.array(Device) }).meta({ id: 'DeviceList', description: 'The devices of a user.' }),
        'The devices.',
      ),
    },
  }),
  { callers: [apiKey, userToken], user: 'user_id', servesUnshared: true, failures: ['not_found', ...paymentFailures] },
);

export const connectDevice = defineEndpoint(
  createRoute({
    method: 'post',
    path: '/v1/users/{user_id}/devices',
    operationId: 'connectDevice',
    tags: ['Devices'],
    summary: 'Connect a device',
    description:
      'Starts linking a cloud provider and returns the page to send the person to. They give their consent at the provider; the device then becomes `active` and ' +
      'its history is fetched, newest days first. The link is good once, for 15 minutes. Connecting a provider that is already connected ' +
      'returns a new pending device, which takes the place of the old one when consent is given; the old one keeps its history until it is deleted. ' +
      'On-device sources (Apple Health, Health Connect, Samsung Health) connect through the Mobile SDK. In the sandbox every provider is played by a built-in one.',
    request: { params: z.object({ user_id }), body: jsonBody(ConnectRequest) },
    responses: {
      200: json(PendingDevice, 'The device that waits for consent.'),
    },
  }),
  {
    callers: [apiKey],
    user: 'user_id',
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
      'Returns a page where the person picks among the providers, sees what is connected and disconnects. It belongs to this user and is good for 24 hours. It ends earlier when you revoke it, when the API key that created it ends, or when the person is removed from the team. Connections that were started on it and still wait for consent end with it.',
    request: { params: z.object({ id: user_id }), body: jsonBody(ConnectLinkRequest) },
    responses: { 201: json(ConnectLink, 'The link.') },
  }),
  { callers: [apiKey], user: 'id', failures: ['not_found', 'unconnectable_provider', ...paymentFailures] },
);

export const revokeConnectLink = defineEndpoint(
  createRoute({
    method: 'delete',
    path: '/v1/users/{id}/connect-links/{link_id}',
    operationId: 'revokeConnectLink',
    tags: ['Devices'],
    summary: 'Revoke a connect link',
    description:
      'From then on, the page says that the link no longer works. Connections that were started on it can no longer be completed, and their pending devices become `failed` when their 15 minutes are over; connected devices stay. ' +
      'A suspended account can revoke its links too. ' +
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
  { callers: [apiKey], user: 'id', servesUnshared: true, failures: ['not_found'] },
);

export const disconnectDevice = defineEndpoint(
  createRoute({
    method: 'delete',
    path: '/v1/users/{user_id}/devices/{device_id}',
    operationId: 'disconnectDevice',
    tags: ['Devices'],
    summary: 'Disconnect a device',
    description:
      'Gives the consent back to the provider, stops syncing and removes everything the device contributed; affected days are recomputed from what ' +
      'remains. For an on-device source, the Mobile SDK sessions of its provider end too, so it only comes back when the app ' +
      'opens a new one. Repeating the call for the same device has no further effect.',
    request: {
      params: z.object({
        user_id,
        device_id: z.string().meta({ description: 'The device.', examples: ['dev_01k9p3w4d6f8h0k2n4q6s8v0x2'] }),
      }),
    },
    responses: { 204: { description: 'The device is disconnected.' } },
  }),
  { callers: [apiKey], user: 'user_id', servesUnshared: true, failures: ['not_found', ...paymentFailures] },
);
