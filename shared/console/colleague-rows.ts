// Rows of colleagues: the people who sign in to the console of an account. A colleague's row names
// their sessions and passkeys, so that a change of the role or a removal ends or changes them in the
// same transaction. Every change writes the whole row, on condition that it has not changed since.
import * as z from 'zod';
import type { RetryPolicy } from '../platform/optimistic-retry.ts';
import type { Item, Write } from '../platform/ports.ts';
import { dayMs, utcDay } from '../platform/time/local-day.ts';
import { ColleagueRole } from '../system/caller.ts';
import { colleagueAddressPartition, colleaguePrefix, consoleKeys } from '../system/console-keys.ts';
import { keys } from '../system/keys.ts';
import { repository } from '../system/store.ts';

export const colleagueRetryPolicy: RetryPolicy = { what: 'a colleague', retries: 5 };

/** An account's transactions and lists stay small. */
export const maxColleagues = 100;
/** Per account and UTC day: inviting and removing in turn must not become a way to mail strangers. */
export const maxColleagueInvitationsPerDay = 100;

export const ColleagueRow = z.object({
  id: z.string(),
  account: z.string(),
  email: z.string(),
  emailHash: z.string(),
  name: z.string().nullable(),
  role: ColleagueRole,
  createdMs: z.number(),
  /** The first sign-in; null for someone who was invited and has not come yet. */
  joinedMs: z.number().nullable(),
  /** Links of an earlier epoch no longer work: the colleague's access was reset since. */
  linkEpoch: z.number(),
  /**
   * Rises when access is reset or the right to make credentials is lost; what was made in an earlier
   * epoch ends.
   */
  makerEpoch: z.number(),
  /** Oldest first; some may have expired. */
  sessions: z.array(z.object({ id: z.string(), hash: z.string(), expiresMs: z.number() })),
  passkeys: z.array(z.object({ id: z.string(), hash: z.string() })),
  /** Where the colleague signed in, as hashes; the last one at the end. */
  networks: z.array(z.string()),
  revision: z.number(),
});
export type ColleagueRow = z.infer<typeof ColleagueRow>;

const toItem = (row: ColleagueRow): ReturnType<typeof consoleKeys.colleague> & Item => ({
  ...consoleKeys.colleague(row.account, row.id),
  ...row,
});

const toOwnerCount = (role: ColleagueRole): number => (role === 'owner' ? 1 : 0);

export const colleagueRows = repository(({ table }) => {
  async function find(account: string, colleague: string): Promise<ColleagueRow | undefined> {
    const item = await table.get(consoleKeys.colleague(account, colleague), { consistent: true });
    return item && ColleagueRow.parse(item);
  }

  return {
    find,
    /** Oldest first. */
    async list(account: string): Promise<ColleagueRow[]> {
      const rows: ColleagueRow[] = [];
      const items = table.queryAll({
        where: '#pk = :pk AND begins_with(#sk, :prefix)',
        values: { pk: keys.account(account).pk, prefix: colleaguePrefix },
        consistent: true,
      });
      for await (const item of items) rows.push(ColleagueRow.parse(item));
      return rows;
    },
    /** The colleagues with an address, one per account at most. */
    async listByAddress(emailHash: string): Promise<ColleagueRow[]> {
      const found: ColleagueRow[] = [];
      const items = table.queryAll({
        where: '#pk = :pk',
        values: { pk: colleagueAddressPartition(emailHash) },
        consistent: true,
      });
      for await (const item of items) {
        const { account, colleague } = z.object({ account: z.string(), colleague: z.string() }).parse(item);
        const row = await find(account, colleague);
        if (row) found.push(row);
      }
      return found;
    },
    async findByAddress(account: string, emailHash: string): Promise<ColleagueRow | undefined> {
      const item = await table.get(consoleKeys.colleagueAddress(emailHash, account), { consistent: true });
      return item && find(account, z.object({ colleague: z.string() }).parse(item).colleague);
    },
    /** The first write fails if the account has too many, the second if it has the address. */
    buildInsert: (row: ColleagueRow): [count: Write, address: Write, colleague: Write] => [
      {
        kind: 'update',
        key: consoleKeys.colleagueCount(row.account),
        update:
          'SET #colleagues = if_not_exists(#colleagues, :none) + :one, #owners = if_not_exists(#owners, :none) + :owner',
        condition: 'attribute_not_exists(#colleagues) OR #colleagues < :max',
        values: { none: 0, one: 1, owner: toOwnerCount(row.role), max: maxColleagues },
      },
      {
        kind: 'put',
        item: {
          ...consoleKeys.colleagueAddress(row.emailHash, row.account),
          account: row.account,
          colleague: row.id,
        },
        condition: 'attribute_not_exists(#pk)',
      },
      { kind: 'put', item: toItem(row), condition: 'attribute_not_exists(#pk)' },
    ],
    /** Fails if the account has reached its limit of the day. */
    buildCountInvitation: (account: string, nowMs: number): Write => ({
      kind: 'update',
      key: consoleKeys.colleagueInvitationCount(account, utcDay(nowMs)),
      update: 'SET #count = if_not_exists(#count, :none) + :one, #ttl = :ttl',
      condition: 'attribute_not_exists(#count) OR #count < :max',
      values: {
        none: 0,
        one: 1,
        max: maxColleagueInvitationsPerDay,
        ttl: Math.ceil((nowMs + 2 * dayMs) / 1000),
      },
    }),
    /** Fails if the colleague has changed since it was read. */
    buildUpdate: (before: ColleagueRow, after: ColleagueRow): Write => ({
      kind: 'put',
      item: toItem({ ...after, revision: before.revision + 1 }),
      condition: '#revision = :read',
      values: { read: before.revision },
    }),
    /** Fails if this would take the account's last owner. Nothing if the number stays the same. */
    buildCountOwners(account: string, before: ColleagueRole, after: ColleagueRole): Write[] {
      const change = toOwnerCount(after) - toOwnerCount(before);
      if (change === 0) return [];
      return [
        {
          kind: 'update',
          key: consoleKeys.colleagueCount(account),
          update: 'SET #owners = #owners + :change',
          condition: change < 0 ? '#owners > :one' : 'attribute_exists(#owners)',
          values: { change, ...(change < 0 ? { one: 1 } : {}) },
        },
      ];
    },
    /** Fails if this is the account's last owner. Nothing for other roles. */
    buildLeavingCheck: ({ account, role }: ColleagueRow): Write[] =>
      role === 'owner'
        ? [
            {
              kind: 'check',
              key: consoleKeys.colleagueCount(account),
              condition: '#owners > :one',
              values: { one: 1 },
            },
          ]
        : [],
    /** The first write fails if this is the account's last owner. */
    buildDelete: ({ account, id, emailHash, role, revision }: ColleagueRow): [count: Write, ...others: Write[]] => [
      {
        kind: 'update',
        key: consoleKeys.colleagueCount(account),
        update: 'SET #colleagues = #colleagues - :one, #owners = #owners - :owner',
        condition: role === 'owner' ? '#owners > :one' : 'attribute_exists(#owners)',
        values: { one: 1, owner: toOwnerCount(role) },
      },
      { kind: 'delete', key: consoleKeys.colleagueAddress(emailHash, account) },
      {
        kind: 'delete',
        key: consoleKeys.colleague(account, id),
        condition: '#revision = :revision',
        values: { revision },
      },
    ],
  };
});
