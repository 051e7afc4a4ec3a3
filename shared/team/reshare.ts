// A user who had stopped sharing accepts an invitation: all stored data is readable again, and
// providers are polled for what was missed.

import { buildResumePollWrites } from '../connections/sync/resume-polls.ts';
import type { Write } from '../platform/ports.ts';
import type { Deps } from '../system/deps.ts';
import { type UserRow, userRows } from '../users/user-rows.ts';
import { buildForgetAddressWrites } from './end-membership.ts';

/**
 * Earlier tokens and credentials stay invalid. `handedOver` are the addresses that the same
 * transaction reassigns anyway.
 */
export const buildReshareWrites = async (
  deps: Deps,
  user: UserRow,
  handedOver: ReadonlySet<string | null>,
): Promise<Write[]> => [
  userRows(deps.store).buildReshare(user),
  ...(handedOver.has(user.unshared?.emailHash ?? null) ? [] : await buildForgetAddressWrites(deps, user)),
  ...(await buildResumePollWrites(deps, user)),
];
