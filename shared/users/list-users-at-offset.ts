// The users of an environment by numbered pages, in the order of their creation, and how many there are.
import type { Caller } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import { findUser, isLookup, type UserLookup } from './find-user.ts';
import { userCountRows } from './user-count-rows.ts';
import { type UserRow, userRows } from './user-rows.ts';

export interface UsersAtOffsetRequest extends UserLookup {
  /** From 1 on. */
  page: number;
  perPage: number;
}
export interface UsersAtOffsetResult {
  users: UserRow[];
  /** On all pages. */
  total: number;
}

/** Whatever comes before a page is passed by, key by key. */
const maxOffset = 100_000;

export async function listUsersAtOffset(
  deps: Deps,
  caller: Caller,
  { page, perPage, ...lookup }: UsersAtOffsetRequest,
): Promise<UsersAtOffsetResult> {
  const offset = (page - 1) * perPage;
  if (isLookup(lookup)) {
    const row = await findUser(deps, caller, lookup);
    const users = row ? [row] : [];
    return { users: users.slice(offset), total: users.length };
  }
  if (offset > maxOffset) return { users: [], total: await countUsersPastLastPage(deps, caller, offset, perPage) };
  const users = await userRows(deps.store).readPageAtOffset(caller.account, caller.env, offset, perPage);
  // Counted after the page was read, and never fewer than it shows.
  const total = await userCountRows(deps.store).getTotal(caller.account, caller.env);
  return { users, total: users.length === 0 ? total : Math.max(total, offset + users.length) };
}

/** Past the last user every page is empty, however far; only one that shows somebody may be too far. */
async function countUsersPastLastPage(deps: Deps, caller: Caller, offset: number, perPage: number): Promise<number> {
  const total = await userCountRows(deps.store).getTotal(caller.account, caller.env);
  if (total > offset) throw pageTooFar(Math.floor(maxOffset / perPage) + 1);
  return total;
}

function pageTooFar(maxPage: number): Failure {
  const message = `must not be over ${maxPage}: find users beyond it by reference_id`;
  return new Failure('invalid_request', `A query parameter is invalid: page: ${message}.`, {
    details: { issues: [{ path: 'page', message }] },
  });
}
