// A page where a person links and unlinks wearables: the link to it is the key, bound to one user and a day.
import * as z from 'zod';
import type { Caller } from '../../model/account.ts';
import { type ConnectLink, type ConnectLinkRequest, connectLinkHours } from '../../model/connection.ts';
import { Failure } from '../../model/failure.ts';
import { type CloudProviderId, cloudProviderIds } from '../../model/provider.ts';
import { timestamp } from '../../model/time.ts';
import type { DeviceRow } from '../../store/devices.ts';
import type { UserRow } from '../../store/users.ts';
import type { Deps } from '../deps.ts';
import { disconnectDevice } from '../devices/devices.ts';
import { isAvailable } from '../providers/configured.ts';
import { ownSubject } from '../users/own-subject.ts';
import { subjectOf } from '../users/subject.ts';
import { beginConnection, connectable } from './begin.ts';

const hourMs = 3_600_000;

const Contents = z.object({
  user: z.string(),
  expiresMs: z.number(),
  redirectUrl: z.string().nullable(),
  providers: z.array(z.enum(cloudProviderIds)).nullable(),
});

/** What the page shows, and whom it is about. */
export interface LinkedPerson {
  user: UserRow;
  /** Of cloud providers and phones alike, without those that are leaving. */
  devices: DeviceRow[];
  /** Those that can be connected here. */
  offered: CloudProviderId[];
  redirectUrl: string | null;
}

export async function createConnectLink(
  deps: Deps,
  caller: Caller,
  userId: string,
  { redirect_url, providers }: ConnectLinkRequest,
  origin: string,
): Promise<ConnectLink> {
  const { user } = await ownSubject(deps, caller, userId);
  const offered = providers === undefined ? null : [...new Set(providers.map(connectable))];
  for (const provider of offered ?? [])
    if (!(await isAvailable(deps, provider, user.env)))
      throw new Failure(
        'unconnectable_provider',
        `${provider} is not available in this deployment. GET /v1/providers shows which are.`,
      );
  const expiresMs = deps.clock.now() + connectLinkHours * hourMs;
  const contents = { user: user.id, expiresMs, redirectUrl: redirect_url ?? null, providers: offered };
  const token = deps.keyring.seal('connect-link', JSON.stringify(contents), 'link');
  return { url: `${origin}/connect/links/${token}`, expires_at: timestamp(expiresMs) };
}

/** `unknown_link` also when the user is gone. */
export async function openConnectLink(
  deps: Deps,
  token: string,
): Promise<LinkedPerson | 'unknown_link' | 'link_expired'> {
  const text = deps.keyring.open('connect-link', token, 'link');
  if (text === undefined) return 'unknown_link';
  const { user: userId, expiresMs, redirectUrl, providers } = Contents.parse(JSON.parse(text));
  if (expiresMs <= deps.clock.now()) return 'link_expired';
  const subject = await subjectOf(deps, userId);
  if (!subject) return 'unknown_link';
  const { user, devices } = subject;
  const offered: CloudProviderId[] = [];
  for (const provider of providers ?? cloudProviderIds)
    if (await isAvailable(deps, provider, user.env)) offered.push(provider);
  return { user, devices: devices.filter(({ status }) => status !== 'removing'), offered, redirectUrl };
}

/** Where to send the person: the vendor's consent, after which they come back to the page. */
export async function connectFromLink(
  deps: Deps,
  { user, devices, offered }: LinkedPerson,
  provider: string,
  { origin, token }: { origin: string; token: string },
): Promise<string> {
  const chosen = offered.find((each) => each === provider);
  if (!chosen) throw new Failure('unconnectable_provider', 'This provider cannot be connected here.');
  const returnTo = `${origin}/connect/links/${token}`;
  return (await beginConnection(deps, user, devices, { provider: chosen, redirectUrl: null, returnTo, origin }))
    .auth_url;
}

export const disconnectFromLink = (deps: Deps, { user }: LinkedPerson, deviceId: string): Promise<void> =>
  disconnectDevice(deps, { kind: 'connect_link', account: user.account, env: user.env, form: 2 }, user.id, deviceId);
