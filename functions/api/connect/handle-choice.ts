// Handles a button press on the connect page and returns the URL to redirect the user to.

import { providerIds } from '../../../shared/catalog/provider.ts';
import {
  connectFromLink,
  disconnectFromLink,
  type LinkedUser,
} from '../../../shared/connections/connect/connect-link.ts';
import { readTimeZone } from '../../../shared/http/time-zone-field.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { Failure } from '../../../shared/system/failure.ts';
import { offerTimeZone } from '../../../shared/users/fill-time-zone.ts';
import { buildNoticeUrl } from './notice.ts';

export interface ConnectPageLink {
  origin: string;
  token: string;
}

export const buildLinkUrl = ({ origin, token }: ConnectPageLink): string => `${origin}/connect/links/${token}`;

export async function handleChoice(
  deps: Deps,
  linkedUser: LinkedUser,
  link: ConnectPageLink,
  form: URLSearchParams,
): Promise<string> {
  const [connect, disconnect] = [form.get('connect'), form.get('disconnect')];
  if (connect !== null) {
    await offerTimeZone(deps, linkedUser.user, readTimeZone(form));
    return startConnecting(deps, linkedUser, link, connect);
  }
  if (disconnect === null)
    throw new Failure('invalid_body', 'Send `connect` with a provider, or `disconnect` with a device.');
  const device = linkedUser.devices.find(({ id }) => id === disconnect);
  await disconnectFromLink(deps, linkedUser, disconnect);
  return buildNoticeUrl(buildLinkUrl(link), 'disconnected', device?.provider);
}

/** If the provider cannot be connected, the user returns to the page with a notice. */
async function startConnecting(
  deps: Deps,
  linkedUser: LinkedUser,
  link: ConnectPageLink,
  requestedProvider: string,
): Promise<string> {
  try {
    return await connectFromLink(deps, linkedUser, requestedProvider, link);
  } catch (error) {
    const code = error instanceof Failure ? error.code : undefined;
    const provider = providerIds.find((each) => each === requestedProvider);
    if (code === 'limit_reached') return buildNoticeUrl(buildLinkUrl(link), 'limit_reached', provider);
    if (code === 'unconnectable_provider') return buildNoticeUrl(buildLinkUrl(link), 'not_offered', provider);
    throw error;
  }
}
