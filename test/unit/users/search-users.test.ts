import { afterAll, expect, test } from 'vitest';
import { createAccount } from '../../../shared/accounts/accounts.ts';
import { deleteUser } from '../../../shared/erasure/delete-user.ts';
import { findUserByEmail } from '../../../shared/team/members.ts';
import { searchUsers } from '../../../shared/users/search-users.ts';
import { updateUser } from '../../../shared/users/users.ts';
import { createMember } from '../../harness/team-members.ts';
import { compareSearchCosts, startSearchedPeople } from './searched-people.ts';

const { world, calls, search, stop } = await startSearchedPeople();
afterAll(stop);
const idsOf = (found: readonly { id: string }[]) => found.map(({ id }) => id);

test('a search among many people costs what it costs among few', async () => {
  const { few, many } = await compareSearchCosts(3_000);
  expect(many).toEqual(few);
  expect(few).toEqual([
    { found: 20, operations: ['Query', 'BatchGetItem'], readUnits: 20.5 },
    { found: 11, operations: ['Query', 'BatchGetItem'], readUnits: 11.5 },
    { found: 1, operations: ['Query', 'BatchGetItem'], readUnits: 1.5 },
    { found: 1, operations: ['GetItem'], readUnits: 1 },
    { found: 0, operations: ['Query'], readUnits: 0.5 },
  ]);
});

test('a reference is found by its beginning in any case, never by its middle', async () => {
  const user = await world.user({ external_ref: 'Straße#4711 / Ünal' });
  for (const text of ['straße', 'STRAßE#47', 'Straße#4711 / ünal', 'Straße#4711 / U\u0308nal'])
    expect(idsOf(await search(text)), text).toEqual([user]);
  for (const text of ['traße', '4711', 'straße#4711 / ünal!', '#', 'usr_'])
    expect(await search(text), text).toEqual([]);
});

test('a long reference is found by all of it, and only by what it begins with', async () => {
  const [long, longer] = ['🙂'.repeat(120), `${'🙂'.repeat(120)}a`];
  const user = await world.user({ external_ref: longer });
  expect(idsOf(await search(long))).toEqual([user]);
  expect(idsOf(await search(longer))).toEqual([user]);
  expect(await search(`${long}b`)).toEqual([]);
});

test('a changed reference is found under its new name only, and a deleted user is not found', async () => {
  const user = await world.user({ external_ref: 'before-1' });
  await updateUser(world.deps, world.caller, user, { external_ref: 'after-1' });
  expect([await search('before-1'), idsOf(await search('after-1'))]).toEqual([[], [user]]);
  expect(idsOf(await search(user))).toEqual([user]);
  await deleteUser(world.deps, world.caller, user);
  expect([await search('after-1'), await search(user)]).toEqual([[], []]);
});

test('a member is found by the whole e-mail address', async () => {
  const { account_id: account } = await createAccount(world.deps, { name: 'The Lab' });
  const caller = { ...world.caller, account };
  const { user } = await createMember(world.deps, account, { email: 'Ada@example.com' });
  const byEmail = (text: string) =>
    searchUsers(world.deps, caller, { text, userOfEmail: (email) => findUserByEmail(world.deps, caller, email) });
  expect(await byEmail('ada@example.com')).toMatchObject([{ id: user, matched: 'email' }]);
  expect(await byEmail('ada@example')).toEqual([]);
});

test('people of another environment or account are not found', async () => {
  const user = await world.user({ external_ref: 'mine' });
  const { caller } = world;
  for (const other of [
    { ...caller, env: 'sandbox' as const },
    { ...caller, account: 'acc_other' },
  ]) {
    for (const text of ['mine', user])
      expect(await searchUsers(world.deps, other, { text, userOfEmail: async () => user })).toEqual([]);
  }
});

test('a result has no profile', async () => {
  await world.user({ external_ref: 'private', profile: { weight_kg: 71.3 } });
  const [found] = await search('private');
  expect(Object.keys(found ?? {}).sort()).toEqual(
    ['created_at', 'external_ref', 'id', 'last_sync_at', 'matched', 'status'].sort(),
  );
});

test('a reference costs the creation of a user one write unit more than before: its index entry', async () => {
  const costOf = async (body: object) => {
    calls.length = 0;
    await world.user(body);
    return calls.reduce((sum, { writeUnits }) => sum + writeUnits, 0);
  };
  const without = await costOf({});
  // The reservation in the transaction, and its index entry.
  expect((await costOf({ external_ref: 'costs-1' })) - without).toBe(2 + 1);
});
