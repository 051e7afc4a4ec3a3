import type { ColleagueCaller } from '../../../shared/console/admit-session.ts';
import * as colleagues from '../../../shared/console/colleagues.ts';
import { listConsoleKeys, replaceConsoleKey, revokeConsoleKeys } from '../../../shared/console/console-api-keys.ts';
import {
  removeColleagueAndEndCredentials,
  resetAccessAndEndCredentials,
  updateColleagueAndEndCredentials,
} from '../../../shared/credentials/end-colleague.ts';
import type { ActOrigin } from '../../../shared/credentials/end-made-credentials.ts';
import { listMadeCredentials } from '../../../shared/credentials/list-made-credentials.ts';
import { type Api, createApi } from '../../../shared/http/api.ts';
import type { Bindings } from '../../../shared/http/api-env.ts';
import { describeRequest } from '../../../shared/http/shorten-to-network.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { onHttp } from '../../runtime/on-http.ts';
import * as routes from './routes.ts';

const toActOrigin = ({ env, var: { caller } }: { env: Bindings; var: { caller: ColleagueCaller } }): ActOrigin => ({
  account: caller.account,
  actor: caller.actor,
  request: describeRequest(env),
});

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
    const { credentials: fate = 'end' } = c.req.valid('query');
    const choice = { patch: c.req.valid('json'), fate };
    return c.json(await updateColleagueAndEndCredentials(deps, c.var.caller, toActOrigin(c), id, choice), 200);
  });

  api.openapi(routes.removeColleague, async (c) => {
    const { credentials: fate = 'end' } = c.req.valid('query');
    await removeColleagueAndEndCredentials(deps, toActOrigin(c), c.req.valid('param').id, fate);
    return c.body(null, 204);
  });

  api.openapi(routes.resetColleagueAccess, async (c) => {
    const { credentials: fate = 'end' } = c.req.valid('query');
    const choice = { origin: c.env.origin, fate };
    const { id } = c.req.valid('param');
    return c.json(await resetAccessAndEndCredentials(deps, c.var.caller, toActOrigin(c), id, choice), 201);
  });

  api.openapi(routes.listColleagueCredentials, async (c) => {
    const { account } = c.var.caller;
    const { id } = await colleagues.getColleague(deps, account, c.req.valid('param').id);
    return c.json(await listMadeCredentials(deps, account, id, c.req.valid('query').new_role), 200);
  });

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
