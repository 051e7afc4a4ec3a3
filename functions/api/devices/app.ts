import type { Deps } from '../../../shared/domain/deps.ts';
import { disconnectDevice, listDevices } from '../../../shared/domain/devices/devices.ts';
import { type Api, newApi, reply } from '../../../shared/http/api.ts';
import * as routes from './routes.ts';

export function devicesApi(deps: Deps): Api {
  const api = newApi(deps);

  api.serve(routes.listDevices, async ({ caller, params }) =>
    reply(200, { data: await listDevices(deps, caller, params.user_id) }),
  );

  api.serve(routes.disconnectDevice, async ({ caller, params }) => {
    await disconnectDevice(deps, caller, params.user_id, params.device_id);
    return reply(204);
  });

  return api;
}
