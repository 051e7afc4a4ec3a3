// Something happens between what a verb of the team reads and what it writes: it sees so, and nothing is half done.
import { beforeEach, describe, expect, test } from 'vitest';
import { createAccount, setAccountStatus } from '../../../shared/accounts/accounts.ts';
import { deleteUser } from '../../../shared/erasure/delete-user.ts';
import type { Caller } from '../../../shared/system/caller.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { keys } from '../../../shared/system/keys.ts';
import { acceptInvitation } from '../../../shared/team/accept-invitation.ts';
import { getInvitation, revokeInvitation } from '../../../shared/team/invitations.ts';
import { inviteMember, resendInvitation } from '../../../shared/team/invite-member.ts';
import { getMember, listMembers, removeMember, setMemberStatus } from '../../../shared/team/members.ts';
import { createUser } from '../../../shared/users/users.ts';
import { type MemoryDeps, memoryDeps } from '../../harness/memory-deps.ts';
import { createInvitation, createMember, type InvitationWithToken, newEmail } from '../../harness/team-members.ts';

const origin = 'https://api.example.com';
let memory: MemoryDeps;
let deps: Deps;
let caller: Caller;
beforeEach(async () => {
  memory = memoryDeps();
  deps = memory.deps;
  const { account_id } = await createAccount(deps, { name: 'The Lab' });
  caller = { kind: 'api_key', account: account_id, env: 'live', form: 2 };
});

/** The same deployment, in which this happens before the first transaction. */
function interrupted(happening: () => Promise<unknown>): Deps {
  let isOver = false;
  return memory.withTable({
    ...memory.table,
    async transact(writes) {
      if (!isOver) {
        isOver = true;
        await happening();
      }
      return memory.table.transact(writes);
    },
  });
}

const user = async (): Promise<string> => (await createUser(deps, caller, {})).id;
const members = async () => (await listMembers(deps, caller, { limit: 100 })).members;
const statusOf = async (id: string) => (await getInvitation(deps, caller, id)).status;
const archive = (member: string) => setMemberStatus(deps, caller, member, 'archived');
const reactivate = (member: string) => setMemberStatus(deps, caller, member, 'active');

describe('while somebody accepts', () => {
  test('the plan is suspended: the team takes nobody, and the invitation waits', async () => {
    const { id, token } = await createInvitation(deps, caller.account);
    const meanwhile = interrupted(() => setAccountStatus(deps, caller.account, 'suspended'));
    expect((await acceptInvitation(meanwhile, token)).problem).toBe('team_closed');
    expect([await members(), await statusOf(id)]).toEqual([[], 'pending']);
  });

  test('the invitation is revoked: nobody joins', async () => {
    const { id, token } = await createInvitation(deps, caller.account);
    const meanwhile = interrupted(() => revokeInvitation(deps, caller, id));
    expect((await acceptInvitation(meanwhile, token)).problem).toBe('revoked');
    expect([await members(), await statusOf(id)]).toEqual([[], 'revoked']);
  });

  test('the named user is deleted: nobody joins', async () => {
    const user_id = await user();
    const { token } = await createInvitation(deps, caller.account, { user_id });
    const meanwhile = interrupted(() => deleteUser(deps, caller, user_id));
    expect((await acceptInvitation(meanwhile, token)).problem).toBe('user_gone');
    expect(await members()).toEqual([]);
  });

  test('the user of the archived member is deleted: nobody is active again', async () => {
    const email = newEmail();
    const known = await createMember(deps, caller.account, { email });
    await archive(known.member);
    const { token } = await createInvitation(deps, caller.account, { email });
    const meanwhile = interrupted(() => deleteUser(deps, caller, known.user));
    expect((await acceptInvitation(meanwhile, token)).problem).toBe('user_gone');
    expect((await getMember(deps, caller, known.member)).status).toBe('archived');
  });

  test('the named user joins as somebody else: it stays one member, and the other link has ended', async () => {
    const user_id = await user();
    const [first, second] = await invitedAtOnce(user_id);
    const meanwhile = interrupted(() => acceptInvitation(deps, first.token));
    expect((await acceptInvitation(meanwhile, second.token)).problem).toBe('revoked');
    expect(await members()).toHaveLength(1);
    expect([await statusOf(first.id), await statusOf(second.id)]).toEqual(['accepted', 'revoked']);
    // Not even when the user is free again: that link was another person's.
    const [member] = await members();
    await removeMember(deps, caller, member?.id ?? '');
    expect((await acceptInvitation(deps, second.token)).problem).toBe('revoked');
  });

  test('the archived member is reactivated: the invitation has ended with that', async () => {
    const email = newEmail();
    const { member } = await createMember(deps, caller.account, { email });
    await archive(member);
    const { token } = await createInvitation(deps, caller.account, { email });
    const meanwhile = interrupted(() => reactivate(member));
    expect((await acceptInvitation(meanwhile, token)).problem).toBe('revoked');
    expect(await members()).toMatchObject([{ id: member, status: 'active' }]);
  });

  test('the archived member is removed: the invitation has ended with that', async () => {
    const email = newEmail();
    const known = await createMember(deps, caller.account, { email });
    await archive(known.member);
    const { token } = await createInvitation(deps, caller.account, { email });
    const meanwhile = interrupted(() => removeMember(deps, caller, known.member));
    expect((await acceptInvitation(meanwhile, token)).problem).toBe('revoked');
    expect(await members()).toEqual([]);
  });
});

/** Two whose invitations for one user were made at the same moment. */
async function invitedAtOnce(user_id: string): Promise<[InvitationWithToken, InvitationWithToken]> {
  let first: InvitationWithToken | undefined;
  const meanwhile = interrupted(async () => {
    first = await createInvitation(deps, caller.account, { user_id });
  });
  const second = await createInvitation(meanwhile, caller.account, { user_id });
  if (!first) throw new Error('nobody was invited meanwhile');
  return [first, second];
}

describe('while somebody is invited', () => {
  test('for a user whom another invitation waits for, it is told which', async () => {
    const user_id = await user();
    const { id } = await createInvitation(deps, caller.account, { user_id });
    await expect(createInvitation(deps, caller.account, { user_id })).rejects.toMatchObject({
      code: 'invitation_pending',
      details: { invitation_id: id },
    });
    await revokeInvitation(deps, caller, id);
    await createInvitation(deps, caller.account, { user_id });
  });

  const invite = (over: Deps, input: { email: string; user_id?: string }) => inviteMember(over, caller, input, origin);

  test('the archived member is reactivated: there is nobody to invite', async () => {
    const email = newEmail();
    const { member } = await createMember(deps, caller.account, { email });
    await archive(member);
    const meanwhile = interrupted(() => reactivate(member));
    await expect(invite(meanwhile, { email })).rejects.toMatchObject({ code: 'already_member' });
  });

  test('the named user is deleted: it is not found', async () => {
    const user_id = await user();
    const meanwhile = interrupted(() => deleteUser(deps, caller, user_id));
    await expect(invite(meanwhile, { email: newEmail(), user_id })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('the day has become full, and the address was taken: the address is what is told', async () => {
    const email = newEmail();
    const meanwhile = interrupted(async () => {
      await invite(deps, { email });
      const utcDay = new Date(memory.clock.now()).toISOString().slice(0, 10);
      const key = keys.invitationCount(caller.account, 'live', utcDay);
      await memory.table.write({ kind: 'put', item: { ...key, count: 1_000 } });
    });
    await expect(invite(meanwhile, { email })).rejects.toMatchObject({ code: 'invitation_pending' });
    await expect(invite(deps, { email: newEmail() })).rejects.toMatchObject({ code: 'limit_reached' });
  });

  test('again by mail, the invitation is revoked: no message is owed', async () => {
    const { id } = await createInvitation(deps, caller.account);
    const meanwhile = interrupted(() => revokeInvitation(deps, caller, id));
    await expect(resendInvitation(meanwhile, caller, id, origin)).rejects.toMatchObject({
      code: 'invitation_inactive',
    });
  });
});

describe('while a member is changed', () => {
  test('its user is deleted: the member is as good as gone', async () => {
    const known = await createMember(deps, caller.account);
    const meanwhile = interrupted(() => deleteUser(deps, caller, known.user));
    await expect(setMemberStatus(meanwhile, caller, known.member, 'archived')).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('the address gets an invitation: reactivating ends it', async () => {
    const email = newEmail();
    const { member } = await createMember(deps, caller.account, { email });
    await archive(member);
    let waiting = '';
    const meanwhile = interrupted(async () => {
      waiting = (await createInvitation(deps, caller.account, { email })).id;
    });
    expect((await setMemberStatus(meanwhile, caller, member, 'active')).status).toBe('active');
    expect(await statusOf(waiting)).toBe('revoked');
  });

  test('removed while its address has an invitation, it ends that one too, and the person can be invited anew', async () => {
    const email = newEmail();
    const { member } = await createMember(deps, caller.account, { email });
    await archive(member);
    const { id, token } = await createInvitation(deps, caller.account, { email });
    await removeMember(deps, caller, member);
    expect([await statusOf(id), (await acceptInvitation(deps, token)).problem]).toEqual(['revoked', 'revoked']);
    const again = await createInvitation(deps, caller.account, { email });
    expect((await acceptInvitation(deps, again.token)).problem).toBeUndefined();
  });
});
