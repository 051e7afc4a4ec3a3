// A backend, with the key of one environment: everything in it is open to it.
import {
  type ApiKeyCaller,
  admitApiKey,
  apiKeyHashIn,
  apiKeyLastSeen,
} from '../../../shared/accounts/admit-api-key.ts';
import { bearerFailures, bearerShowing, bearerToken } from '../../../shared/http/bearer.ts';
import type { CallerKind } from '../../../shared/http/caller-kind.ts';
import { phone } from './phone.ts';
import { userToken } from './user-token.ts';

export const apiKey: CallerKind<ApiKeyCaller> = {
  name: 'api_key',
  securityScheme: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key, `sk_live_…` or `sk_sandbox_…`: the whole environment, every operation. 90 days, rotatable.',
  },
  ...bearerShowing,
  failures: [...bearerFailures, 'insufficient_scope'],
  tellsApart: [userToken, phone],
  open: (deps) => async (request) => {
    const token = bearerToken(request);
    const hash = token === undefined ? undefined : apiKeyHashIn(deps, token);
    if (hash === undefined) return undefined;
    return { admit: () => admitApiKey(deps, hash), lastSeen: () => apiKeyLastSeen(deps, hash) };
  },
};
