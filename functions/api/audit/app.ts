import { listAudit } from '../../../shared/audit/list-audit.ts';
import { type Api, createApi } from '../../../shared/http/api.ts';
import { openCursor, sealCursor } from '../../../shared/http/cursor.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { onHttp } from '../../runtime/on-http.ts';
import * as routes from './routes.ts';

export function auditApi(deps: Deps): Api {
  const api = createApi(deps);

  api.openapi(routes.listAudit, async (c) => {
    const { caller } = c.var;
    const { cursor, ...query } = c.req.valid('query');
    const { limit, actor, action, user_id: userId, from, to } = query;
    const scope = { caller, route: routes.listAudit.route.operationId, query };
    const page = await listAudit(deps, caller, {
      ...{ limit, actor, action, userId },
      fromMs: from === undefined ? undefined : Date.parse(from),
      toMs: to === undefined ? undefined : Date.parse(to),
      beforeId: openCursor(deps.keyring, scope, cursor),
    });
    const next_cursor = page.nextBeforeId === undefined ? null : sealCursor(deps.keyring, scope, page.nextBeforeId);
    return c.json({ data: page.entries, next_cursor }, 200);
  });

  return api;
}

export const handler = onHttp(auditApi);
