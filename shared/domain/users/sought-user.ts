// The one user that a caller seeks by something other than its id: its reference, or the member of the team that it is.
import type { Caller } from '../../model/account.ts';
import { MemberId } from '../../model/ids.ts';
import { memberRows } from '../../store/members.ts';
import { type UserRow, userRows } from '../../store/users.ts';
import type { Deps } from '../deps.ts';

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
