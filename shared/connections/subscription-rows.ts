// This deployment's subscriptions at a provider, and the pushes that it has already processed.
import * as z from 'zod';
import type { CloudProviderId } from '../catalog/provider.ts';
import { writeConditionally } from '../platform/conditional-write.ts';
import { buildSetClause } from '../platform/set-clause.ts';
import type { Environment } from '../system/caller.ts';
import { keys } from '../system/keys.ts';
import { pendingIndexKeys } from '../system/pending-kinds.ts';
import { repository } from '../system/store.ts';

const SubscriptionRow = z.object({
  provider: z.string(),
  /** The origin that pushes are sent to. */
  origin: z.string(),
  /**
   * The provider's subscription ids, by what each is for; undefined before the first are created.
   */
  ids: z.record(z.string(), z.string()).optional(),
  /** The secret that the provider signs with, sealed; undefined when the provider issued none. */
  secret: z.string().optional(),
  renewMs: z.number(),
  failures: z.number(),
});
export type SubscriptionRow = z.infer<typeof SubscriptionRow>;

const processedPushRetentionSeconds = 7 * 86_400;
const formatOwner = (provider: CloudProviderId, env: Environment): string => `${provider}#${env}`;

export const subscriptionRows = repository(({ table }) => {
  return {
    async find(provider: CloudProviderId, env: Environment): Promise<SubscriptionRow | undefined> {
      const item = await table.get(keys.subscription(provider, env), { consistent: true });
      return item && SubscriptionRow.parse(item);
    },
    /** Starts maintaining the subscription. Changes nothing when it is already maintained. */
    async open(provider: CloudProviderId, env: Environment, origin: string, nowMs: number): Promise<boolean> {
      const { applied } = await writeConditionally(table, {
        kind: 'put',
        item: {
          ...keys.subscription(provider, env),
          ...{ provider, origin, renewMs: nowMs, failures: 0 },
          ...pendingIndexKeys('sync', formatOwner(provider, env), nowMs),
        },
        condition: 'attribute_not_exists(#pk)',
      });
      return applied;
    },
    /** Schedules the next renewal. Returns false when another run has already done so. */
    async reschedule(
      env: Environment,
      provider: CloudProviderId,
      read: SubscriptionRow,
      change: { ids?: Readonly<Record<string, string>>; secret?: string; failures: number },
      renewMs: number,
    ): Promise<boolean> {
      const sets = {
        ...{ failures: change.failures, renewMs },
        ...(change.ids ? { ids: { ...change.ids } } : {}),
        ...(change.secret === undefined ? {} : { secret: change.secret }),
        ...pendingIndexKeys('sync', formatOwner(provider, env), renewMs),
      };
      const { applied } = await writeConditionally(table, {
        kind: 'update',
        key: keys.subscription(provider, env),
        update: buildSetClause(sets),
        // `renewMs` increases with every run.
        condition: '#renewMs = :read',
        values: { ...sets, read: read.renewMs },
      });
      return applied;
    },
    /** Whether a push with this name has been processed. */
    async hasProcessedPush(provider: CloudProviderId, env: Environment, nameHash: string): Promise<boolean> {
      return (await table.get(keys.processedPush(provider, env, nameHash), { consistent: true })) !== undefined;
    },
    async recordProcessedPush(
      provider: CloudProviderId,
      env: Environment,
      nameHash: string,
      nowMs: number,
    ): Promise<void> {
      const ttl = Math.ceil(nowMs / 1000) + processedPushRetentionSeconds;
      await table.write({ kind: 'put', item: { ...keys.processedPush(provider, env, nameHash), ttl } });
    },
  };
});
