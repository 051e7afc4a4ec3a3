// The phone caller: a device that uploads for the user of its SDK session, with that session's
// access token.

import { bearerCredential, bearerFailures, parseBearerToken } from '../../../shared/http/bearer.ts';
import type { CallerKind } from '../../../shared/http/caller-kind.ts';
import { admitPhone, parseAccessToken } from '../../../shared/mobile/admit-phone.ts';
import type { SdkCaller } from '../../../shared/mobile/sdk-caller.ts';
import { unknownTokenText } from '../../../shared/system/admission.ts';

export const phone: CallerKind<SdkCaller> = {
  name: 'sdk_session',
  securityScheme: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The access token of an SDK session, `sdk_at_…`. It uploads data for one installation, is valid for 24 hours and can be refreshed.',
  },
  ...bearerCredential,
  unknownMessage: `${unknownTokenText} This endpoint requires the access token of an SDK session.`,
  failures: bearerFailures,
  wrongEndpointMessage: 'SDK credentials can only upload data. Use an API key.',
  createRecognizer: createPhoneRecognizer({ isEnding: false }),
};

/** A phone that ends its session: it may, even when its uploads have used up its rate limit. */
export const endingPhone: CallerKind<SdkCaller> = {
  ...phone,
  createRecognizer: createPhoneRecognizer({ isEnding: true }),
};

function createPhoneRecognizer(options: { isEnding: boolean }): CallerKind<SdkCaller>['createRecognizer'] {
  return (deps) => async (request) => {
    const token = parseBearerToken(request);
    const claims = token === undefined ? undefined : parseAccessToken(deps, token);
    return claims && { admit: () => admitPhone(deps, claims, options) };
  };
}
