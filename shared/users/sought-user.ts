// The one user that a caller seeks by something other than its id: its reference, or the member of the team that it is.
import type { Caller } from '../system/account.ts';
import type { Deps } from '../system/deps.ts';
import { MemberId } from '../system/ids.ts';
import { memberRows } from '../team/member-rows.ts';
import { type UserRow, userRows } from './user-rows.ts';

export interface SoughtUser {
  /** The caller's own name for it. */
  reference?: string | undefined;
  /** Of the team, be it archived; one that was removed leads to nobody. */
  member?: string | undefined;
}

export const seeksOne = ({ reference, member }: SoughtUser): boolean => reference !== undefined || member !== undefined;

/** The one that is everything it is sought by. */
export async function soughtUser(
  { store }: Deps,
  { account, env }: Caller,
  { reference, member }: SoughtUser,
): Promise<UserRow | undefined> {
  const ids = await Promise.all([
    ...(reference === undefined ? [] : [userRows(store).idByReference(account, env, reference)]),
    ...(member === undefined ? [] : [userOfMember()]),
  ]);
  const [id] = ids;
  if (id === undefined || ids.some((other) => other !== id)) return undefined;
  const row = await userRows(store).byId(id);
  return row?.status === 'deleting' ? undefined : row;

  async function userOfMember(): Promise<string | undefined> {
    const known = MemberId.safeParse(member);
    return known.success ? (await memberRows(store).byId(account, env, known.data))?.user : undefined;
  }
}
