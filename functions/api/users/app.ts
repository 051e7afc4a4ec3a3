import { deleteUser } from '../../../shared/erasure/delete-user.ts';
import { type Api, createApi } from '../../../shared/http/api.ts';
import { openCursor, sealCursor } from '../../../shared/http/cursor.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { memberLookup } from '../../../shared/team/members.ts';
import { getUser } from '../../../shared/users/devices.ts';
import { form1User, form1Users, form1WrittenUser } from '../../../shared/users/form-1.ts';
import { listUsersAtOffset } from '../../../shared/users/list-users-at-offset.ts';
import * as users from '../../../shared/users/users.ts';
import { onHttp } from '../../runtime/on-http.ts';
import * as form1 from './form-1-routes.ts';
import * as routes from './routes.ts';

export function usersApi(deps: Deps): Api {
  const api = createApi(deps);

  api.openapi(routes.createUser, async (c) => {
    const user = await users.createUser(deps, c.var.caller, c.req.valid('json'));
    c.set('actedOn', [user.id]);
    return c.json(user, 201);
  });

  api.openapi(routes.listUsers, async (c) => {
    const { caller } = c.var;
    const { limit, external_ref, member, cursor } = c.req.valid('query');
    const scope = { caller, route: routes.listUsers.route.operationId, query: { limit, external_ref, member } };
    const afterId = openCursor(deps.keyring, scope, cursor);
    const page = await users.listUsers(deps, caller, {
      limit,
      afterId,
      reference: external_ref,
      userOfMember: memberLookup(deps, caller, member),
    });
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

  api.openapi(form1.createUser, async (c) =>
    c.json(form1WrittenUser.render(await users.createUser(deps, c.var.caller, c.req.valid('json')), {}), 201),
  );

  api.openapi(form1.listUsers, async (c) => {
    const query = c.req.valid('query');
    const { member, ...requested } = form1Users.parse(query);
    const userOfMember = memberLookup(deps, c.var.caller, member);
    const read = await listUsersAtOffset(deps, c.var.caller, { ...requested, userOfMember });
    return c.json(form1Users.render(read, query), 200);
  });

  api.openapi(form1.getUser, async (c) =>
    c.json(form1User.render(await getUser(deps, c.var.caller, c.req.valid('param').user_id), {}), 200),
  );

  api.openapi(form1.updateUser, async (c) => {
    const { user_id } = c.req.valid('param');
    const user = await users.updateUser(deps, c.var.caller, user_id, c.req.valid('json'));
    return c.json(form1WrittenUser.render(user, {}), 200);
  });

  api.openapi(form1.deleteUser, async (c) =>
    c.json(await deleteUser(deps, c.var.caller, c.req.valid('param').user_id), 202),
  );

  return api;
}

export const handler = onHttp(usersApi);
