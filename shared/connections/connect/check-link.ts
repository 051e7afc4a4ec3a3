// Checks whether a link may still be used: its maker may still make links, its account is not
// suspended, and it has not been revoked.

import type { Deps } from '../../system/deps.ts';
import { connectLinkRows, type LinkOrigin } from './connect-link-rows.ts';

export type LinkRefusal = 'link_revoked' | 'account_suspended';

export interface LinkCheck {
  /** Undefined when the link may be used. */
  refusal: LinkRefusal | undefined;
  /** The id of the API key or colleague that made the link. */
  makerId: string | null;
}

/** Costs one table call. */
export async function checkLink(deps: Deps, origin: LinkOrigin): Promise<LinkCheck> {
  const status = await connectLinkRows(deps.store).readStatus(origin, deps.clock.now());
  const { isRevoked, isMakerEnded, isSuspended, makerId } = status;
  if (isRevoked || isMakerEnded) return { refusal: 'link_revoked', makerId };
  return { refusal: isSuspended ? 'account_suspended' : undefined, makerId };
}
