import { publicSigningKeys } from '../../../shared/domain/access/signing-keys.ts';
import { issueMobileToken, userTokenIssuer } from '../../../shared/domain/access/tokens.ts';
import type { Deps } from '../../../shared/domain/deps.ts';
import { type Api, newApi, reply } from '../../../shared/http/api.ts';
import * as routes from './routes.ts';

export function tokensApi(deps: Deps): Api {
  const api = newApi(deps);
  const issueUserToken = userTokenIssuer(deps);

  api.serve(routes.issueUserToken, async ({ caller, body }) => reply(200, await issueUserToken(caller, body.user_id)));

  api.serve(routes.refreshUserToken, async ({ caller, body }) =>
    reply(200, await issueUserToken(caller, body.user_id)),
  );

  api.serve(routes.issueMobileToken, async ({ caller, body }) =>
    reply(200, await issueMobileToken(deps, caller, { userId: body.user_id, scopes: body.scopes })),
  );

  api.serve(routes.publicKeys, async () => reply(200, { keys: await publicSigningKeys(deps) }));

  return api;
}
