import { type Api, createApi } from '../../../shared/http/api.ts';
import { readOverview } from '../../../shared/overview/read-overview.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { findUserByEmail } from '../../../shared/team/members.ts';
import { searchUsers } from '../../../shared/users/search-users.ts';
import { onHttp } from '../../runtime/on-http.ts';
import * as routes from './routes.ts';

export function consoleStateApi(deps: Deps): Api {
  const api = createApi(deps);

  api.openapi(routes.searchPeople, async (c) => {
    const { caller } = c.var;
    const userOfEmail = (email: string) => findUserByEmail(deps, caller, email);
    return c.json({ data: await searchUsers(deps, caller, { text: c.req.valid('query').q, userOfEmail }) }, 200);
  });

  api.openapi(routes.getOverview, async (c) =>
    c.json(await readOverview(deps, c.var.caller, c.req.valid('query').range), 200),
  );

  return api;
}

export const handler = onHttp(consoleStateApi);
