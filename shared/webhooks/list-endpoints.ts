import type { FeedName } from '../events/feed-rows.ts';
import type { Deps } from '../system/deps.ts';
import { type WebhookRow, webhookRows } from './webhook-rows.ts';

/** The endpoints of an environment. One that cannot be read does not stop the others. */
export async function listEndpoints(
  { store, log }: Pick<Deps, 'store' | 'log'>,
  { account, env }: FeedName,
): Promise<WebhookRow[]> {
  const { hooks, unreadable } = await webhookRows(store).listByEnvironment(account, env);
  if (unreadable.length > 0) log('error', 'webhook_row_unreadable', { account_id: account, env, row_keys: unreadable });
  return hooks;
}
