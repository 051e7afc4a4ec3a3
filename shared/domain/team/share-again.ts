// A person who had stopped sharing accepts an invitation: all that was kept is readable again, and
// providers are polled for what was missed.
import type { Write } from '../../engine/ports.ts';
import { type UserRow, userRows } from '../../store/users.ts';
import type { Deps } from '../deps.ts';
import { resumingPolls } from '../sync/resume-polls.ts';
import { forgettingAddress } from './end-membership.ts';

/** Tokens and credentials of before stay dead. `handed` are the addresses that the same transaction hands on anyway. */
export const sharingAgain = async (deps: Deps, user: UserRow, handed: ReadonlySet<string | null>): Promise<Write[]> => [
  userRows(deps.store).resharing(user),
  ...(handed.has(user.unshared?.emailHash ?? null) ? [] : await forgettingAddress(deps, user)),
  ...(await resumingPolls(deps, user)),
];
