import { publicSigningKeys } from '../../../shared/accounts/signing-keys.ts';
import { createUserTokenIssuer } from '../../../shared/accounts/tokens.ts';
import { type Api, createApi } from '../../../shared/http/api.ts';
import { issueMobileToken } from '../../../shared/mobile/mobile-token.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { onHttp } from '../../runtime/on-http.ts';
import * as routes from './routes.ts';

export function tokensApi(deps: Deps): Api {
  const api = createApi(deps);
  const issueUserToken = createUserTokenIssuer(deps);

  api.openapi(routes.issueUserToken, async (c) =>
    c.json(await issueUserToken(c.var.caller, c.req.valid('json').user_id), 200),
  );

  api.openapi(routes.refreshUserToken, async (c) =>
    c.json(await issueUserToken(c.var.caller, c.req.valid('json').user_id), 200),
  );

  api.openapi(routes.issueMobileToken, async (c) => {
    const { user_id, scopes } = c.req.valid('json');
    return c.json(await issueMobileToken(deps, c.var.caller, { userId: user_id, scopes }), 200);
  });

  api.openapi(routes.publicKeys, async (c) => c.json({ keys: await publicSigningKeys(deps) }, 200));

  return api;
}

export const handler = onHttp(tokensApi);
