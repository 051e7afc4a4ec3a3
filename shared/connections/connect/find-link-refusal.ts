// Checks whether a link may still be used: its API key is valid, its account is not suspended, and
// it has not been revoked.

import type { Deps } from '../../system/deps.ts';
import { connectLinkRows, type LinkOrigin } from './connect-link-rows.ts';

export type LinkRefusal = 'link_revoked' | 'account_suspended';

/** Costs one read. Returns undefined when the link may be used. */
export async function findLinkRefusal(deps: Deps, origin: LinkOrigin): Promise<LinkRefusal | undefined> {
  const { isRevoked, isKeyEnded, isSuspended } = await connectLinkRows(deps.store).readStatus(origin, deps.clock.now());
  if (isRevoked || isKeyEnded) return 'link_revoked';
  return isSuspended ? 'account_suspended' : undefined;
}
