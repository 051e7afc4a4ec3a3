// Returns the user a caller names, with everything that one Query of its head returns. A user of
// another account is treated as missing.
import type { Item } from '../platform/ports.ts';
import type { Caller } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { UserId } from '../system/ids.ts';
import { assertShared } from './sharing.ts';
import { readUserContextIncludingUnshared, readUserContextWithOpenSamples, type UserContext } from './user-context.ts';
import { assertOwnsUser } from './users.ts';

/** Throws `sharing_revoked` while the user shares no data. */
export async function getAuthorizedUserContext(deps: Deps, caller: Caller, userId: string): Promise<UserContext> {
  const userContext = await getAuthorizedUserContextIncludingUnshared(deps, caller, userId);
  assertShared(userContext.user);
  return userContext;
}

/** For endpoints that neither return nor accept health data. */
export async function getAuthorizedUserContextIncludingUnshared(
  deps: Deps,
  caller: Caller,
  userId: string,
): Promise<UserContext> {
  const userContext = UserId.safeParse(userId).success
    ? await readUserContextIncludingUnshared(deps, userId)
    : undefined;
  return assertAuthorized(caller, userId, userContext);
}

/** Like `getAuthorizedUserContext`, with the items of the open samples. */
export async function getAuthorizedUserContextWithOpenSamples(
  deps: Deps,
  caller: Caller,
  userId: string,
): Promise<{ userContext: UserContext; items: readonly Item[] }> {
  const contextWithSamples = UserId.safeParse(userId).success
    ? await readUserContextWithOpenSamples(deps, userId)
    : undefined;
  const userContext = assertAuthorized(caller, userId, contextWithSamples?.userContext);
  assertShared(userContext.user);
  return { userContext, items: contextWithSamples?.items ?? [] };
}

function assertAuthorized(caller: Caller, userId: string, userContext: UserContext | undefined): UserContext {
  assertOwnsUser(caller, userId, userContext?.user);
  if (!userContext) throw new Error('the user row is missing');
  return userContext;
}
