// What the vendors of a sandbox user's connected devices send by themselves: taken as a real push is.
import * as z from 'zod';
import type { Deps } from '../domain/deps.ts';
import { configuredProvider } from '../domain/providers/configured.ts';
import { acceptPush } from '../domain/sync/accept-push.ts';
import { pushKeys } from '../domain/sync/push-keys.ts';
import { providers } from '../providers/catalog.ts';
import type { PushKeys } from '../providers/push.ts';
import { type ConnectionRow, grantContext } from '../store/connections.ts';
import { lifeOfAccount, shownAccount } from './cloud/account.ts';
import { builtInVendor } from './cloud/built-in.ts';
import { shapesOf } from './cloud/every-shape.ts';
import { lifeDay } from './cloud/living.ts';
import type { OutgoingPush } from './cloud/shapes.ts';
import { sandboxDates } from './sandbox-day.ts';

const HeldGrant = z.looseObject({ accessToken: z.string() });

/**
 * What happened since then, or since there is anything: one that may not be asked tells of the past as well. Vendors that send nothing are asked by
 * schedule, as in life.
 */
export async function sendNews(deps: Deps, connection: ConnectionRow, sinceMs: number | undefined): Promise<void> {
  const { provider } = connection;
  const shapes = shapesOf(provider);
  const mayBeAsked = providers[provider].sync.silentMinutes !== null;
  if (!shapes?.pushes || (sinceMs === undefined && mayBeAsked)) return;
  const account = await accountBehind(deps, connection);
  const life = lifeOfAccount(account ?? '');
  const configured = await configuredProvider(deps, provider, 'sandbox');
  if (account === undefined || !life || !configured) return;
  const nowMs = deps.clock.now();
  const worn = providers[provider].deviceType;
  const days = sandboxDates(life, sinceMs ?? null, nowMs).map((date) => lifeDay({ ...life, worn }, date, nowMs));
  const keys = await pushKeys(deps, configured);
  for (const push of shapes.pushes(shownAccount(provider, account), days, keys, nowMs))
    await acceptPush(deps, provider, requestOf(push, keys, nowMs), ['sandbox']);
}

/** The vendor reads in its own token whose it is. */
async function accountBehind(deps: Deps, connection: ConnectionRow): Promise<string | undefined> {
  const opened =
    connection.grant === null ? undefined : await deps.vault.open(connection.grant, grantContext(connection));
  if (opened === undefined) return undefined;
  const { accessToken } = HeldGrant.parse(JSON.parse(opened));
  return builtInVendor(deps).accountOf(connection.provider, accessToken);
}

const requestOf = ({ headers, body, secretPath }: OutgoingPush, keys: PushKeys, receivedMs: number) => ({
  method: 'POST' as const,
  headers,
  query: {},
  pathSecret: secretPath ? keys.pathSecret : undefined,
  body: Buffer.from(body),
  receivedMs,
});
