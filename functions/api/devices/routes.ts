// Devices: what a user has linked.
import * as z from 'zod';
import { json, paid } from '../../../shared/http/answers.ts';
import { route } from '../../../shared/http/route.ts';
import { Device } from '../../../shared/model/device.ts';

export const listDevices = route({
  method: 'get',
  path: '/v1/users/{user_id}/devices',
  operationId: 'listDevices',
  tag: 'Devices',
  summary: 'List devices',
  description: 'Every wearable account and phone the user has linked, with when each last synced.',
  callers: ['api_key', 'user_token'],
  params: z.object({
    user_id: z.string().meta({ description: 'The user.', examples: ['usr_01k9p3w0b1c3e5g7j9m1p3r5t7'] }),
  }),
  answers: {
    200: json(
      z.object({ data: z.array(Device) }).meta({ id: 'DeviceList', description: 'The devices of a user.' }),
      'The devices.',
    ),
  },
  failures: ['not_found', ...paid],
});
