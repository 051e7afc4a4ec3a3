// Handles a button press on the connect page and returns the URL to redirect the user to. The audit
// trail names the link and who made it.

import type { AuditAction } from '../../../shared/audit/actions.ts';
import { type Act, recordAct } from '../../../shared/audit/record-act.ts';
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
  /** For the audit trail. */
  request: Act['request'];
}

export const buildLinkUrl = ({ origin, token }: Pick<ConnectPageLink, 'origin' | 'token'>): string =>
  `${origin}/connect/links/${token}`;

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
  await recordAct(deps, describeAct(linkedUser, link, 'device.disconnected', [disconnect]), () =>
    disconnectFromLink(deps, linkedUser, disconnect),
  );
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
    const { auth_url } = await recordAct(
      deps,
      describeAct(linkedUser, link, 'device.connection_started'),
      () => connectFromLink(deps, linkedUser, requestedProvider, link),
      ({ id }) => [id],
    );
    return auth_url;
  } catch (error) {
    const code = error instanceof Failure ? error.code : undefined;
    const provider = providerIds.find((each) => each === requestedProvider);
    if (code === 'limit_reached') return buildNoticeUrl(buildLinkUrl(link), 'limit_reached', provider);
    if (code === 'unconnectable_provider') return buildNoticeUrl(buildLinkUrl(link), 'not_offered', provider);
    throw error;
  }
}

const describeAct = (
  { user, link, makerId }: LinkedUser,
  { request }: ConnectPageLink,
  action: AuditAction,
  ids: readonly string[] = [],
): Act => ({
  account: user.account,
  env: user.env,
  actor: { kind: 'connect_link', id: link, maker: makerId },
  action,
  ids: [user.id, ...ids],
  request,
});
