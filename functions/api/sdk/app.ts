import type { Deps } from '../../../shared/domain/deps.ts';
import { acceptUpload } from '../../../shared/domain/sdk/accept-upload.ts';
import { exchangeToken } from '../../../shared/domain/sdk/exchange.ts';
import { openSession } from '../../../shared/domain/sdk/open-session.ts';
import { refreshCredentials } from '../../../shared/domain/sdk/refresh.ts';
import { listSessions, revokeOwnSession, revokeSession } from '../../../shared/domain/sdk/sessions.ts';
import { type Api, newApi, reply } from '../../../shared/http/api.ts';
import * as routes from './routes.ts';

export function sdkApi(deps: Deps): Api {
  const api = newApi(deps);

  api.serve(routes.openSdkSession, async ({ caller, params, headers, body, facts }) => {
    const { created, bootstrap } = await openSession(deps, caller, {
      userId: params.id,
      idempotencyKey: headers['Idempotency-Key'],
      body,
      origin: facts.origin,
    });
    return created ? reply(201, bootstrap) : reply(200, bootstrap);
  });

  api.serve(routes.listSdkSessions, async ({ caller, params }) =>
    reply(200, { data: await listSessions(deps, caller, params.id) }),
  );

  api.serve(routes.revokeSdkSession, async ({ caller, params }) => {
    await revokeSession(deps, caller, params.id, params.session_id);
    return reply(204);
  });

  api.serve(routes.exchangeSdkToken, async ({ body }) => reply(200, await exchangeToken(deps, body)));

  api.serve(routes.refreshSdkCredentials, async ({ body }) =>
    reply(200, await refreshCredentials(deps, body.refresh_token)),
  );

  api.serve(routes.revokeOwnSdkSession, async ({ caller }) => {
    await revokeOwnSession(deps, caller);
    return reply(204);
  });

  api.serve(routes.uploadSdkData, async ({ caller, body }) => reply(202, await acceptUpload(deps, caller, body)));

  return api;
}
