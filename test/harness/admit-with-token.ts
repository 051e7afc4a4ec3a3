// Admits a phone by its access token.

import { admitPhone, parseAccessToken } from '../../shared/mobile/admit-phone.ts';
import type { SdkCaller } from '../../shared/mobile/sdk-caller.ts';
import type { Deps } from '../../shared/system/deps.ts';

export async function admitWithToken(deps: Deps, token: string): Promise<SdkCaller> {
  const claims = parseAccessToken(deps, token);
  if (!claims) throw new Error('not an access token');
  return (await admitPhone(deps, claims)).caller;
}
