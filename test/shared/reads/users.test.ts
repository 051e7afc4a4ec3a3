import { beforeEach, expect, test } from 'vitest';
import { deleteUser } from '../../../shared/domain/erasure/delete-user.ts';
import { createUser } from '../../../shared/domain/users/users.ts';
import type { Caller } from '../../../shared/model/account.ts';
import { listUsersAt } from '../../../shared/reads/users.ts';
import { type MemoryDeps, memoryDeps } from '../../harness/memory-deps.ts';

const caller: Caller = { kind: 'api_key', account: 'acc_01k9p3w0b1c3e5g7j9m1p3r5t7', env: 'live', form: 1 };
const stranger: Caller = { ...caller, account: 'acc_01k9p3w0b1c3e5g7j9m1p3r5t8' };

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
  const read = await listUsersAt(memory.deps, who, { page, perPage, reference });
  return { ids: read.users.map(({ id }) => id), total: read.total };
};

test('pages come in order of creation, and tell how many there are on all of them', async () => {
  const ids = await users(5);
  expect(await at(1, 2)).toEqual({ ids: ids.slice(0, 2), total: 5 });
  expect(await at(3, 2)).toEqual({ ids: ids.slice(4), total: 5 });
  expect(await at(4, 2)).toEqual({ ids: [], total: 5 });
  expect(await at(1, 20, undefined, stranger)).toEqual({ ids: [], total: 0 });
});

test('who is deleted is counted no more, and moves the later ones up by one', async () => {
  const ids = await users(5);
  await deleteUser(memory.deps, caller, ids[1] ?? '');
  await expect(deleteUser(memory.deps, caller, ids[1] ?? '')).rejects.toMatchObject({ code: 'not_found' });
  expect(await at(2, 2)).toEqual({ ids: ids.slice(3), total: 4 });
});

test('who is created while somebody pages comes at the end', async () => {
  const before = await users(3);
  expect((await at(1, 2)).ids).toEqual(before.slice(0, 2));
  memory.clock.advance(1);
  const { id } = await createUser(memory.deps, caller, {});
  expect(await at(2, 2)).toEqual({ ids: [before[2], id], total: 4 });
});

test('a reference is that of one user or of none, on the first page', async () => {
  const ids = await users(3);
  expect(await at(1, 20, 'member-1')).toEqual({ ids: [ids[1]], total: 1 });
  expect(await at(2, 20, 'member-1')).toEqual({ ids: [], total: 1 });
  expect(await at(1, 20, 'nobody')).toEqual({ ids: [], total: 0 });
  expect(await at(1, 20, 'member-1', stranger)).toEqual({ ids: [], total: 0 });
  await deleteUser(memory.deps, caller, ids[1] ?? '');
  expect(await at(1, 20, 'member-1')).toEqual({ ids: [], total: 0 });
});

test('a page that more than 100,000 users come before is refused, and its number named', async () => {
  expect(await at(1_001, 100)).toEqual({ ids: [], total: 0 });
  await expect(at(1_002, 100)).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('page: must not be over 1001'),
    details: { issues: [{ path: 'page' }] },
  });
  await expect(at(1_002, 100, 'member-1')).rejects.toMatchObject({ code: 'invalid_request' });
});
