// The link with which someone who has just joined chooses their wearables.
import { accountRows } from '../accounts/account-rows.ts';
import { apiKeyRows, getEffectiveStatus } from '../accounts/api-key-rows.ts';
import { issueConnectLink } from '../connections/connect/issue-connect-link.ts';
import type { Deps } from '../system/deps.ts';
import { devicesWithData, readUserContext } from '../users/user-context.ts';
import type { MemberRow } from './member-rows.ts';

/**
 * Returns the URL of a connect link that acts for the current API key of the environment: it ends
 * with that key, and when the member is removed. A user who already has devices gets none: if the
 * invitation went to a wrong address, its reader must neither see nor remove them. The person has
 * joined in any case, so a failure is only logged.
 */
export async function createLinkAfterJoining(
  deps: Deps,
  { user: userId }: Pick<MemberRow, 'user'>,
  origin: string,
): Promise<string | undefined> {
  try {
    const userContext = await readUserContext(deps, userId);
    if (!userContext || devicesWithData(userContext.devices).length > 0) return undefined;
    const { user } = userContext;
    const environment = await accountRows(deps.store).findEnvironment(user.account, user.env);
    const keyHash = environment?.keyHash ?? null;
    const key = keyHash === null ? undefined : await apiKeyRows(deps.store).find(keyHash);
    if (keyHash === null || !key || getEffectiveStatus(key, deps.clock.now()) !== 'active') return undefined;
    return (await issueConnectLink(deps, user, { redirectUrl: null, providers: null, keyHash, maker: null }, origin))
      .url;
  } catch (error) {
    deps.log('warn', 'connect_link_not_created', { user_id: userId, cause: String(error) });
    return undefined;
  }
}
