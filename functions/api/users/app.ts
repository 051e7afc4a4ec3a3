import type { Deps } from '../../../shared/domain/deps.ts';
import { getUser } from '../../../shared/domain/devices/devices.ts';
import { deleteUser } from '../../../shared/domain/erasure/delete-user.ts';
import * as users from '../../../shared/domain/users/users.ts';
import { type Api, newApi, reply } from '../../../shared/http/api.ts';
import { openCursor, sealCursor } from '../../../shared/http/cursor.ts';
import * as routes from './routes.ts';

export function usersApi(deps: Deps): Api {
  const api = newApi(deps);

  api.serve(routes.createUser, async ({ caller, body }) => reply(201, await users.createUser(deps, caller, body)));

  api.serve(routes.listUsers, async ({ caller, query: { limit, external_ref, cursor } }) => {
    const scope = { caller, route: routes.listUsers.operationId, query: { limit, external_ref } };
    const afterId = openCursor(deps.keyring, scope, cursor);
    const page = await users.listUsers(deps, caller, { limit, externalRef: external_ref, afterId });
    const next_cursor = page.nextAfterId === undefined ? null : sealCursor(deps.keyring, scope, page.nextAfterId);
    return reply(200, { data: page.users, next_cursor });
  });

  api.serve(routes.getUser, async ({ caller, params }) => reply(200, await getUser(deps, caller, params.id)));

  api.serve(routes.updateUser, async ({ caller, params, body }) =>
    reply(200, await users.updateUser(deps, caller, params.id, body)),
  );

  api.serve(routes.deleteUser, async ({ caller, params }) => reply(202, await deleteUser(deps, caller, params.id)));

  return api;
}
