import { beforeEach, describe, expect, test } from 'vitest';
import { createAccount } from '../../../shared/accounts/accounts.ts';
import { deleteUser } from '../../../shared/erasure/delete-user.ts';
import type { Caller } from '../../../shared/system/caller.ts';
import { keys, userCountPartition } from '../../../shared/system/keys.ts';
import { memberLookup, removeMember, setMemberStatus } from '../../../shared/team/members.ts';
import { listUsersAtOffset } from '../../../shared/users/list-users-at-offset.ts';
import { createUser, listUsers } from '../../../shared/users/users.ts';
import { type MemoryDeps, memoryDeps } from '../../harness/memory-deps.ts';
import { createMember } from '../../harness/team-members.ts';

const caller: Caller = { kind: 'api_key', account: 'acc_01k9p3w0b1c3e5g7j9m1p3r5t7', env: 'live', form: 1 };
const otherCaller: Caller = { ...caller, account: 'acc_01k9p3w0b1c3e5g7j9m1p3r5t8' };

let memory: MemoryDeps;
beforeEach(() => {
  memory = memoryDeps();
});
async function users(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    memory.clock.advance(1);
    ids.push((await createUser(memory.deps, caller, { external_ref: `member-${n}` })).id);
  }
  return ids;
}
const at = async (page: number, perPage: number, reference?: string, who = caller) => {
  const read = await listUsersAtOffset(memory.deps, who, { page, perPage, reference });
  return { ids: read.users.map(({ id }) => id), total: read.total };
};

test('pages are in order of creation, with the total of all pages', async () => {
  const ids = await users(5);
  expect(await at(1, 2)).toEqual({ ids: ids.slice(0, 2), total: 5 });
  expect(await at(3, 2)).toEqual({ ids: ids.slice(4), total: 5 });
  expect(await at(4, 2)).toEqual({ ids: [], total: 5 });
  expect(await at(1, 20, undefined, otherCaller)).toEqual({ ids: [], total: 0 });
});

test('a page is the same however many reads the list takes', async () => {
  const ids = await users(9);
  const pagedDeps = memory.withTable({
    ...memory.table,
    query: (query) => memory.table.query({ ...query, limit: Math.min(2, query.limit ?? 2) }),
  });
  const { users: found } = await listUsersAtOffset(pagedDeps, caller, { page: 3, perPage: 3 });
  expect(found.map(({ id }) => id)).toEqual(ids.slice(6));
});

test('a deleted user is no longer counted, and moves the later ones up by one', async () => {
  const ids = await users(5);
  await deleteUser(memory.deps, caller, ids[1] ?? '');
  await expect(deleteUser(memory.deps, caller, ids[1] ?? '')).rejects.toMatchObject({ code: 'not_found' });
  expect(await at(2, 2)).toEqual({ ids: ids.slice(3), total: 4 });
});

test('a user who is created during paging is at the end', async () => {
  const before = await users(3);
  expect((await at(1, 2)).ids).toEqual(before.slice(0, 2));
  memory.clock.advance(1);
  const { id } = await createUser(memory.deps, caller, {});
  expect(await at(2, 2)).toEqual({ ids: [before[2], id], total: 4 });
});

test('the total is never less than the users on a page, even if a user is deleted before the count', async () => {
  const ids = await users(3);
  const later = memory.withTable({
    ...memory.table,
    async *queryAll(query) {
      if (query.values['pk'] === userCountPartition(caller.account, caller.env))
        await deleteUser(memory.deps, caller, ids[0] ?? '');
      yield* memory.table.queryAll(query);
    },
  });
  const { users: shown, total } = await listUsersAtOffset(later, caller, { page: 2, perPage: 2 });
  expect([shown.map(({ id }) => id), total]).toEqual([[ids[2]], 3]);
  expect((await at(1, 2)).total).toBe(2);
});

test('a reference finds one user or none, on the first page', async () => {
  const ids = await users(3);
  expect(await at(1, 20, 'member-1')).toEqual({ ids: [ids[1]], total: 1 });
  expect(await at(2, 20, 'member-1')).toEqual({ ids: [], total: 1 });
  expect(await at(1, 20, 'nobody')).toEqual({ ids: [], total: 0 });
  expect(await at(1, 20, 'member-1', otherCaller)).toEqual({ ids: [], total: 0 });
  await deleteUser(memory.deps, caller, ids[1] ?? '');
  expect(await at(1, 20, 'member-1')).toEqual({ ids: [], total: 0 });
});

describe('a member', () => {
  let own: Caller;
  let known: { member: string; user: string };
  beforeEach(async () => {
    const { account_id } = await createAccount(memory.deps, { name: 'The Lab' });
    own = { ...caller, account: account_id };
    const { id: user_id } = await createUser(memory.deps, own, { external_ref: 'ada' });
    await createUser(memory.deps, own, { external_ref: 'eve' });
    known = await createMember(memory.deps, account_id, { user_id });
  });
  /** Returns the ids that both lists show, which are the same. */
  async function found({ member, reference }: { member?: string; reference?: string }, who = own): Promise<string[]> {
    const lookup = { reference, userOfMember: memberLookup(memory.deps, who, member) };
    const paged = await listUsersAtOffset(memory.deps, who, { page: 1, perPage: 20, ...lookup });
    const listed = await listUsers(memory.deps, who, { limit: 20, ...lookup });
    const ids = paged.users.map(({ id }) => id);
    expect([listed.users.map(({ id }) => id), paged.total]).toEqual([ids, ids.length]);
    return ids;
  }

  test('finds its one user, also when archived, and none once it was removed', async () => {
    const { member, user } = known;
    expect(await found({ member })).toEqual([user]);
    await setMemberStatus(memory.deps, own, member, 'archived');
    expect(await found({ member })).toEqual([user]);
    await removeMember(memory.deps, own, member);
    expect(await found({ member })).toEqual([]);
  });

  test('finds none when its user was deleted, even before its row is gone', async () => {
    await deleteUser(memory.deps, own, known.user);
    expect(await found({ member: known.member })).toEqual([]);
  });

  test('and a reference must belong to the same user', async () => {
    const { member, user } = known;
    expect(await found({ member, reference: 'ada' })).toEqual([user]);
    for (const reference of ['eve', 'nobody']) expect(await found({ member, reference })).toEqual([]);
    expect(await found({ member: 'nobody', reference: 'ada' })).toEqual([]);
  });

  test('of another account or environment, or one that never existed, finds none', async () => {
    for (const who of [otherCaller, { ...own, env: 'sandbox' } as const])
      expect(await found({ member: known.member }, who)).toEqual([]);
    for (const member of ['mem_01k9p3wq4r6t8w0y2a4c6e8g0j', known.user, 'x'])
      expect(await found({ member })).toEqual([]);
  });
});

describe('a page after more than 100,000 users', () => {
  /** Sets the count that creating these users would give. */
  const counted = (count: number) =>
    memory.table.write({ kind: 'put', item: { ...keys.userCount(caller.account, caller.env, 0), count } });

  test('is rejected, and the error names the last page', async () => {
    await counted(100_101);
    await expect(at(1_002, 100)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('page: must be at most 1001; use reference_id to find users beyond it'),
      details: { issues: [{ path: 'page' }] },
    });
    expect(await at(1_001, 100)).toEqual({ ids: [], total: 100_101 });
  });

  test('is empty like every page past the last when there are fewer users', async () => {
    await counted(100_100);
    expect(await at(1_002, 100)).toEqual({ ids: [], total: 100_100 });
    expect(await at(999_999_999, 100)).toEqual({ ids: [], total: 100_100 });
    const [id] = await users(1);
    expect(await at(1, 100, 'member-0')).toEqual({ ids: [id], total: 1 });
    expect(await at(1_002, 100, 'member-0')).toEqual({ ids: [], total: 1 });
  });
});
