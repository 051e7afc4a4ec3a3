// Rows of API keys: one conditional write on one item covers authentication, revocation and the
// rate limit.
import * as z from 'zod';
import { BoundedCache } from '../platform/bounded-cache.ts';
import type { Item } from '../platform/ports.ts';
import { createRowBuckets, maxCachedRows } from '../platform/rate-bucket.ts';
import { computeCeilingMs, rateLimit, ratePolicy } from '../platform/rate-limit.ts';
import { keys, lists, toSortableTimestamp } from '../system/keys.ts';
import { repository } from '../system/store.ts';
import type { ApiKeySummary } from './account.ts';
import { ApiKeyCounts, ApiKeyRow, apiKeyShareKey, apiKeyWrites, expiryNoticePartition } from './api-key-writes.ts';
import { createResponseTally } from './response-tally.ts';

export type Admission =
  | { outcome: 'admitted' | 'limited'; key: ApiKeyRow; nowMs: number }
  | { outcome: 'unknown' | 'revoked' | 'expired' };

const ItemKey = z.object({ pk: z.string(), sk: z.string() });

/** A key whose overlap has ended was revoked; a key that reached its own end has expired. */
export function getEffectiveStatus(
  { status, endsMs, expiresMs }: Pick<ApiKeyRow, 'status' | 'endsMs' | 'expiresMs'>,
  nowMs: number,
): ApiKeySummary['status'] {
  if (status === 'revoked' || endsMs > nowMs) return status;
  return endsMs < expiresMs ? 'revoked' : 'expired';
}

export const apiKeyRows = repository(({ table, clock }) => {
  const buckets = createRowBuckets({ table, clock, row: ApiKeyRow });

  /** The row of each key as this process last saw it, from any of the key's rows. */
  const lastSeenRows = new BoundedCache<string, ApiKeyRow>(maxCachedRows);
  const tally = createResponseTally(maxCachedRows);

  return {
    ...apiKeyWrites,
    /**
     * Draws on one of the key's rows, at random. Any row can admit; the first row says why a key is
     * rejected.
     */
    async admit(hash: string): Promise<Admission> {
      let limit: Pick<ApiKeyRow, 'perSecond'> = lastSeenRows.get(hash) ?? rateLimit;
      let share = Math.floor(Math.random() * ratePolicy(limit.perSecond).rows);
      for (;;) {
        const { perSecond } = limit;
        const counts = tally.take(hash);
        const drawResult = await buckets.draw(clock.now(), {
          key: apiKeyShareKey(hash, share),
          policy: ratePolicy(perSecond),
          condition: '#status IN (:active, :ending) AND #endsMs > :now AND #perSecond = :perSecond',
          values: { active: 'active', ending: 'ending', perSecond, ...counts.values },
          set: counts.set,
          matches: (row, nowMs) => row.status !== 'revoked' && row.endsMs > nowMs && row.perSecond === perSecond,
        });
        if (drawResult.outcome !== 'admitted') counts.putBack();
        if (drawResult.outcome !== 'refused') {
          lastSeenRows.set(hash, drawResult.row);
          return { outcome: drawResult.outcome, key: drawResult.row, nowMs: drawResult.nowMs };
        }
        lastSeenRows.delete(hash);
        if (share > 0) {
          share = 0;
          continue;
        }
        if (!drawResult.row) return { outcome: 'unknown' };
        const status = getEffectiveStatus(drawResult.row, drawResult.nowMs);
        if (status === 'revoked' || status === 'expired') return { outcome: status };
        // The account's limit has changed in the meantime.
        limit = drawResult.row;
      }
    },
    /**
     * The key as this process last admitted it, so that the requested data can be read while the
     * key is checked again. Undefined if the bucket it drew on was empty.
     */
    lastSeen(hash: string): ApiKeyRow | undefined {
      const last = lastSeenRows.get(hash);
      return last && last.fullAtMs <= computeCeilingMs(clock.now(), ratePolicy(last.perSecond)) ? last : undefined;
    },
    /** Remembers the response to a request with the key, for the key's next admission. */
    noteStatus: (hash: string, status: number): void => tally.note(hash, status),
    /** What the rows of a key in these partitions have counted. A copy is a row of its own. */
    async readCounts(partitions: readonly string[]): Promise<Record<string, ApiKeyCounts>> {
      if (partitions.length === 0) return {};
      const items = await table.batchGet(
        partitions.map((pk) => ({ pk, sk: keys.apiKey('').sk })),
        { consistent: true },
      );
      return Object.fromEntries(items.map((item) => [ItemKey.parse(item).pk, ApiKeyCounts.parse(item)]));
    },
    async find(hash: string): Promise<ApiKeyRow | undefined> {
      const item = await table.get(keys.apiKey(hash), { consistent: true });
      return item && ApiKeyRow.parse(item);
    },
    /**
     * Returns the key unless it was revoked. User tokens use this: they draw on a bucket of their
     * own and do not expire with their environment's key.
     */
    async findUnrevoked(hash: string): Promise<ApiKeyRow | undefined> {
      const row = await this.find(hash);
      return row && getEffectiveStatus(row, clock.now()) !== 'revoked' ? row : undefined;
    },
    async listByAccount(account: string): Promise<ApiKeyRow[]> {
      const rows: Item[] = [];
      const foundItems = table.queryAll({
        index: 'by-list',
        where: '#listPk = :list',
        values: { list: lists.apiKeys(account) },
        newestFirst: true,
      });
      for await (const row of foundItems) rows.push(row);
      const items = await table.batchGet(rows.map((row) => z.object({ pk: z.string(), sk: z.string() }).parse(row)));
      return items.map((item) => ApiKeyRow.parse(item)).sort((a, b) => (a.id < b.id ? 1 : -1));
    },
    /** Lists the first keys whose expiry notice is due by `byMs`. */
    async listDueForExpiryNotice(byMs: number, limit: number): Promise<{ row: ApiKeyRow; position: string }[]> {
      const { items } = await table.query({
        index: 'by-due',
        where: '#duePk = :due AND #dueSk <= :last',
        values: { due: expiryNoticePartition, last: toSortableTimestamp(byMs) },
        limit: limit,
      });
      const foundItems = await table.batchGet(
        items.map((item) => ItemKey.parse(item)),
        { consistent: true },
      );
      return foundItems.flatMap((item) => {
        // A key that was just revoked has no notice due.
        const { dueSk } = z.object({ dueSk: z.string().optional() }).parse(item);
        return dueSk === undefined ? [] : [{ row: ApiKeyRow.parse(item), position: dueSk }];
      });
    },
  };
});
