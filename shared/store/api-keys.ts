// API keys: authentication, revocation and the rate limit cost one conditional write on one item.
import * as z from 'zod';
import type { Item, Write } from '../engine/ports.ts';
import { ApiForm, ApiKeyStatus, Environment } from '../model/account.ts';
import { ceilingOf } from '../model/rate-limit.ts';
import { instant, keys, lists } from './keys.ts';
import { rowBuckets } from './rate-bucket.ts';
import { repository } from './store.ts';

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
  fullAtMs: z.number(),
});
export type ApiKeyRow = z.infer<typeof ApiKeyRow>;

export type Admission =
  | { outcome: 'admitted' | 'limited'; key: ApiKeyRow; nowMs: number }
  | { outcome: 'unknown' | 'revoked' | 'expired' };

/** Where keys stand in the index of what is owed, by when their owners are to be told that they expire. */
const announcements = 'DUE#keys';
const announcedAt = (id: string, ms: number): string => `${instant(ms)}#${id}`;
const Announcement = z.object({ pk: z.string(), sk: z.string() });

export const apiKeyRows = repository(({ table, clock }) => {
  const buckets = rowBuckets({ table, row: ApiKeyRow });

  return {
    async admit(hash: string): Promise<Admission> {
      const nowMs = clock.now();
      const drawn = await buckets.draw(nowMs, {
        key: keys.apiKey(hash),
        condition: '#status = :active AND #expiresMs > :now',
        values: { active: 'active' },
        fits: ({ status, expiresMs }) => status === 'active' && expiresMs > nowMs,
      });
      if (drawn.outcome !== 'refused') return { outcome: drawn.outcome, key: drawn.row, nowMs };
      if (!drawn.row) return { outcome: 'unknown' };
      return { outcome: drawn.row.status === 'active' ? 'expired' : 'revoked' };
    },
    /** As this process last admitted it: what it asks for may be read while it is checked again. Undefined where its limit is sure to refuse. */
    lastSeen(hash: string): ApiKeyRow | undefined {
      const last = buckets.lastSeen(keys.apiKey(hash));
      return last && last.fullAtMs <= ceilingOf(clock.now()) ? last : undefined;
    },
    /** Unless it was revoked. For a user token, which draws on a bucket of its own and does not expire with its environment's key. */
    async unrevoked(hash: string): Promise<ApiKeyRow | undefined> {
      const item = await table.get(keys.apiKey(hash), { consistent: true });
      const row = item && ApiKeyRow.parse(item);
      return row?.status === 'active' ? row : undefined;
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
    /** Whose owners are to be told by then that they expire, the first of them. */
    async toAnnounce(byMs: number, atMost: number): Promise<{ row: ApiKeyRow; place: string }[]> {
      const { items } = await table.query({
        index: 'by-due',
        where: '#duePk = :due AND #dueSk <= :last',
        values: { due: announcements, last: instant(byMs) },
        limit: atMost,
      });
      const found = await table.batchGet(
        items.map((item) => Announcement.parse(item)),
        { consistent: true },
      );
      return found.flatMap((item) => {
        // One that was revoked a moment ago is to be told of no more.
        const { dueSk } = z.object({ dueSk: z.string().optional() }).parse(item);
        return dueSk === undefined ? [] : [{ row: ApiKeyRow.parse(item), place: dueSk }];
      });
    },
    /** It was said, and is to be said again then, if at all. Refused when somebody else said it, or the status is another by now. */
    announced: ({ id, hash, status }: ApiKeyRow, place: string, nextMs: number | undefined): Write => ({
      kind: 'update',
      key: keys.apiKey(hash),
      update: nextMs === undefined ? 'REMOVE #duePk, #dueSk' : 'SET #dueSk = :next',
      condition: '#dueSk = :place AND #status = :status',
      values: { place, status, ...(nextMs === undefined ? {} : { next: announcedAt(id, nextMs) }) },
    }),
    inserting: (row: ApiKeyRow, announceMs: number): Write => ({
      kind: 'put',
      item: {
        ...keys.apiKey(row.hash),
        ...row,
        listPk: lists.apiKeys(row.account),
        listSk: row.id,
        duePk: announcements,
        dueSk: announcedAt(row.id, announceMs),
      },
      condition: 'attribute_not_exists(#pk)',
    }),
    revoking: (hash: string): Write => ({
      kind: 'update',
      key: keys.apiKey(hash),
      update: 'SET #status = :revoked REMOVE #duePk, #dueSk',
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
});
