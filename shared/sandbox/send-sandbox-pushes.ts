// Sends the pushes of a sandbox user's providers. They are processed like real pushes.
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
 * Sends everything that has happened since then. The first time, a provider that must not be polled
 * sends the whole past. Providers that do not push are polled on schedule, as in production.
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

/** The provider reads the account from its own token. */
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
