// A phone that comes with an access token, let in or not.

import { admitPhone, parseAccessToken } from '../../shared/mobile/admit-phone.ts';
import type { SdkCaller } from '../../shared/mobile/sdk-caller.ts';
import type { Deps } from '../../shared/system/deps.ts';

export async function admitWithToken(deps: Deps, token: string): Promise<SdkCaller> {
  const claims = parseAccessToken(deps, token);
  if (!claims) throw new Error('it is no access token');
  return (await admitPhone(deps, claims)).caller;
}
