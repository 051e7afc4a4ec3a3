// A phone, with the access token of its SDK session: it uploads for the user the session was opened for.

import { bearerFailures, bearerShowing, bearerToken } from '../../../shared/http/bearer.ts';
import type { CallerKind } from '../../../shared/http/caller-kind.ts';
import { accessClaimsIn, admitPhone } from '../../../shared/mobile/admit-phone.ts';
import type { SdkCaller } from '../../../shared/mobile/sdk-caller.ts';

export const phone: CallerKind<SdkCaller> = {
  name: 'sdk_session',
  securityScheme: {
    type: 'http',
    scheme: 'bearer',
    description: 'The access token of an SDK session, `sdk_at_…`: uploads for one installation. 24 hours, renewable.',
  },
  ...bearerShowing,
  unknown: `${bearerShowing.unknown} This endpoint requires the access token of an SDK session.`,
  failures: bearerFailures,
  elsewhere: 'SDK credentials can only upload data. Use an API key.',
  open: (deps) => async (request) => {
    const token = bearerToken(request);
    const claims = token === undefined ? undefined : accessClaimsIn(deps, token);
    return claims && { admit: () => admitPhone(deps, claims) };
  },
};
