// Whether a link may still be used: its API key stands, its account is not suspended, and nobody
// revoked it.

import type { Deps } from '../../system/deps.ts';
import { connectLinkRows, type LinkOrigin } from './connect-link-rows.ts';

export type LinkRefusal = 'link_revoked' | 'account_suspended';

/** Costs one read. Undefined where the link is good. */
export async function findLinkRefusal(deps: Deps, origin: LinkOrigin): Promise<LinkRefusal | undefined> {
  const { isRevoked, isKeyEnded, isSuspended } = await connectLinkRows(deps.store).readStatus(origin, deps.clock.now());
  if (isRevoked || isKeyEnded) return 'link_revoked';
  return isSuspended ? 'account_suspended' : undefined;
}
