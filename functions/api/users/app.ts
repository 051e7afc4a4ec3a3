import type { Deps } from '../../../shared/domain/deps.ts';
import { getUser } from '../../../shared/domain/devices/devices.ts';
import { deleteUser } from '../../../shared/domain/erasure/delete-user.ts';
import * as users from '../../../shared/domain/users/users.ts';
import { type Api, newApi } from '../../../shared/http/api.ts';
import { openCursor, sealCursor } from '../../../shared/http/cursor.ts';
import * as routes from './routes.ts';

export function usersApi(deps: Deps): Api {
  const api = newApi(deps);

  api.openapi(routes.createUser, async (c) =>
    c.json(await users.createUser(deps, c.var.caller, c.req.valid('json')), 201),
  );

  api.openapi(routes.listUsers, async (c) => {
    const { caller } = c.var;
    const { limit, external_ref, cursor } = c.req.valid('query');
    const scope = { caller, route: routes.listUsers.route.operationId, query: { limit, external_ref } };
    const afterId = openCursor(deps.keyring, scope, cursor);
    const page = await users.listUsers(deps, caller, { limit, externalRef: external_ref, afterId });
    const next_cursor = page.nextAfterId === undefined ? null : sealCursor(deps.keyring, scope, page.nextAfterId);
    return c.json({ data: page.users, next_cursor }, 200);
  });

  api.openapi(routes.getUser, async (c) => c.json(await getUser(deps, c.var.caller, c.req.valid('param').id), 200));

  api.openapi(routes.updateUser, async (c) => {
    const { id } = c.req.valid('param');
    return c.json(await users.updateUser(deps, c.var.caller, id, c.req.valid('json')), 200);
  });

  api.openapi(routes.deleteUser, async (c) =>
    c.json(await deleteUser(deps, c.var.caller, c.req.valid('param').id), 202),
  );

  return api;
}
