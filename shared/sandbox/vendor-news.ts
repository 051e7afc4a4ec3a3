// What the vendors of a sandbox user's connected devices send by themselves: taken as a real push is.
import * as z from 'zod';
import { configuredProvider } from '../connections/client/configured.ts';
import { pushKeys } from '../connections/client/push-keys.ts';
import { tokenVault } from '../connections/client/token-vault.ts';
import { type ConnectionRow, grantContext } from '../connections/connection-rows.ts';
import { acceptPush } from '../connections/push/accept-push.ts';
import { providers } from '../providers/catalog.ts';
import type { PushKeys } from '../providers/kit/push.ts';
import type { Deps } from '../system/deps.ts';
import { openCloud } from './provider-server/open-cloud.ts';
import type { SandboxVendor } from './provider-server/server.ts';
import type { OutgoingPush } from './simulated-providers/shapes.ts';

const HeldGrant = z.looseObject({ accessToken: z.string() });

/**
 * What happened since then, or since there is anything: one that may not be asked tells of the past as well. Vendors that send nothing are asked by
 * schedule, as in life.
 */
export async function sendNews(deps: Deps, connection: ConnectionRow, sinceMs: number | undefined): Promise<void> {
  const { provider } = connection;
  const { push, sync } = providers[provider];
  const mayBeAsked = sync.silentMinutes !== null;
  if (!push || (sinceMs === undefined && mayBeAsked)) return;
  const cloud = await openCloud(deps);
  const account = await accountBehind(deps, cloud, connection);
  const configured = await configuredProvider(deps, provider, 'sandbox');
  if (account === undefined || !configured) return;
  const keys = await pushKeys(deps, configured);
  for (const each of cloud.news(provider, account, sinceMs ?? null, keys))
    await acceptPush(deps, provider, requestOf(each, keys, deps.clock.now()), ['sandbox']);
}

/** The vendor reads in its own token whose it is. */
async function accountBehind(
  deps: Pick<Deps, 'vault' | 'keyring'>,
  cloud: Pick<SandboxVendor, 'accountOf'>,
  connection: ConnectionRow,
): Promise<string | undefined> {
  const opened =
    connection.grant === null
      ? undefined
      : await tokenVault(deps, connection.env).open(connection.grant, grantContext(connection));
  if (opened === undefined) return undefined;
  const { accessToken } = HeldGrant.parse(JSON.parse(opened));
  return cloud.accountOf(connection.provider, accessToken);
}

const requestOf = ({ headers, body, secretPath }: OutgoingPush, keys: PushKeys, receivedMs: number) => ({
  method: 'POST' as const,
  headers,
  query: {},
  pathSecret: secretPath ? keys.pathSecret : undefined,
  body: Buffer.from(body),
  receivedMs,
});
