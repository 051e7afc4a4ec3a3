// Devices: what a user has linked.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { apiKey } from '../../../shared/http/callers/api-key.ts';
import { userToken } from '../../../shared/http/callers/user-token.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { json, paid } from '../../../shared/http/responses.ts';
import { Device } from '../../../shared/model/device.ts';

const user_id = z.string().meta({ description: 'The user.', examples: ['usr_01k9p3w0b1c3e5g7j9m1p3r5t7'] });

export const listDevices = endpoint(
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
  { callers: [apiKey, userToken], user: 'user_id', failures: ['not_found', ...paid] },
);

export const disconnectDevice = endpoint(
  createRoute({
    method: 'delete',
    path: '/v1/users/{user_id}/devices/{device_id}',
    operationId: 'disconnectDevice',
    tags: ['Devices'],
    summary: 'Disconnect a device',
    description:
      'Stops syncing and removes everything the device contributed; affected days are recomputed from what ' +
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
  { callers: [apiKey], user: 'user_id', failures: ['not_found', ...paid] },
);
