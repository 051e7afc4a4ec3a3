import { type Api, createApi } from '../../../shared/http/api.ts';
import { acceptUpload, recordFailedUpload } from '../../../shared/mobile/accept-upload.ts';
import { exchangeToken } from '../../../shared/mobile/exchange-token.ts';
import { openSession } from '../../../shared/mobile/open-session.ts';
import { refreshCredentials } from '../../../shared/mobile/refresh-credentials.ts';
import { listSessions, revokeOwnSession, revokeSession } from '../../../shared/mobile/sdk-sessions.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { onHttp } from '../../runtime/on-http.ts';
import * as routes from './routes.ts';

export function sdkApi(deps: Deps): Api {
  const api = createApi(deps);

  api.openapi(routes.openSdkSession, async (c) => {
    const { created, bootstrap } = await openSession(deps, c.var.caller, {
      userId: c.req.valid('param').id,
      idempotencyKey: c.req.valid('header')['Idempotency-Key'],
      body: c.req.valid('json'),
      origin: c.env.origin,
    });
    c.set('actedOn', [bootstrap.session_id]);
    return created ? c.json(bootstrap, 201) : c.json(bootstrap, 200);
  });

  api.openapi(routes.listSdkSessions, async (c) =>
    c.json({ data: await listSessions(deps, c.var.caller, c.req.valid('param').id) }, 200),
  );

  api.openapi(routes.revokeSdkSession, async (c) => {
    const { id, session_id } = c.req.valid('param');
    await revokeSession(deps, c.var.caller, id, session_id);
    return c.body(null, 204);
  });

  api.openapi(routes.exchangeSdkToken, async (c) => c.json(await exchangeToken(deps, c.req.valid('json')), 200));

  api.openapi(routes.refreshSdkCredentials, async (c) =>
    c.json(await refreshCredentials(deps, c.req.valid('json').refresh_token), 200),
  );

  api.openapi(routes.revokeOwnSdkSession, async (c) => {
    await revokeOwnSession(deps, c.var.caller);
    return c.body(null, 204);
  });

  api.openapi(
    routes.uploadSdkData,
    async (c) => c.json(await acceptUpload(deps, c.var.caller, c.req.valid('json')), 202),
    (caller, failure) => recordFailedUpload(deps, caller, failure),
  );

  return api;
}

export const handler = onHttp(sdkApi);
