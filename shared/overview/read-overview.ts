// Reads the state of an environment. Its cost depends on the number of webhooks, which is limited,
// and not on the number of people.
import { accountRows } from '../accounts/account-rows.ts';
import { apiKeyRows } from '../accounts/api-key-rows.ts';
import { cloudProviderIds } from '../catalog/provider.ts';
import { isProviderAvailable } from '../connections/client/configured-provider.ts';
import { feedRows } from '../events/feed-rows.ts';
import { formatTimestamp } from '../platform/time/time.ts';
import type { Caller } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { userCountRows } from '../users/user-count-rows.ts';
import { type WebhookRow, webhookRows } from '../webhooks/webhook-rows.ts';
import { type AttentionItem, keyNoticeDays, type Overview } from './overview.ts';

const keyNoticeMs = keyNoticeDays * 24 * 3_600_000;

export async function readOverview(deps: Deps, caller: Caller): Promise<Overview> {
  const { account, env } = caller;
  const [people, feed, webhooks, endingKeys, providers] = await Promise.all([
    userCountRows(deps.store).getTotal(account, env),
    feedRows(deps.store).readEnd({ account, env }),
    webhookRows(deps.store).listByEnvironment(account, env),
    findEndingKey(deps, caller),
    findUnconfiguredProviders(deps, caller),
  ]);
  const failing = webhooks.flatMap(presentFailing).sort((a, b) => (a.since < b.since ? -1 : 1));
  return { people, events: feed.next - 1, attention: [...endingKeys, ...failing, ...providers] };
}

function presentFailing(row: WebhookRow): Extract<AttentionItem, { kind: 'webhook_failing' }>[] {
  const disabled = row.status === 'disabled';
  const sinceMs = row.failingSinceMs ?? (disabled ? row.statusMs : undefined);
  if (sinceMs === undefined || row.status === 'paused') return [];
  return [{ kind: 'webhook_failing', webhook_id: row.id, since: formatTimestamp(sinceMs), disabled }];
}

async function findEndingKey(deps: Deps, { account, env }: Caller): Promise<AttentionItem[]> {
  const environment = await accountRows(deps.store).findEnvironment(account, env);
  const key = environment?.keyHash ? await apiKeyRows(deps.store).find(environment.keyHash) : undefined;
  if (!key || key.endsMs - deps.clock.now() > keyNoticeMs) return [];
  return [{ kind: 'key_ending', key_id: key.id, ends_at: formatTimestamp(key.endsMs) }];
}

async function findUnconfiguredProviders(deps: Deps, { env }: Caller): Promise<AttentionItem[]> {
  const isAvailable = await Promise.all(cloudProviderIds.map((provider) => isProviderAvailable(deps, provider, env)));
  return cloudProviderIds
    .filter((_provider, at) => !isAvailable[at])
    .map((provider) => ({ kind: 'provider_unconfigured', provider }));
}
