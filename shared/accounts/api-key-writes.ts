// The rows of an API key and the writes to them. A limit that is too high for one partition is
// spread over copies of the row, each with a share of the limit. A change to the key changes all
// copies in one transaction.
import * as z from 'zod';
import type { Key, Write } from '../platform/ports.ts';
import { ratePolicy } from '../platform/rate-limit.ts';
import { ApiForm, Environment } from '../system/caller.ts';
import { keys, lists, toSortableTimestamp } from '../system/keys.ts';
import { ApiKeyStatus } from './account.ts';
import { EndedMaker } from './ended-makers.ts';

export const ApiKeyRow = z.object({
  id: z.string(),
  hash: z.string(),
  account: z.string(),
  env: Environment,
  form: ApiForm,
  status: ApiKeyStatus,
  suspended: z.boolean(),
  maskedKey: z.string(),
  createdMs: z.number(),
  expiresMs: z.number(),
  /** When the key stops working: at its expiry, or earlier once it was replaced or revoked. */
  endsMs: z.number(),
  /** The account's limit; each row enforces its share of it. */
  perSecond: z.number(),
  fullAtMs: z.number(),
  /** A copy of the account's. Only that of the first row is current. */
  endedMakers: z.array(EndedMaker),
  /** The colleague who made the key and saw it; null if it was the command line. */
  madeBy: z.string().nullable(),
});
export type ApiKeyRow = z.infer<typeof ApiKeyRow>;

/**
 * What a row of a key has counted since it exists. Requests are counted by the write that admits
 * them. The others have no write of their own: a process remembers them until it next admits the
 * key, so they may be late, and are lost with the process.
 */
export const ApiKeyCounts = z.object({
  requests: z.number().default(0),
  clientErrors: z.number().default(0),
  serverErrors: z.number().default(0),
  limited: z.number().default(0),
});
export type ApiKeyCounts = z.infer<typeof ApiKeyCounts>;

/** The partition of the due index that lists keys by when their next expiry notice is due. */
export const expiryNoticePartition = 'DUE#keys';
const formatNoticeSortKey = (id: string, ms: number): string => `${toSortableTimestamp(ms)}#${id}`;

/** The first row identifies the key; the copies are in no index. */
export const apiKeyShareKey = (hash: string, share: number): Key =>
  share === 0 ? keys.apiKey(hash) : keys.apiKeyShare(hash, share);

const listShares = (perSecond: number): number[] => Array.from({ length: ratePolicy(perSecond).rows }, (_, at) => at);

/** The partitions of all rows of a key. */
export const listKeyPartitions = (hash: string, perSecond: number): string[] =>
  listShares(perSecond).map((share) => apiKeyShareKey(hash, share).pk);

export const apiKeyWrites = {
  buildInsert: (row: ApiKeyRow, noticeMs: number): Write[] =>
    listShares(row.perSecond).map((share) =>
      share > 0
        ? buildCopy(row, share)
        : {
            kind: 'put',
            item: {
              ...keys.apiKey(row.hash),
              ...row,
              listPk: lists.apiKeys(row.account),
              listSk: row.id,
              duePk: expiryNoticePartition,
              dueSk: formatNoticeSortKey(row.id, noticeMs),
            },
            condition: 'attribute_not_exists(#pk)',
          },
    ),
  /**
   * The key has a successor and is accepted until `endsMs`. Its expiry is not announced: its
   * successor's is.
   */
  buildEndLater: ({ hash, perSecond }: Pick<ApiKeyRow, 'hash' | 'perSecond'>, endsMs: number): Write[] =>
    listShares(perSecond).map((share) => ({
      kind: 'update',
      key: apiKeyShareKey(hash, share),
      update: `SET #status = :ending, #endsMs = :endsMs${share === 0 ? ' REMOVE #duePk, #dueSk' : ''}`,
      condition: '#status = :active',
      values: { active: 'active', ending: 'ending', endsMs },
    })),
  /** The first row stays and records that the key was revoked, and when it stopped working. */
  buildRevoke: (
    { hash, perSecond, endsMs }: Pick<ApiKeyRow, 'hash' | 'perSecond' | 'endsMs'>,
    nowMs: number,
  ): Write[] =>
    listShares(perSecond).map((share) =>
      share > 0
        ? { kind: 'delete', key: apiKeyShareKey(hash, share) }
        : {
            kind: 'update',
            key: keys.apiKey(hash),
            update: 'SET #status = :revoked, #endsMs = :endsMs REMOVE #duePk, #dueSk',
            condition: 'attribute_exists(#pk)',
            values: { revoked: 'revoked', endsMs: Math.min(endsMs, nowMs) },
          },
    ),
  buildSuspend: ({ hash, perSecond }: Pick<ApiKeyRow, 'hash' | 'perSecond'>, suspended: boolean): Write[] =>
    listShares(perSecond).map((share) => ({
      kind: 'update',
      key: apiKeyShareKey(hash, share),
      update: 'SET #suspended = :suspended',
      condition: 'attribute_exists(#pk)',
      values: { suspended },
    })),
  /** User tokens are admitted by the first row. */
  buildSetEndedMakers: ({ hash }: Pick<ApiKeyRow, 'hash'>, endedMakers: EndedMaker[]): Write => ({
    kind: 'update',
    key: keys.apiKey(hash),
    update: 'SET #endedMakers = :endedMakers',
    condition: 'attribute_exists(#pk)',
    values: { endedMakers },
  }),
  /** A new copy starts with the bucket level of the first row. */
  buildChangeLimit(row: ApiKeyRow, perSecond: number): Write[] {
    const [before, after] = [listShares(row.perSecond), listShares(perSecond)];
    return [
      ...after.map(
        (share): Write =>
          share >= before.length
            ? buildCopy({ ...row, perSecond }, share)
            : {
                kind: 'update',
                key: apiKeyShareKey(row.hash, share),
                update: 'SET #perSecond = :to',
                condition: '#perSecond = :from',
                values: { from: row.perSecond, to: perSecond },
              },
      ),
      ...before.slice(after.length).map((share): Write => ({ kind: 'delete', key: apiKeyShareKey(row.hash, share) })),
    ];
  },
  /**
   * Records that the notice was published and when the next is due, if any. Fails if another run
   * has published it, or if the status has changed.
   */
  buildRecordExpiryNotice: ({ id, hash, status }: ApiKeyRow, sortKey: string, nextMs: number | undefined): Write => ({
    kind: 'update',
    key: keys.apiKey(hash),
    update: nextMs === undefined ? 'REMOVE #duePk, #dueSk' : 'SET #dueSk = :next',
    condition: '#dueSk = :sortKey AND #status = :status',
    values: { sortKey, status, ...(nextMs === undefined ? {} : { next: formatNoticeSortKey(id, nextMs) }) },
  }),
};

const buildCopy = (row: ApiKeyRow, share: number): Write => ({
  kind: 'put',
  item: { ...keys.apiKeyShare(row.hash, share), ...row },
  condition: 'attribute_not_exists(#pk)',
});
