// The user a caller asks about, with all that one Query of its head tells. A foreign user and a missing one are the same thing here.
import type { Item } from '../platform/ports.ts';
import type { Caller } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { UserId } from '../system/ids.ts';
import { assertShared } from './sharing.ts';
import { readUserContextIncludingUnshared, readUserContextWithOpenSamples, type UserContext } from './user-context.ts';
import { assertOwnsUser } from './users.ts';

/** Throws `sharing_revoked` while the person shares nothing. */
export async function getAuthorizedUserContext(deps: Deps, caller: Caller, userId: string): Promise<UserContext> {
  const userContext = await getAuthorizedUserContextIncludingUnshared(deps, caller, userId);
  assertShared(userContext.user);
  return userContext;
}

/** For calls that tell no health value and take none in. */
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
): Promise<{ subject: UserContext; items: readonly Item[] }> {
  const contextWithSamples = UserId.safeParse(userId).success
    ? await readUserContextWithOpenSamples(deps, userId)
    : undefined;
  const userContext = assertAuthorized(caller, userId, contextWithSamples?.subject);
  assertShared(userContext.user);
  return { subject: userContext, items: contextWithSamples?.items ?? [] };
}

function assertAuthorized(caller: Caller, userId: string, userContext: UserContext | undefined): UserContext {
  assertOwnsUser(caller, userId, userContext?.user);
  if (!userContext) throw new Error('the user has no head row');
  return userContext;
}
