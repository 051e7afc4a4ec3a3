// What the vendors of a sandbox user's connected devices send by themselves: taken as a real push is.
import * as z from 'zod';
import { getConfiguredProvider } from '../connections/client/configured-provider.ts';
import { getTokenVault } from '../connections/client/get-token-vault.ts';
import { readPushKeys } from '../connections/client/push-keys.ts';
import { type ConnectionRow, grantContext } from '../connections/connection-rows.ts';
import { acceptPush } from '../connections/push/accept-push.ts';
import { providerDescriptors } from '../providers/catalog.ts';
import type { PushKeys } from '../providers/kit/push.ts';
import type { Deps } from '../system/deps.ts';
import { openBuiltInProvider } from './provider-server/open-built-in-provider.ts';
import type { SimulatedProvider } from './provider-server/simulated-provider.ts';
import type { OutgoingPush } from './simulated-providers/simulator.ts';

const StoredGrant = z.looseObject({ accessToken: z.string() });

/**
 * What happened since then, or since there is anything: one that may not be asked tells of the past as well. Vendors that send nothing are asked by
 * schedule, as in life.
 */
export async function sendSandboxPushes(
  deps: Deps,
  connection: ConnectionRow,
  sinceMs: number | undefined,
): Promise<void> {
  const { provider } = connection;
  const { push, sync } = providerDescriptors[provider];
  const canBePolled = sync.maxSilenceMinutes !== null;
  if (!push || (sinceMs === undefined && canBePolled)) return;
  const builtInProvider = await openBuiltInProvider(deps);
  const account = await readConnectionAccount(deps, builtInProvider, connection);
  const configured = await getConfiguredProvider(deps, provider, 'sandbox');
  if (account === undefined || !configured) return;
  const keys = await readPushKeys(deps, configured);
  for (const each of builtInProvider.listPushes(provider, account, sinceMs ?? null, keys))
    await acceptPush(deps, provider, toPushRequest(each, keys, deps.clock.now()), ['sandbox']);
}

/** The vendor reads in its own token whose it is. */
async function readConnectionAccount(
  deps: Pick<Deps, 'vault' | 'keyring'>,
  builtInProvider: Pick<SimulatedProvider, 'accountOf'>,
  connection: ConnectionRow,
): Promise<string | undefined> {
  const opened =
    connection.grant === null
      ? undefined
      : await getTokenVault(deps, connection.env).open(connection.grant, grantContext(connection));
  if (opened === undefined) return undefined;
  const { accessToken } = StoredGrant.parse(JSON.parse(opened));
  return builtInProvider.accountOf(connection.provider, accessToken);
}

const toPushRequest = ({ headers, body, secretPath }: OutgoingPush, keys: PushKeys, receivedMs: number) => ({
  method: 'POST' as const,
  headers,
  query: {},
  pathSecret: secretPath ? keys.pathSecret : undefined,
  body: Buffer.from(body),
  receivedMs,
});
