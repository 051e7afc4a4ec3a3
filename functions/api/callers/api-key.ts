// The API key caller: a backend with full access to one environment.
import {
  type ApiKeyCaller,
  admitApiKey,
  findCachedApiKeyCaller,
  hashIfApiKey,
  noteKeyStatus,
} from '../../../shared/accounts/admit-api-key.ts';
import { bearerCredential, bearerFailures, parseBearerToken } from '../../../shared/http/bearer.ts';
import type { CallerKind } from '../../../shared/http/caller-kind.ts';
import { phone } from './phone.ts';
import { userToken } from './user-token.ts';

export const apiKey: CallerKind<ApiKeyCaller> = {
  name: 'api_key',
  securityScheme: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key, `sk_live_…` or `sk_sandbox_…`. It gives full access to its environment, is valid for 90 days and can be rotated.',
  },
  ...bearerCredential,
  failures: [...bearerFailures, 'insufficient_scope'],
  alsoRecognizes: [userToken, phone],
  createRecognizer: (deps) => async (request) => {
    const token = parseBearerToken(request);
    const hash = token === undefined ? undefined : hashIfApiKey(deps, token);
    if (hash === undefined) return undefined;
    return {
      admit: () => admitApiKey(deps, hash),
      findCachedCaller: () => findCachedApiKeyCaller(deps, hash),
      noteStatus: (status) => noteKeyStatus(deps, hash, status),
    };
  },
};
