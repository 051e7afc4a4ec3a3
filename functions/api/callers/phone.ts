// A phone, with the access token of its SDK session: it uploads for the user the session was opened for.

import { bearerCredential, bearerFailures, parseBearerToken } from '../../../shared/http/bearer.ts';
import type { CallerKind } from '../../../shared/http/caller-kind.ts';
import { admitPhone, parseAccessToken } from '../../../shared/mobile/admit-phone.ts';
import type { SdkCaller } from '../../../shared/mobile/sdk-caller.ts';

export const phone: CallerKind<SdkCaller> = {
  name: 'sdk_session',
  securityScheme: {
    type: 'http',
    scheme: 'bearer',
    description: 'The access token of an SDK session, `sdk_at_…`: uploads for one installation. 24 hours, renewable.',
  },
  ...bearerCredential,
  unknownMessage: `${bearerCredential.unknownMessage} This endpoint requires the access token of an SDK session.`,
  failures: bearerFailures,
  wrongEndpointMessage: 'SDK credentials can only upload data. Use an API key.',
  createRecognizer: (deps) => async (request) => {
    const token = parseBearerToken(request);
    const claims = token === undefined ? undefined : parseAccessToken(deps, token);
    return claims && { admit: () => admitPhone(deps, claims) };
  },
};
