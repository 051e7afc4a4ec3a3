// Lists the credentials that a colleague made and that are still valid.
import { apiKeyRows, getEffectiveStatus } from '../accounts/api-key-rows.ts';
import type { ApiKeyRow } from '../accounts/api-key-writes.ts';
import { mobileTokenRows } from '../mobile/mobile-token-rows.ts';
import { sdkSessionRows } from '../mobile/sdk-session-rows.ts';
import { chunkArray } from '../platform/chunk-array.ts';
import { formatTimestamp } from '../platform/time/time.ts';
import { type ColleagueRole, Environment } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { type MadeCredential, madeCredentialRows } from '../system/made-credential-rows.ts';
import { mayChange } from '../system/role-rights.ts';
import { webhookRows } from '../webhooks/webhook-rows.ts';
import type { MadeCredentialGroup, MadeCredentials, SeenSecret } from './made-credentials.ts';

const parallelReads = 25;

/** `role` is the role that the colleague will have; undefined for one who leaves or is reset. */
export async function listMadeCredentials(
  deps: Deps,
  account: string,
  colleague: string,
  role?: ColleagueRole,
): Promise<MadeCredentials> {
  if (role === 'owner') return { credentials: [], to_rotate: [] };
  const [rows, secrets] = await Promise.all([
    madeCredentialRows(deps.store).list(colleague),
    listSeenSecrets(deps, account, colleague),
  ]);
  if (role === undefined || !mayChange(role, 'credentials'))
    return { credentials: groupCredentials(await filterValidCredentials(deps, colleague, rows)), to_rotate: secrets };
  // Developers manage everything but live keys.
  const to_rotate = secrets.filter(({ kind, environment }) => kind === 'api_key' && environment === 'live');
  return { credentials: [], to_rotate };
}

export async function listSeenSecrets(deps: Deps, account: string, colleague: string): Promise<SeenSecret[]> {
  const [keys, ...webhooks] = await Promise.all([
    apiKeyRows(deps.store).listByAccount(account),
    ...Environment.options.map((env) => webhookRows(deps.store).listByEnvironment(account, env)),
  ]);
  const nowMs = deps.clock.now();
  return [
    ...keys
      .filter((key) => key.madeBy === colleague && isKeyValid(key, nowMs))
      .map(({ id, env }) => ({ kind: 'api_key', id, environment: env }) as const),
    ...webhooks
      .flatMap(({ hooks }) => hooks)
      .filter(({ secrets }) =>
        secrets.some(({ madeBy, untilMs }) => madeBy === colleague && (untilMs === null || untilMs > nowMs)),
      )
      .map(({ id, env }) => ({ kind: 'webhook_secret', id, environment: env }) as const),
  ];
}

const isKeyValid = (key: ApiKeyRow, nowMs: number): boolean =>
  ['active', 'ending'].includes(getEffectiveStatus(key, nowMs));

/** Rows outlast what they are about: tokens expire and phones end their sessions. */
export async function filterValidCredentials(
  deps: Deps,
  colleague: string,
  rows: readonly MadeCredential[],
): Promise<MadeCredential[]> {
  const valid: MadeCredential[] = [];
  for (const chunk of chunkArray(rows, parallelReads)) {
    const checks = await Promise.all(chunk.map((row) => isCredentialValid(deps, colleague, row)));
    valid.push(...chunk.filter((_row, at) => checks[at]));
  }
  return valid;
}

async function isCredentialValid(
  { store, clock }: Deps,
  colleague: string,
  { kind, id, user, expiresMs }: MadeCredential,
): Promise<boolean> {
  if (kind === 'sdk_session') return (await sdkSessionRows(store).findById(user, id))?.maker?.colleague === colleague;
  if (expiresMs <= clock.now()) return false;
  return kind !== 'mobile_token' || (await mobileTokenRows(store).findByHash(id)) !== undefined;
}

/** In the order of environments and kinds. */
export function groupCredentials(rows: readonly MadeCredential[]): MadeCredentialGroup[] {
  const groups = Map.groupBy(rows, ({ env, kind }) => `${env} ${kind}`);
  return [...groups.values()]
    .flatMap((group) => {
      const [first] = group;
      if (!first) return [];
      const lastMs = Math.max(...group.map(({ expiresMs }) => expiresMs));
      return [
        { kind: first.kind, environment: first.env, count: group.length, last_expires_at: formatTimestamp(lastMs) },
      ];
    })
    .sort((a, b) => (`${a.environment} ${a.kind}` < `${b.environment} ${b.kind}` ? -1 : 1));
}
