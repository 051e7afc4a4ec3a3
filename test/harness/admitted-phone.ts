// A phone that comes with an access token, let in or not.
import type { Deps } from '../../shared/domain/deps.ts';
import { accessClaimsIn, admitPhone } from '../../shared/domain/sdk/admit-phone.ts';
import type { SdkCaller } from '../../shared/model/account.ts';

export async function admittedPhone(deps: Deps, token: string): Promise<SdkCaller> {
  const claims = accessClaimsIn(deps, token);
  if (!claims) throw new Error('it is no access token');
  return (await admitPhone(deps, claims)).caller;
}
