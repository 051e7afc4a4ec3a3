import * as colleagues from '../../../shared/console/colleagues.ts';
import { listConsoleKeys, replaceConsoleKey, revokeConsoleKeys } from '../../../shared/console/console-api-keys.ts';
import { type Api, createApi } from '../../../shared/http/api.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { onHttp } from '../../runtime/on-http.ts';
import * as routes from './routes.ts';

export function consoleSettingsApi(deps: Deps): Api {
  const api = createApi(deps);

  api.openapi(routes.listColleagues, async (c) =>
    c.json({ data: await colleagues.listColleagues(deps, c.var.caller) }, 200),
  );

  api.openapi(routes.inviteColleague, async (c) => {
    const invited = await colleagues.inviteColleague(deps, c.var.caller, c.req.valid('json'), c.env.origin);
    c.set('actedOn', [invited.colleague.id]);
    return c.json(invited, 201);
  });

  api.openapi(routes.updateColleague, async (c) => {
    const { id } = c.req.valid('param');
    return c.json(await colleagues.updateColleague(deps, c.var.caller, id, c.req.valid('json')), 200);
  });

  api.openapi(routes.removeColleague, async (c) => {
    await colleagues.removeColleague(deps, c.var.caller, c.req.valid('param').id);
    return c.body(null, 204);
  });

  api.openapi(routes.resetColleagueAccess, async (c) =>
    c.json(await colleagues.resetColleagueAccess(deps, c.var.caller, c.req.valid('param').id, c.env.origin), 201),
  );

  api.openapi(routes.listKeys, async (c) => c.json({ data: await listConsoleKeys(deps, c.var.caller) }, 200));

  api.openapi(routes.replaceKey, async (c) => {
    const issued = await replaceConsoleKey(deps, c.var.caller, c.req.valid('json'));
    c.set('actedOn', [issued.id]);
    return c.json(issued, 201);
  });

  api.openapi(routes.revokeKey, async (c) => {
    c.set('actedOn', await revokeConsoleKeys(deps, c.var.caller, c.req.valid('param').environment));
    return c.body(null, 204);
  });

  return api;
}

export const handler = onHttp(consoleSettingsApi);
