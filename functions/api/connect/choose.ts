// A button of the page was pressed: where the person goes from there.

import { providerIds } from '../../../shared/catalog/provider.ts';
import {
  connectFromLink,
  disconnectFromLink,
  type LinkedPerson,
} from '../../../shared/connections/connect/connect-link.ts';
import { zoneIn } from '../../../shared/http/zone-field.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { Failure } from '../../../shared/system/failure.ts';
import { offerTimeZone } from '../../../shared/users/fill-zone.ts';
import { pageWithNotice } from './notice.ts';

export interface PickedLink {
  origin: string;
  token: string;
}

export const linkAddress = ({ origin, token }: PickedLink): string => `${origin}/connect/links/${token}`;

export async function choose(
  deps: Deps,
  person: LinkedPerson,
  link: PickedLink,
  form: URLSearchParams,
): Promise<string> {
  const [connect, disconnect] = [form.get('connect'), form.get('disconnect')];
  if (connect !== null) {
    await offerTimeZone(deps, person.user, zoneIn(form));
    return connecting(deps, person, link, connect);
  }
  if (disconnect === null)
    throw new Failure('invalid_body', 'Send connect with a provider, or disconnect with a device.');
  const device = person.devices.find(({ id }) => id === disconnect);
  await disconnectFromLink(deps, person, disconnect);
  return pageWithNotice(linkAddress(link), 'disconnected', device?.provider);
}

/** What cannot be connected is told on the page they came from. */
async function connecting(deps: Deps, person: LinkedPerson, link: PickedLink, asked: string): Promise<string> {
  try {
    return await connectFromLink(deps, person, asked, link);
  } catch (error) {
    const code = error instanceof Failure ? error.code : undefined;
    const provider = providerIds.find((each) => each === asked);
    if (code === 'limit_reached') return pageWithNotice(linkAddress(link), 'limit_reached', provider);
    if (code === 'unconnectable_provider') return pageWithNotice(linkAddress(link), 'not_offered', provider);
    throw error;
  }
}
