import { connectDevice } from '../../../shared/connections/connect/begin-connection.ts';
import { createConnectLink, revokeConnectLink } from '../../../shared/connections/connect/connect-link.ts';
import { disconnectDevice } from '../../../shared/connections/disconnect.ts';
import { form1PendingDevice } from '../../../shared/connections/form-1.ts';
import { requestSync } from '../../../shared/connections/sync/request-sync.ts';
import { type Api, createApi } from '../../../shared/http/api.ts';
import { openCursor, sealCursor } from '../../../shared/http/cursor.ts';
import { listUploads } from '../../../shared/pipeline/list-uploads.ts';
import { requestReplay } from '../../../shared/pipeline/replay-device.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { listDevices } from '../../../shared/users/devices.ts';
import { onHttp } from '../../runtime/on-http.ts';
import * as form1 from './form-1-routes.ts';
import * as routes from './routes.ts';

export function devicesApi(deps: Deps): Api {
  const api = createApi(deps);

  api.openapi(routes.listDevices, async (c) =>
    c.json({ data: await listDevices(deps, c.var.caller, c.req.valid('param').user_id) }, 200),
  );

  api.openapi(routes.connectDevice, async (c) => {
    const pending = await connectDevice(
      deps,
      c.var.caller,
      c.req.valid('param').user_id,
      c.req.valid('json'),
      c.env.origin,
    );
    c.set('actedOn', [pending.id]);
    return c.json(pending, 200);
  });

  api.openapi(form1.connectDevice, async (c) => {
    const { user_id } = c.req.valid('param');
    const pending = await connectDevice(deps, c.var.caller, user_id, c.req.valid('json'), c.env.origin);
    return c.json(form1PendingDevice.render(pending, {}), 200);
  });

  api.openapi(routes.createConnectLink, async (c) => {
    const { id } = c.req.valid('param');
    const link = await createConnectLink(deps, c.var.caller, id, c.req.valid('json'), c.env.origin);
    c.set('actedOn', [link.id]);
    return c.json(link, 201);
  });

  api.openapi(routes.revokeConnectLink, async (c) => {
    const { id, link_id } = c.req.valid('param');
    await revokeConnectLink(deps, c.var.caller, id, link_id);
    return c.body(null, 204);
  });

  api.openapi(routes.syncDevice, async (c) => {
    const { user_id, device_id } = c.req.valid('param');
    return c.json(await requestSync(deps, c.var.caller, user_id, device_id), 202);
  });

  api.openapi(routes.replayDevice, async (c) => {
    const { user_id, device_id } = c.req.valid('param');
    return c.json(await requestReplay(deps, c.var.caller, user_id, device_id), 202);
  });

  api.openapi(routes.listUploads, async (c) => {
    const { caller } = c.var;
    const { id } = c.req.valid('param');
    const { limit, cursor, rejected } = c.req.valid('query');
    const scope = { caller, route: routes.listUploads.route.operationId, user: id, query: { limit, rejected } };
    const position = openCursor(deps.keyring, scope, cursor);
    const page = await listUploads(deps, caller, id, { limit, position, rejected });
    const next_cursor = page.position === undefined ? null : sealCursor(deps.keyring, scope, page.position);
    return c.json({ data: page.uploads, next_cursor }, 200);
  });

  api.openapi(routes.disconnectDevice, async (c) => {
    const { user_id, device_id } = c.req.valid('param');
    await disconnectDevice(deps, c.var.caller, user_id, device_id);
    return c.body(null, 204);
  });

  return api;
}

export const handler = onHttp(devicesApi);
