// The members of a team, each linked to a user. They are listed with queries on the team's
// partition.
import * as z from 'zod';
import type { Write } from '../platform/ports.ts';
import { Environment } from '../system/caller.ts';
import { keys, memberPrefix } from '../system/keys.ts';
import { repository } from '../system/store.ts';
import { readTeamPage } from './read-team-page.ts';
import { MemberStatus } from './team.ts';

export const MemberRow = z.object({
  id: z.string(),
  account: z.string(),
  env: Environment,
  email: z.string(),
  emailHash: z.string(),
  name: z.string().nullable(),
  user: z.string(),
  status: MemberStatus,
  joinedMs: z.number(),
  archivedMs: z.number().nullable(),
  revision: z.number(),
});
export type MemberRow = z.infer<typeof MemberRow>;

const Membership = z.object({ account: z.string(), env: Environment, member: z.string() });
export type Membership = z.infer<typeof Membership>;

const memberKey = ({ account, env, id }: Pick<MemberRow, 'account' | 'env' | 'id'>) => keys.member(account, env, id);

export const memberRows = repository(({ table }) => {
  return {
    async findById(account: string, env: Environment, member: string): Promise<MemberRow | undefined> {
      const item = await table.get(keys.member(account, env, member), { consistent: true });
      return item && MemberRow.parse(item);
    },
    readPage: (
      account: string,
      env: Environment,
      { limit, status, afterId }: { limit: number; status?: MemberStatus | undefined; afterId?: string | undefined },
    ) =>
      readTeamPage<MemberRow>(table, {
        account,
        env,
        prefix: memberPrefix,
        limit,
        afterId,
        read: (item) => MemberRow.parse(item),
        shows: status && ((row) => row.status === status),
      }),
    async wasRemoved(account: string, env: Environment, member: string): Promise<boolean> {
      return (await table.get(keys.memberTombstone(account, env, member), { consistent: true })) !== undefined;
    },
    async findByUser(user: string): Promise<Membership | undefined> {
      const item = await table.get(keys.membershipPointer(user), { consistent: true });
      return item && Membership.parse(item);
    },

    /**
     * Includes the pointer in the user's partition, so that the user cannot belong to another
     * member.
     */
    buildInsert: (row: MemberRow): Write[] => [
      { kind: 'put', item: { ...memberKey(row), ...row }, condition: 'attribute_not_exists(#pk)' },
      {
        kind: 'put',
        item: { ...keys.membershipPointer(row.user), account: row.account, env: row.env, member: row.id },
        condition: 'attribute_not_exists(#pk)',
      },
    ],
    /** Fails when the member was changed or removed since it was read. */
    buildUpdate: (before: MemberRow, after: MemberRow): Write => ({
      kind: 'put',
      item: { ...memberKey(before), ...after, revision: before.revision + 1 },
      condition: '#revision = :read',
      values: { read: before.revision },
    }),
    /**
     * Leaves no personal data. Deletes the pointer too, unless the user's writer still has to count
     * it.
     */
    buildRemove: (row: MemberRow, { keepsPointer }: { keepsPointer: boolean }): Write[] => [
      { kind: 'delete', key: memberKey(row), condition: '#revision = :read', values: { read: row.revision } },
      { kind: 'put', item: { ...keys.memberTombstone(row.account, row.env, row.id) } },
      ...(keepsPointer ? [] : [{ kind: 'delete', key: keys.membershipPointer(row.user) } satisfies Write]),
    ],
  };
});
