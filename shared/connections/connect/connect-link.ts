// A page where a user connects and disconnects wearables. The link to it is the credential: it is
// bound to one user and valid for 24 hours, or until it is revoked or its maker ends: the API
// key or the colleague that created it or, for someone who joined a team, the current API key.
import type { CloudProviderId } from '../../catalog/provider.ts';
import { cloudProvidersByLabel } from '../../providers/provider-label.ts';
import type { Caller, LinkingCaller } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import { Failure } from '../../system/failure.ts';
import { ConnectLinkId } from '../../system/ids.ts';
import type { Maker } from '../../system/maker.ts';
import { getAuthorizedUserContext } from '../../users/authorized-user.ts';
import type { DeviceRow } from '../../users/device-rows.ts';
import { isSharedSince } from '../../users/sharing.ts';
import { readUserContextIncludingUnshared } from '../../users/user-context.ts';
import type { UserRow } from '../../users/user-rows.ts';
import { getAuthorizedUserIncludingUnshared } from '../../users/users.ts';
import { findAvailableProviders } from '../client/provider-availability.ts';
import type { ConnectLink, ConnectLinkRequest, PendingDevice } from '../connection.ts';
import { disconnectDevice } from '../disconnect.ts';
import { beginConnection, parseConnectableProvider, unavailableProvider } from './begin-connection.ts';
import { checkLink, type LinkRefusal } from './check-link.ts';
import { connectLinkRows } from './connect-link-rows.ts';
import { issueConnectLink, openLinkToken } from './issue-connect-link.ts';

/** The user that a link belongs to, and what its page shows. */
export interface LinkedUser {
  user: UserRow;
  /** Cloud and phone devices, without those that are being removed. */
  devices: DeviceRow[];
  /** The providers that can be connected on this page, as the link lists them or else by name. */
  offered: CloudProviderId[];
  redirectUrl: string | null;
  /** The id of the link that opened the page. */
  link: string;
  keyHash: string | null;
  maker: Maker | null;
  /** Who made the link, as the audit trail names it. */
  makerId: string | null;
}

export async function createConnectLink(
  deps: Deps,
  caller: LinkingCaller,
  userId: string,
  { redirect_url, providers }: ConnectLinkRequest,
  origin: string,
): Promise<ConnectLink> {
  const { user } = await getAuthorizedUserContext(deps, caller, userId);
  const offered = providers === undefined ? null : [...new Set(providers.map(parseConnectableProvider))];
  if (offered) {
    const available = await findAvailableProviders(deps, user.env);
    for (const provider of offered) if (!available.has(provider)) throw unavailableProvider(provider);
  }
  const { keyHash, maker = null } = caller;
  const options = { redirectUrl: redirect_url ?? null, providers: offered, keyHash, maker };
  return issueConnectLink(deps, user, options, origin);
}

/** Connections that were started on its page and still wait for consent end with it. */
export async function revokeConnectLink(deps: Deps, caller: Caller, userId: string, linkId: string): Promise<void> {
  const user = await getAuthorizedUserIncludingUnshared(deps, caller, userId);
  const isKnown =
    ConnectLinkId.safeParse(linkId).success && (await connectLinkRows(deps.store).revoke(user.id, linkId));
  if (!isKnown) throw new Failure('not_found', `Connect link ${linkId.slice(0, 64)} not found.`);
}

export type ConnectLinkProblem = 'unknown_link' | 'link_expired' | LinkRefusal;

/** Also returns `unknown_link` when the user is gone. */
export async function openConnectLink(deps: Deps, token: string): Promise<LinkedUser | ConnectLinkProblem> {
  const contents = openLinkToken(deps, token);
  if (contents === undefined) return 'unknown_link';
  const { user: userId, expiresMs, redirectUrl, providers, id: link, keyHash, maker, sharingEpoch } = contents;
  if (expiresMs <= deps.clock.now()) return 'link_expired';
  const [userContext, { refusal, makerId }] = await Promise.all([
    readUserContextIncludingUnshared(deps, userId),
    checkLink(deps, { user: userId, link, keyHash, maker }),
  ]);
  if (!userContext) return 'unknown_link';
  if (refusal) return refusal;
  if (!isSharedSince(userContext.user, sharingEpoch)) return 'link_revoked';
  const { user, devices } = userContext;
  const available = await findAvailableProviders(deps, user.env);
  const offered = (providers ?? cloudProvidersByLabel).filter((provider) => available.has(provider));
  return { user, devices, offered, redirectUrl, link, keyHash, maker, makerId };
}

/**
 * Returns the pending device with the URL that takes the user to the provider's consent page, from which they return to the
 * link's page.
 */
export async function connectFromLink(
  deps: Deps,
  { user, devices, offered, link, keyHash, maker }: LinkedUser,
  provider: string,
  { origin, token }: { origin: string; token: string },
): Promise<PendingDevice> {
  const chosen = offered.find((each) => each === provider);
  if (!chosen) throw new Failure('unconnectable_provider', 'This provider cannot be connected here.');
  const returnTo = `${origin}/connect/links/${token}`;
  const request = { provider: chosen, redirectUrl: null, returnTo, origin, keyHash, maker, link };
  return (await beginConnection(deps, user, devices, request)).pending;
}

export const disconnectFromLink = (deps: Deps, { user }: LinkedUser, deviceId: string): Promise<void> =>
  disconnectDevice(deps, { kind: 'connect_link', account: user.account, env: user.env, form: 2 }, user.id, deviceId);
