// Rows of the audit trail. An environment has one partition per month, in the order of the entries'
// ids. An entry takes two write units, so a partition takes 500 acts a second. An account whose limit
// is higher gets 503 for acts above that; the reads of a backend are no acts. A month bounds what a
// partition holds, and a read asks at most 15 of them.
//
// Every row is written by an update: each function that serves a caller is granted UpdateItem for
// admission, so that recording needs no further grant, and a function that only reads data cannot
// put or delete rows for the sake of the trail.
import * as z from 'zod';
import { writeConditionally } from '../platform/conditional-write.ts';
import type { Item, Update } from '../platform/ports.ts';
import { buildSetClause } from '../platform/set-clause.ts';
import { dayMs } from '../platform/time/local-day.ts';
import { auditKeys } from '../system/audit-keys.ts';
import { Environment } from '../system/caller.ts';
import { encodeSortableId, idPrefixes, parseIdTime } from '../system/ids.ts';
import { commitConditionally, repository } from '../system/store.ts';
import { auditActions, auditOutcomes } from './actions.ts';

export const auditRetentionMs = 400 * dayMs;
const hourMs = 3_600_000;

const ActorRow = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('api_key'), id: z.string() }),
  z.object({ kind: z.literal('colleague'), id: z.string(), email: z.string() }),
  z.object({ kind: z.literal('connect_link'), id: z.string(), maker: z.string().nullable() }),
  z.object({ kind: z.literal('command_line') }),
  z.object({ kind: z.literal('system') }),
]);

const EntryItem = z.object({
  actor: ActorRow,
  action: z.enum(auditActions),
  /** Null for an act on the account as a whole. */
  env: Environment.nullable(),
  user: z.string().nullable(),
  resources: z.array(z.string()),
  outcome: z.enum(auditOutcomes),
  code: z.string().nullable(),
  network: z.string().nullable(),
  requestId: z.string().nullable(),
});

/** Its id says when it began. */
export interface AuditEntryRow extends z.infer<typeof EntryItem> {
  account: string;
  id: string;
}
export type AuditResult = Pick<AuditEntryRow, 'outcome' | 'code' | 'user' | 'resources'>;

/** The trail that lists the entry. */
const trailOf = (env: Environment | null): Environment => env ?? 'live';

const keyOf = ({ account, env, id }: Pick<AuditEntryRow, 'account' | 'env' | 'id'>) =>
  auditKeys.auditEntry(account, trailOf(env), formatMonth(parseIdTime(id)), id);

const formatMonth = (ms: number): string => new Date(ms).toISOString().slice(0, 7);

/** The first id that an entry of this time can have. */
export const firstIdAt = (ms: number): string =>
  `${idPrefixes.auditEntry}_${encodeSortableId(Math.max(0, ms), new Uint8Array(10))}`;

export const auditRows = repository((store) => {
  const { table } = store;
  return {
    /**
     * The whole entry: alone, or in the transaction of an act that is then done. It needs no
     * condition, because its id is random, so that a repeat after a lost response is harmless.
     */
    buildInsert(row: AuditEntryRow): Update {
      const { account: _partition, id, ...entry } = row;
      const fields: Item = { ...entry, ttl: Math.ceil((parseIdTime(id) + auditRetentionMs) / 1000) };
      return {
        kind: 'update',
        key: keyOf(row),
        update: buildSetClause(fields),
        values: fields,
      };
    },
    async insert(row: AuditEntryRow): Promise<void> {
      await table.write(this.buildInsert(row));
    },
    /** Returns false if the outcome is already known. */
    async recordResult(row: AuditEntryRow, result: AuditResult): Promise<boolean> {
      const { applied } = await writeConditionally(table, {
        kind: 'update',
        key: keyOf(row),
        update: buildSetClause({ ...result }),
        condition: '#outcome = :begun',
        values: { ...result, begun: 'begun' },
      });
      return applied;
    },
    /**
     * Inserts the entry unless the colleague already has one for this user and hour. The marker has
     * a row of its own, in the same transaction: an entry that carried the hour in its id would
     * appear before entries that a reader has already seen.
     */
    async insertLook(row: AuditEntryRow, { colleague, user }: { colleague: string; user: string }): Promise<boolean> {
      const hour = Math.floor(parseIdTime(row.id) / hourMs);
      const fields = { entry: row.id, ttl: (hour + 2) * 3_600 };
      return commitConditionally(store, [
        {
          kind: 'update',
          key: auditKeys.auditLook(row.account, trailOf(row.env), colleague, hour, user),
          update: buildSetClause(fields),
          condition: 'attribute_not_exists(#pk)',
          values: fields,
        },
        this.buildInsert(row),
      ]);
    },
    /**
     * Reads up to `limit` entries of one month between two ids, newest first. `more` says whether
     * the month has older ones within the bounds.
     */
    async readMonth(
      trail: { account: string; env: Environment },
      month: string,
      { firstId, lastId, limit }: { firstId: string; lastId: string; limit: number },
    ): Promise<{ entries: AuditEntryRow[]; more: boolean }> {
      const { pk } = auditKeys.auditEntry(trail.account, trail.env, month, '');
      const { items, next } = await table.query({
        where: '#pk = :pk AND #sk BETWEEN :firstId AND :lastId',
        values: { pk, firstId, lastId },
        newestFirst: true,
        limit,
        consistent: true,
      });
      return { entries: items.map((item) => parseRow(trail.account, item)), more: next !== undefined };
    },
  };
});

const parseRow = (account: string, item: Item): AuditEntryRow => ({
  account,
  id: z.object({ sk: z.string() }).parse(item).sk,
  ...EntryItem.parse(item),
});

/** The months of the trail from the one that contains `lastMs` back to the one with `firstMs`. */
export function listMonths(firstMs: number, lastMs: number): string[] {
  const months: string[] = [];
  const last = new Date(lastMs);
  for (let back = 0; ; back++) {
    const month = Date.UTC(last.getUTCFullYear(), last.getUTCMonth() - back);
    if (formatMonth(month) < formatMonth(firstMs)) return months;
    months.push(formatMonth(month));
  }
}
