// API keys: authentication, revocation and the rate limit cost one conditional write on one item.
import * as z from 'zod';
import { type Clock, ConditionFailed, type Item, type Table, type Write } from '../engine/ports.ts';
import { ApiForm, ApiKeyStatus, Environment } from '../model/account.ts';
import { keys, lists } from './keys.ts';
import { ceilingOf, drawFrom } from './rate-bucket.ts';

export const ApiKeyRow = z.object({
  id: z.string(),
  hash: z.string(),
  account: z.string(),
  env: Environment,
  form: ApiForm,
  status: ApiKeyStatus,
  suspended: z.boolean(),
  shown: z.string(),
  createdMs: z.number(),
  expiresMs: z.number(),
  /** The theoretical arrival time of the generic cell rate algorithm: the moment the bucket is full again. */
  fullAtMs: z.number(),
});
export type ApiKeyRow = z.infer<typeof ApiKeyRow>;

export type Admission =
  | { outcome: 'admitted' | 'limited'; key: ApiKeyRow; nowMs: number }
  | { outcome: 'unknown' | 'revoked' | 'expired' };

/** `environment` admits a user token: it draws on the bucket of its environment's key but does not expire with it. */
export type AdmissionKind = 'key' | 'environment';

const rememberedKeys = 10_000;

export function apiKeyRows(table: Table, clock: Clock) {
  const seen = new Map<string, ApiKeyRow>();
  const remember = (row: ApiKeyRow): ApiKeyRow => {
    if (!seen.has(row.hash) && seen.size >= rememberedKeys) seen.clear();
    seen.set(row.hash, row);
    return row;
  };

  async function admit(hash: string, kind: AdmissionKind): Promise<Admission> {
    // A request counts by when it came: one that has to try again must not find the bucket refilled by its own waiting.
    const nowMs = clock.now();
    for (;;) {
      const last = seen.get(hash);
      // The bucket's mark only moves forward, so a remembered mark that refuses is still a refusal: no call is spent on a flood.
      if (last && last.fullAtMs > ceilingOf(nowMs)) return { outcome: 'limited', key: last, nowMs };
      const draw = drawFrom(last?.fullAtMs ?? 0, nowMs);
      try {
        const item = await table.write({
          kind: 'update',
          key: keys.apiKey(hash),
          update: `SET ${draw.set}`,
          condition: `#status = :active AND ${kind === 'key' ? '#expiresMs > :now AND ' : ''}${draw.condition}`,
          values: { active: 'active', ...draw.values },
        });
        return { outcome: 'admitted', key: remember(ApiKeyRow.parse(item)), nowMs };
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
        if (!error.item) return { outcome: 'unknown' };
        const key = ApiKeyRow.parse(error.item);
        if (key.status !== 'active') {
          seen.delete(hash);
          return { outcome: 'revoked' };
        }
        if (kind === 'key' && key.expiresMs <= nowMs) return { outcome: 'expired' };
        remember(key);
        if (key.fullAtMs > ceilingOf(nowMs)) return { outcome: 'limited', key, nowMs };
      }
    }
  }

  return {
    admit,
    /** As this process last admitted it: what it asks for may be read while it is checked again. Undefined where its limit is sure to refuse. */
    lastSeen(hash: string): ApiKeyRow | undefined {
      const last = seen.get(hash);
      return last && last.fullAtMs <= ceilingOf(clock.now()) ? last : undefined;
    },
    async ofAccount(account: string): Promise<ApiKeyRow[]> {
      const rows: Item[] = [];
      const found = table.queryAll({
        index: 'by-list',
        where: '#listPk = :list',
        values: { list: lists.apiKeys(account) },
        newestFirst: true,
      });
      for await (const row of found) rows.push(row);
      const items = await table.batchGet(rows.map((row) => z.object({ pk: z.string(), sk: z.string() }).parse(row)));
      return items.map((item) => ApiKeyRow.parse(item)).sort((a, b) => (a.id < b.id ? 1 : -1));
    },
    inserting: (row: ApiKeyRow): Write => ({
      kind: 'put',
      item: { ...keys.apiKey(row.hash), ...row, listPk: lists.apiKeys(row.account), listSk: row.id },
      condition: 'attribute_not_exists(#pk)',
    }),
    revoking: (hash: string): Write => ({
      kind: 'update',
      key: keys.apiKey(hash),
      update: 'SET #status = :revoked',
      condition: 'attribute_exists(#pk)',
      values: { revoked: 'revoked' },
    }),
    suspending: (hash: string, suspended: boolean): Write => ({
      kind: 'update',
      key: keys.apiKey(hash),
      update: 'SET #suspended = :suspended',
      condition: 'attribute_exists(#pk)',
      values: { suspended },
    }),
  };
}
