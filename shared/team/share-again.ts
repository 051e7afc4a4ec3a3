// A person who had stopped sharing accepts an invitation: all that was kept is readable again, and
// providers are polled for what was missed.

import { resumingPolls } from '../connections/sync/resume-polls.ts';
import type { Write } from '../platform/ports.ts';
import type { Deps } from '../system/deps.ts';
import { type UserRow, userRows } from '../users/user-rows.ts';
import { forgettingAddress } from './end-membership.ts';

/** Tokens and credentials of before stay dead. `handed` are the addresses that the same transaction hands on anyway. */
export const sharingAgain = async (deps: Deps, user: UserRow, handed: ReadonlySet<string | null>): Promise<Write[]> => [
  userRows(deps.store).resharing(user),
  ...(handed.has(user.unshared?.emailHash ?? null) ? [] : await forgettingAddress(deps, user)),
  ...(await resumingPolls(deps, user)),
];
