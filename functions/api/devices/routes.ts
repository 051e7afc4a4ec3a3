// Devices: what a user has linked.
import * as z from 'zod';
import { json, paid } from '../../../shared/http/answers.ts';
import { route } from '../../../shared/http/route.ts';
import { Device } from '../../../shared/model/device.ts';

const user_id = z.string().meta({ description: 'The user.', examples: ['usr_01k9p3w0b1c3e5g7j9m1p3r5t7'] });

export const listDevices = route({
  method: 'get',
  path: '/v1/users/{user_id}/devices',
  operationId: 'listDevices',
  tag: 'Devices',
  summary: 'List devices',
  description: 'Every wearable account and phone the user has linked, with when each last synced.',
  callers: ['api_key', 'user_token'],
  params: z.object({ user_id }),
  answers: {
    200: json(
      z.object({ data: z.array(Device) }).meta({ id: 'DeviceList', description: 'The devices of a user.' }),
      'The devices.',
    ),
  },
  failures: ['not_found', ...paid],
});

export const disconnectDevice = route({
  method: 'delete',
  path: '/v1/users/{user_id}/devices/{device_id}',
  operationId: 'disconnectDevice',
  tag: 'Devices',
  summary: 'Disconnect a device',
  description:
    'Stops syncing and takes everything the device brought out of the data; days it had a part in are made anew from what ' +
    'remains. For an on-device source the Mobile SDK sessions of its provider end too, so it comes back only when the app ' +
    'opens a new one. Asking again for the same device is answered the same.',
  callers: ['api_key'],
  params: z.object({
    user_id,
    device_id: z.string().meta({ description: 'The device.', examples: ['dev_01k9p3w4d6f8h0k2n4q6s8v0x2'] }),
  }),
  answers: { 204: { description: 'The device is disconnected.' } },
  failures: ['not_found', ...paid],
});
