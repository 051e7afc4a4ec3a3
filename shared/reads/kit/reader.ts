// Authorizes the user of a read.

import type { Caller } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import { UserId } from '../../system/ids.ts';
import { getAuthorizedUserContext } from '../../users/authorized-user.ts';
import type { UserContext } from '../../users/user-context.ts';
import { userNotFound } from '../../users/users.ts';

/**
 * Reads the authorized user and other data of the same user in parallel. The other data is
 * discarded if the caller may not access the user.
 */
export async function readWithAuthorizedUser<T>(
  deps: Deps,
  caller: Caller,
  userId: string,
  read: () => Promise<T>,
): Promise<[UserContext, T]> {
  if (!UserId.safeParse(userId).success) throw userNotFound(userId);
  return Promise.all([getAuthorizedUserContext(deps, caller, userId), read()]);
}
