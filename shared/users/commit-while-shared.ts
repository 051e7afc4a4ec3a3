// Commits writes that require a user who shares data: a token, a link, a device that waits for
// consent.
import { TransactionCanceled, type Write } from '../platform/ports.ts';
import type { Deps } from '../system/deps.ts';
import { commitWithMakerCheck } from '../system/made-credential-rows.ts';
import { type UserRow, userRows } from './user-rows.ts';
import { getAuthorizedUser, userNotFound } from './users.ts';

/**
 * Throws `sharing_revoked` or `not_found` if the user has stopped sharing or was deleted since it
 * was read. `makerWrites` is what a colleague's credential takes (`madeCredentialRows`).
 */
export async function commitWhileShared(
  deps: Deps,
  user: UserRow,
  writes: Write[],
  makerWrites: Write[] = [],
): Promise<void> {
  try {
    await commitWithMakerCheck(deps.store, [userRows(deps.store).buildActiveCheck(user.id), ...writes], makerWrites);
  } catch (error) {
    if (!(error instanceof TransactionCanceled)) throw error;
    await getAuthorizedUser(deps, user, user.id);
    throw error.failures[0] ? userNotFound(user.id) : error;
  }
}
