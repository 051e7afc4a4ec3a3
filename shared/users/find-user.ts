// Finds the user that a caller identifies by something other than its id.
import type { Caller } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { type UserRow, userRows } from './user-rows.ts';

export interface UserLookup {
  /** The caller's own id of the user. */
  reference?: string | undefined;
  /**
   * Looks up the user behind a member of the team; resolves to undefined for a member that does not
   * exist.
   */
  userOfMember?: (() => Promise<string | undefined>) | undefined;
}

export const isLookup = ({ reference, userOfMember }: UserLookup): boolean =>
  reference !== undefined || userOfMember !== undefined;

/** Returns the user that matches every criterion of the lookup. */
export async function findUser(
  { store }: Deps,
  { account, env }: Caller,
  { reference, userOfMember }: UserLookup,
): Promise<UserRow | undefined> {
  const ids = await Promise.all([
    ...(reference === undefined ? [] : [userRows(store).findIdByReference(account, env, reference)]),
    ...(userOfMember === undefined ? [] : [userOfMember()]),
  ]);
  const [id] = ids;
  if (id === undefined || ids.some((other) => other !== id)) return undefined;
  const row = await userRows(store).findById(id);
  return row?.status === 'deleting' ? undefined : row;
}
