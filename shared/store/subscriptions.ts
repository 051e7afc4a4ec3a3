// What a vendor was asked to tell this deployment of, and what it has told already.
import * as z from 'zod';
import type { Environment } from '../model/account.ts';
import type { CloudProviderId } from '../model/provider.ts';
import { conditionalWrite } from './conditional-write.ts';
import { due } from './due.ts';
import { instant, keys } from './keys.ts';
import { repository } from './store.ts';

const SubscriptionRow = z.object({
  provider: z.string(),
  /** Where pushes go. */
  origin: z.string(),
  /** By what each is for, as the vendor names them; undefined before the first were made. */
  ids: z.record(z.string(), z.string()).optional(),
  /** What the vendor signs with, sealed; undefined where it gave none. */
  secret: z.string().optional(),
  againMs: z.number().default(0),
  claims: z.number().default(0),
  failures: z.number().default(0),
});
export type SubscriptionRow = z.infer<typeof SubscriptionRow>;

const keptNameSeconds = 7 * 86_400;
const ownerOf = (provider: CloudProviderId, env: Environment): string => `${provider}#${env}`;

export const subscriptionRows = repository(({ table }) => {
  return {
    async of(provider: CloudProviderId, env: Environment): Promise<SubscriptionRow | undefined> {
      const item = await table.get(keys.subscription(provider, env), { consistent: true });
      return item && SubscriptionRow.parse(item);
    },
    /** Looked after from here on; nothing changes when it is already. */
    async open(provider: CloudProviderId, env: Environment, origin: string, nowMs: number): Promise<boolean> {
      const { held } = await conditionalWrite(table, {
        kind: 'put',
        item: { ...keys.subscription(provider, env), provider, origin, ...due('sync', ownerOf(provider, env), nowMs) },
        condition: 'attribute_not_exists(#pk)',
      });
      return held;
    },
    /** Undefined when it is not due, or in other hands. */
    async claim(
      provider: CloudProviderId,
      env: Environment,
      nowMs: number,
      untilMs: number,
    ): Promise<SubscriptionRow | undefined> {
      const { held, item } = await conditionalWrite(table, {
        kind: 'update',
        key: keys.subscription(provider, env),
        update: 'SET #leasedUntilMs = :until, #claims = if_not_exists(#claims, :none) + :one',
        condition: '#dueSk <= :due AND (attribute_not_exists(#leasedUntilMs) OR #leasedUntilMs <= :now)',
        values: { until: untilMs, none: 0, one: 1, due: `${instant(nowMs)}~`, now: nowMs },
      });
      return held ? SubscriptionRow.parse(item) : undefined;
    },
    /** Looked at again then. False when the lease was lost. */
    async settle(
      env: Environment,
      provider: CloudProviderId,
      { claims }: SubscriptionRow,
      change: { ids?: Readonly<Record<string, string>>; secret?: string; failures: number },
      againMs: number,
    ): Promise<boolean> {
      const sets = {
        failures: change.failures,
        againMs,
        leasedUntilMs: 0,
        ...(change.ids ? { ids: { ...change.ids } } : {}),
        ...(change.secret === undefined ? {} : { secret: change.secret }),
        ...due('sync', ownerOf(provider, env), againMs),
      };
      const { held } = await conditionalWrite(table, {
        kind: 'update',
        key: keys.subscription(provider, env),
        update: `SET ${Object.keys(sets)
          .map((name) => `#${name} = :${name}`)
          .join(', ')}`,
        condition: '#claims = :mine',
        values: { ...sets, mine: claims },
      });
      return held;
    },

    /** Whether a push of this name was worked off. */
    async hasSeen(provider: CloudProviderId, env: Environment, nameHash: string): Promise<boolean> {
      return (await table.get(keys.seenPush(provider, env, nameHash), { consistent: true })) !== undefined;
    },
    async seen(provider: CloudProviderId, env: Environment, nameHash: string, nowMs: number): Promise<void> {
      const ttl = Math.ceil(nowMs / 1000) + keptNameSeconds;
      await table.write({ kind: 'put', item: { ...keys.seenPush(provider, env, nameHash), ttl } });
    },
  };
});
