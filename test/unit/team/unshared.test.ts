// Removing a member revokes sharing in the same transaction. An invitation that the user accepts
// brings everything back.
import { beforeEach, describe, expect, test } from 'vitest';
import { createAccount } from '../../../shared/accounts/accounts.ts';
import { deleteUser } from '../../../shared/erasure/delete-user.ts';
import { eraseUser } from '../../../shared/erasure/erase-user.ts';
import type { Table, Write } from '../../../shared/platform/ports.ts';
import type { Caller } from '../../../shared/system/caller.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { acceptInvitation } from '../../../shared/team/accept-invitation.ts';
import { revokeInvitation } from '../../../shared/team/invitations.ts';
import { inviteMember } from '../../../shared/team/invite-member.ts';
import { listMembers, removeMember, setMemberStatus } from '../../../shared/team/members.ts';
import { userCountRows } from '../../../shared/users/user-count-rows.ts';
import { userRows } from '../../../shared/users/user-rows.ts';
import { createUser, listUsers, updateUser } from '../../../shared/users/users.ts';
import { findLeftovers } from '../../harness/erasure/erasure-checks.ts';
import { type MemoryDeps, memoryDeps } from '../../harness/memory-deps.ts';
import { oneTo, readEvents } from '../../harness/outbox.ts';
import { createInvitation, createMember, newEmail } from '../../harness/team-members.ts';

let memory: MemoryDeps;
let deps: Deps;
let caller: Caller;
beforeEach(async () => {
  memory = memoryDeps();
  deps = memory.deps;
  const { account_id } = await createAccount(deps, { name: 'The Lab' });
  caller = { kind: 'api_key', account: account_id, env: 'live', form: 2 };
});

const member = (input = {}) => createMember(deps, caller.account, input);
const remove = (id: string, own = deps) => removeMember(own, caller, id);
const row = (user: string) => userRows(deps.store).findById(user);
const statusOf = async (user: string) => (await row(user))?.status;
const eventTypes = () =>
  readEvents(memory.table.rows())
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ type }) => type);

/** Returns the same deployment, in which `happens` runs just before the user's row is written. */
function interrupted(happens: () => Promise<unknown>): Deps {
  let isOver = false;
  return memory.withTable({
    ...memory.table,
    async transact(writes) {
      const changesUser = writes.some((write) => write.kind === 'update' && write.key.sk === '@USER');
      if (!isOver && changesUser) {
        isOver = true;
        await happens();
      }
      return memory.table.transact(writes);
    },
  });
}

describe('removing a member', () => {
  test('makes its user unshared in the transaction that removes it and publishes the event', async () => {
    const { member: id, user } = await member();
    const transactions: (readonly Write[])[] = [];
    const watched: Table = {
      ...memory.table,
      transact(writes) {
        transactions.push(writes);
        return memory.table.transact(writes);
      },
    };
    await remove(id, memory.withTable(watched));
    const named = (write: Write) => JSON.stringify(write);
    const [removal] = transactions.filter((writes) => writes.some((write) => named(write).includes('member.removed')));
    const keysIn = removal?.map((write) => (write.kind === 'put' ? write.item.sk : write.key.sk));
    expect(keysIn).toEqual(expect.arrayContaining(['@USER', expect.stringMatching(/^OUT#/), 'MEMBER']));
    expect(await row(user)).toMatchObject({ status: 'unshared', sharingEpoch: 1 });
  });

  test('again, or of an archived member, has the same result', async () => {
    const { member: id, user } = await member();
    await setMemberStatus(deps, caller, id, 'archived');
    expect(await statusOf(user)).toBe('active');
    await Promise.all(oneTo(5).map(() => remove(id)));
    await remove(id);
    expect(await row(user)).toMatchObject({ status: 'unshared', sharingEpoch: 1 });
    expect(eventTypes().filter((type) => type === 'member.removed')).toHaveLength(1);
  });

  test('leaves the user in the list and in the count, and the user can be updated', async () => {
    const { member: id, user } = await member();
    const total = () => userCountRows(deps.store).getTotal(caller.account, caller.env);
    const before = await total();
    await remove(id);
    expect((await listUsers(deps, caller, { limit: 10 })).users).toMatchObject([{ id: user, status: 'unshared' }]);
    expect(await total()).toBe(before);
    const changed = await updateUser(deps, caller, user, { timezone: 'Asia/Tokyo', external_ref: 'r-1' });
    expect(changed).toMatchObject({ status: 'unshared', timezone: 'Asia/Tokyo', external_ref: 'r-1' });
    expect((await listUsers(deps, caller, { limit: 10, reference: 'r-1' })).users).toMatchObject([{ id: user }]);
  });

  test('whose user is deleted at the same moment deletes the user, and leaves nothing of the address', async () => {
    const { member: id, user } = await member();
    await remove(
      id,
      interrupted(() => deleteUser(deps, caller, user)),
    );
    expect(await statusOf(user)).toBe('deleting');
    expect(eventTypes()).toContain('member.removed');
    await erased(user);
    expect(findLeftovers(memory.table.rows(), [user])).toEqual([]);
  });

  test('while its user is being deleted is seen by the deletion, which leaves nothing of the address', async () => {
    const { member: id, user } = await member();
    await deleteUser(
      interrupted(() => remove(id)),
      caller,
      user,
    );
    expect(await statusOf(user)).toBe('deleting');
    await erased(user);
    expect(findLeftovers(memory.table.rows(), [user])).toEqual([]);
  });
});

async function erased(user: string): Promise<void> {
  for (const _ of oneTo(4)) {
    await eraseUser(deps, user);
    memory.clock.advance(60_000);
  }
  expect(await row(user)).toBeUndefined();
}

describe('an unshared user', () => {
  test('is erased like any other, with the hash of the address by which it was found', async () => {
    const email = newEmail();
    const { member: id, user } = await member({ email });
    await remove(id);
    await deleteUser(deps, caller, user);
    await erased(user);
    expect(findLeftovers(memory.table.rows(), [user])).toEqual([]);
    expect((await member({ email })).user).not.toBe(user);
  });

  test('is active again when an invitation that names it is accepted from the address that shared it, and from no other', async () => {
    const email = newEmail();
    const { member: id, user } = await member({ email });
    await remove(id);
    await expect(member({ email: newEmail(), user_id: user })).rejects.toMatchObject({ code: 'sharing_revoked' });
    expect(await row(user)).toMatchObject({ status: 'unshared' });
    const { user: again, member: next } = await member({ email, user_id: user });
    expect(again).toBe(user);
    expect(next).not.toBe(id);
    expect(await row(user)).toMatchObject({ status: 'active', sharingEpoch: 1, unshared: null });
    await remove(next);
    expect(await row(user)).toMatchObject({ status: 'unshared', sharingEpoch: 2 });
    expect((await member({ email })).user).toBe(user);
  });

  test('is found by an invitation to the address of its member, which names the user', async () => {
    const email = newEmail();
    const { member: id, user } = await member({ email });
    await remove(id);
    memory.clock.advance(400 * 86_400_000);
    const invitation = { email: email.toUpperCase() };
    expect(await inviteMember(deps, caller, invitation, 'http://localhost')).toMatchObject({ user_id: user });
    expect(await statusOf(user)).toBe('unshared');
  });

  test('is not found by its address when the invitation names another user', async () => {
    const email = newEmail();
    const { member: id, user } = await member({ email });
    await remove(id);
    const { id: other } = await createUser(deps, caller, {});
    expect((await member({ email, user_id: other })).user).toBe(other);
    expect(await statusOf(user)).toBe('unshared');
  });

  test('stays unshared when its invitation is revoked, and the address still leads to it', async () => {
    const email = newEmail();
    const { member: id, user } = await member({ email });
    await remove(id);
    const first = await inviteMember(deps, caller, { email }, 'http://localhost');
    await revokeInvitation(deps, caller, first.id);
    expect(await statusOf(user)).toBe('unshared');
    expect((await member({ email })).user).toBe(user);
  });
});

describe('during an acceptance', () => {
  const acceptedMeanwhile = async (happens: (user: string) => Promise<unknown>) => {
    const email = newEmail();
    const { member: id, user } = await member({ email });
    await remove(id);
    const { token } = await createInvitation(deps, caller.account, { email });
    const outcome = await acceptInvitation(
      interrupted(() => happens(user)),
      token,
    );
    return { user, outcome };
  };

  test('a deletion of the unshared user lets nobody join', async () => {
    const { user, outcome } = await acceptedMeanwhile((id) => deleteUser(deps, caller, id));
    expect(outcome.problem).toBe('user_gone');
    expect(await statusOf(user)).toBe('deleting');
  });

  test('an update of the unshared user is also applied', async () => {
    const { user, outcome } = await acceptedMeanwhile((id) => updateUser(deps, caller, id, { timezone: 'Asia/Tokyo' }));
    expect(outcome.problem).toBeUndefined();
    expect(await row(user)).toMatchObject({ status: 'active', timezone: 'Asia/Tokyo' });
  });

  test('repeated removals of the new member leave the user in the state of the last operation', async () => {
    const email = newEmail();
    const { member: first, user } = await member({ email });
    let id = first;
    for (const turn of oneTo(3)) {
      await remove(id);
      const { token } = await createInvitation(deps, caller.account, { email });
      const [accepted] = await Promise.all([acceptInvitation(deps, token), remove(id)]);
      id = accepted.member?.id ?? '';
      expect(await row(user)).toMatchObject({ status: 'active', sharingEpoch: turn });
      expect((await listMembers(deps, caller, { limit: 9 })).members).toMatchObject([{ user_id: user }]);
    }
    expect(eventTypes().filter((type) => type === 'member.removed')).toHaveLength(3);
  });
});
