// Reads the state of an environment. Its cost depends on the number of webhooks, which is limited,
// and on the range, and not on the number of people.
import { accountRows } from '../accounts/account-rows.ts';
import { apiKeyRows } from '../accounts/api-key-rows.ts';
import type { ApiKeyRow } from '../accounts/api-key-writes.ts';
import { cloudProviderIds } from '../catalog/provider.ts';
import { findAvailableProviders } from '../connections/client/provider-availability.ts';
import { syncRows } from '../connections/sync-rows.ts';
import { feedRows } from '../events/feed-rows.ts';
import { quarantinedUploadRows } from '../pipeline/quarantined-upload-rows.ts';
import { rateLimit } from '../platform/rate-limit.ts';
import { formatTimestamp } from '../platform/time/time.ts';
import type { Caller } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { userCountRows } from '../users/user-count-rows.ts';
import { listEndpoints } from '../webhooks/list-endpoints.ts';
import type { WebhookRow } from '../webhooks/webhook-rows.ts';
import {
  type AttentionItem,
  keyNoticeDays,
  maxListedConnections,
  maxListedUploads,
  type Overview,
  type OverviewRange,
} from './overview.ts';
import { readHours, readSeries } from './read-series.ts';

const keyNoticeMs = keyNoticeDays * 24 * 3_600_000;

export async function readOverview(deps: Deps, caller: Caller, range: OverviewRange): Promise<Overview> {
  const { store } = deps;
  const { account, env } = caller;
  const [people, feed, webhooks, { environment, key }, hours, quarantined, failingConnections, providers] =
    await Promise.all([
      userCountRows(store).getTotal(account, env),
      feedRows(store).readEnd({ account, env }),
      listEndpoints(deps, { account, env }),
      findCurrentKey(deps, caller),
      readHours(deps, caller, range),
      findQuarantinedUploads(deps, caller),
      findFailingConnections(deps, caller),
      findUnconfiguredProviders(deps, caller),
    ]);
  const perSecond = key?.perSecond ?? rateLimit.perSecond;
  const series = await readSeries(deps, caller, range, hours, { people, feed, webhooks, environment, perSecond });
  const failing = webhooks.flatMap(presentFailing).sort((a, b) => (a.since < b.since ? -1 : 1));
  const endingKeys = key ? presentEnding(key, deps.clock.now()) : [];
  const attention = [...endingKeys, ...failing, ...quarantined, ...failingConnections, ...providers];
  return { people, events: feed.next - 1, series, attention };
}

function presentFailing(row: WebhookRow): Extract<AttentionItem, { kind: 'webhook_failing' }>[] {
  const disabled = row.status === 'disabled';
  const sinceMs = row.failingSinceMs ?? (disabled ? row.statusMs : undefined);
  if (sinceMs === undefined || row.status === 'paused') return [];
  return [{ kind: 'webhook_failing', webhook_id: row.id, since: formatTimestamp(sinceMs), disabled }];
}

async function findCurrentKey({ store }: Deps, { account, env }: Caller) {
  const environment = await accountRows(store).findEnvironment(account, env);
  const key = environment?.keyHash ? await apiKeyRows(store).find(environment.keyHash) : undefined;
  return { environment, key };
}

const presentEnding = ({ id, endsMs }: ApiKeyRow, nowMs: number): AttentionItem[] =>
  endsMs - nowMs > keyNoticeMs ? [] : [{ kind: 'key_ending', key_id: id, ends_at: formatTimestamp(endsMs) }];

async function findQuarantinedUploads({ store }: Deps, { account, env }: Caller): Promise<AttentionItem[]> {
  const { uploads, isPart } = await quarantinedUploadRows(store).listByEnvironment(account, env, maxListedUploads);
  const [oldest] = uploads;
  if (!oldest) return [];
  const since = formatTimestamp(oldest.quarantinedMs);
  return [{ kind: 'uploads_quarantined', uploads: uploads.length, has_more: isPart, since, user_id: oldest.user }];
}

/** One item for each provider, the one that fails longest first. */
async function findFailingConnections({ store }: Deps, { account, env }: Caller): Promise<AttentionItem[]> {
  const { connections, isPart } = await syncRows(store).listFailing(account, env, maxListedConnections);
  return [...Map.groupBy(connections, ({ provider }) => provider)]
    .map(([provider, own]) => ({
      kind: 'connections_failing' as const,
      provider,
      people: new Set(own.map(({ user }) => user)).size,
      has_more: isPart,
      since: formatTimestamp(Math.min(...own.map(({ sinceMs }) => sinceMs))),
    }))
    .sort((a, b) => (a.since < b.since ? -1 : 1));
}

async function findUnconfiguredProviders(deps: Deps, { env }: Caller): Promise<AttentionItem[]> {
  const available = await findAvailableProviders(deps, env);
  return cloudProviderIds
    .filter((provider) => !available.has(provider))
    .map((provider) => ({ kind: 'provider_unconfigured', provider }));
}
