// Lists the users of an environment in numbered pages, in the order of creation, with the total.
import type { Caller } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import { findUser, isLookup, type UserLookup } from './find-user.ts';
import { userCountRows } from './user-count-rows.ts';
import { type UserRow, userRows } from './user-rows.ts';

export interface UsersAtOffsetRequest extends UserLookup {
  /** Starts at 1. */
  page: number;
  perPage: number;
}
export interface UsersAtOffsetResult {
  users: UserRow[];
  /** The number of users on all pages. */
  total: number;
}

/** Everything before a page is skipped key by key, so the offset is limited. */
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
  // Counted after the page is read, and never less than the page shows.
  const total = await userCountRows(deps.store).getTotal(caller.account, caller.env);
  return { users, total: users.length === 0 ? total : Math.max(total, offset + users.length) };
}

/**
 * Pages past the last user are empty, however far. Only a page with users can be beyond the limit.
 */
async function countUsersPastLastPage(deps: Deps, caller: Caller, offset: number, perPage: number): Promise<number> {
  const total = await userCountRows(deps.store).getTotal(caller.account, caller.env);
  if (total > offset) throw pageTooFar(Math.floor(maxOffset / perPage) + 1);
  return total;
}

function pageTooFar(maxPage: number): Failure {
  const message = `must be at most ${maxPage}; use reference_id to find users beyond it`;
  return new Failure('invalid_request', `A query parameter is invalid: page: ${message}.`, {
    details: { issues: [{ path: 'page', message }] },
  });
}
