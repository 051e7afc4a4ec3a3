// Rows of accounts, and of the current key of each of their environments.
import * as z from 'zod';
import type { Value, Write } from '../platform/ports.ts';
import { buildSetClause } from '../platform/set-clause.ts';
import { ApiForm, Environment } from '../system/caller.ts';
import { keys, lists } from '../system/keys.ts';
import { repository } from '../system/store.ts';
import { AccountStatus } from './account.ts';
import { EndedMaker } from './ended-makers.ts';

export const AccountRow = z.object({
  id: z.string(),
  name: z.string(),
  status: AccountStatus,
  form: ApiForm,
  /** Requests per second that each of the account's keys may make. */
  perSecond: z.number(),
  createdMs: z.number(),
  endedMakers: z.array(EndedMaker),
  /** Counts the changes of `endedMakers`. */
  endedMakersRevision: z.number(),
});
export type AccountRow = z.infer<typeof AccountRow>;

/** Every field of an account can change but these. */
type AccountChange = Omit<AccountRow, 'id' | 'name' | 'form' | 'createdMs' | 'endedMakersRevision'>;

export const EnvironmentRow = z.object({
  account: z.string(),
  env: Environment,
  /** Null after the key was revoked without a successor. */
  keyHash: z.string().nullable(),
  /** The key that the current one replaced, if it was given an overlap; it may have ended since. */
  previousKeyHash: z.string().nullable(),
});
export type EnvironmentRow = z.infer<typeof EnvironmentRow>;

const ItemKey = z.object({ pk: z.string(), sk: z.string() });

export const accountRows = repository(({ table }) => {
  return {
    async findById(account: string): Promise<AccountRow | undefined> {
      const item = await table.get(keys.account(account), { consistent: true });
      return item && AccountRow.parse(item);
    },
    async findEnvironment(account: string, env: Environment): Promise<EnvironmentRow | undefined> {
      const item = await table.get(keys.environment(account, env), { consistent: true });
      return item && EnvironmentRow.parse(item);
    },
    async listAll(): Promise<AccountRow[]> {
      const itemKeys: { pk: string; sk: string }[] = [];
      const indexItems = table.queryAll({
        index: 'by-list',
        where: '#listPk = :list',
        values: { list: lists.accounts },
      });
      for await (const item of indexItems) itemKeys.push(ItemKey.parse(item));
      const items = await table.batchGet(itemKeys);
      return items.map((item) => AccountRow.parse(item)).sort((a, b) => (a.id < b.id ? -1 : 1));
    },
    /** In the order of their ids, starting after `after`. `next` is where to continue; undefined at the end. */
    async readPage(
      after: string | undefined,
      limit: number,
    ): Promise<{ accounts: AccountRow[]; next: string | undefined }> {
      const { items: indexItems, next } = await table.query({
        index: 'by-list',
        where: after === undefined ? '#listPk = :list' : '#listPk = :list AND #listSk > :after',
        values: { list: lists.accounts, ...(after === undefined ? {} : { after }) },
        limit,
      });
      const items = await table.batchGet(indexItems.map((item) => ItemKey.parse(item)));
      return {
        accounts: items.map((item) => AccountRow.parse(item)),
        next: next && z.object({ listSk: z.string() }).parse(next).listSk,
      };
    },
    buildInsert: (row: AccountRow): Write => ({
      kind: 'put',
      item: { ...keys.account(row.id), ...row, listPk: lists.accounts, listSk: row.id },
      condition: 'attribute_not_exists(#pk)',
    }),
    /** Fails if the status has changed in the meantime. */
    buildStatusCheck: (account: string, status: AccountStatus): Write => ({
      kind: 'check',
      key: keys.account(account),
      condition: '#status = :status',
      values: { status },
    }),
    /** Fails if a value that the account's keys copy has changed in the meantime. */
    buildUnchangedCheck: ({ id, status, perSecond, endedMakersRevision }: AccountRow): Write => ({
      kind: 'check',
      key: keys.account(id),
      condition: '#status = :status AND #perSecond = :perSecond AND #endedMakersRevision = :endedMakersRevision',
      values: { status, perSecond, endedMakersRevision },
    }),
    /** Fails if a value that the account's keys copy has changed in the meantime. */
    buildUpdate(before: AccountRow, after: AccountChange): Write {
      const changes = {
        status: after.status,
        perSecond: after.perSecond,
        endedMakers: after.endedMakers,
      } satisfies Record<keyof AccountChange, Value>;
      return {
        kind: 'update',
        key: keys.account(before.id),
        update: `${buildSetClause(changes)}, #endedMakersRevision = :next`,
        condition: '#status = :readStatus AND #perSecond = :readPerSecond AND #endedMakersRevision = :read',
        values: {
          ...changes,
          next: before.endedMakersRevision + (after.endedMakers === before.endedMakers ? 0 : 1),
          readStatus: before.status,
          readPerSecond: before.perSecond,
          read: before.endedMakersRevision,
        },
      };
    },
    /**
     * Fails if the environment's key is no longer the one that was read: of two concurrent
     * rotations, only one succeeds. `read` is undefined for a new environment.
     */
    buildSetKeys: (row: EnvironmentRow, read: string | null | undefined): Write => ({
      kind: 'put',
      item: { ...keys.environment(row.account, row.env), ...row },
      ...(read === undefined
        ? { condition: 'attribute_not_exists(#pk)' }
        : { condition: '#keyHash = :read', values: { read } }),
    }),
    /**
     * Fails if the environment's key is no longer this one. The previous key changes only together
     * with it.
     */
    buildKeyCheck: (account: string, env: Environment, keyHash: string | null): Write => ({
      kind: 'check',
      key: keys.environment(account, env),
      condition: '#keyHash = :keyHash',
      values: { keyHash },
    }),
  };
});
