// Something changes between the reads and the writes of a team operation. The operation notices,
// and nothing is half done.
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

const interrupted = (happening: () => Promise<unknown>): Deps => memory.interruptedBy(happening);

const user = async (): Promise<string> => (await createUser(deps, caller, {})).id;
const members = async () => (await listMembers(deps, caller, { limit: 100 })).members;
const statusOf = async (id: string) => (await getInvitation(deps, caller, id)).status;
const archive = (member: string) => setMemberStatus(deps, caller, member, 'archived');
const reactivate = (member: string) => setMemberStatus(deps, caller, member, 'active');

describe('during an acceptance', () => {
  test('a suspended account accepts nobody, and the invitation stays pending', async () => {
    const { id, token } = await createInvitation(deps, caller.account);
    const meanwhile = interrupted(() => setAccountStatus(deps, caller.account, 'suspended'));
    expect((await acceptInvitation(meanwhile, token)).problem).toBe('team_closed');
    expect([await members(), await statusOf(id)]).toEqual([[], 'pending']);
  });

  test('a revoked invitation lets nobody join', async () => {
    const { id, token } = await createInvitation(deps, caller.account);
    const meanwhile = interrupted(() => revokeInvitation(deps, caller, id));
    expect((await acceptInvitation(meanwhile, token)).problem).toBe('revoked');
    expect([await members(), await statusOf(id)]).toEqual([[], 'revoked']);
  });

  test('a deleted named user lets nobody join', async () => {
    const user_id = await user();
    const { token } = await createInvitation(deps, caller.account, { user_id });
    const meanwhile = interrupted(() => deleteUser(deps, caller, user_id));
    expect((await acceptInvitation(meanwhile, token)).problem).toBe('user_gone');
    expect(await members()).toEqual([]);
  });

  test('a deleted user of the archived member lets nobody become active again', async () => {
    const email = newEmail();
    const known = await createMember(deps, caller.account, { email });
    await archive(known.member);
    const { token } = await createInvitation(deps, caller.account, { email });
    const meanwhile = interrupted(() => deleteUser(deps, caller, known.user));
    expect((await acceptInvitation(meanwhile, token)).problem).toBe('user_gone');
    expect((await getMember(deps, caller, known.member)).status).toBe('archived');
  });

  test('a named user who joins through another invitation stays one member, and the other link has ended', async () => {
    const user_id = await user();
    const [first, second] = await invitedAtOnce(user_id);
    const meanwhile = interrupted(() => acceptInvitation(deps, first.token));
    expect((await acceptInvitation(meanwhile, second.token)).problem).toBe('revoked');
    expect(await members()).toHaveLength(1);
    expect([await statusOf(first.id), await statusOf(second.id)]).toEqual(['accepted', 'revoked']);
    // Not even when the user is free again, because that link belonged to another invitee.
    const [member] = await members();
    await removeMember(deps, caller, member?.id ?? '');
    expect((await acceptInvitation(deps, second.token)).problem).toBe('revoked');
  });

  test('a reactivation of the archived member ends the invitation', async () => {
    const email = newEmail();
    const { member } = await createMember(deps, caller.account, { email });
    await archive(member);
    const { token } = await createInvitation(deps, caller.account, { email });
    const meanwhile = interrupted(() => reactivate(member));
    expect((await acceptInvitation(meanwhile, token)).problem).toBe('revoked');
    expect(await members()).toMatchObject([{ id: member, status: 'active' }]);
  });

  test('a removal of the archived member ends the invitation', async () => {
    const email = newEmail();
    const known = await createMember(deps, caller.account, { email });
    await archive(known.member);
    const { token } = await createInvitation(deps, caller.account, { email });
    const meanwhile = interrupted(() => removeMember(deps, caller, known.member));
    expect((await acceptInvitation(meanwhile, token)).problem).toBe('revoked');
    expect(await members()).toEqual([]);
  });
});

/** Creates two invitations for one user at the same moment. */
async function invitedAtOnce(user_id: string): Promise<[InvitationWithToken, InvitationWithToken]> {
  let first: InvitationWithToken | undefined;
  const meanwhile = interrupted(async () => {
    first = await createInvitation(deps, caller.account, { user_id });
  });
  const second = await createInvitation(meanwhile, caller.account, { user_id });
  if (!first) throw new Error('no invitation was created in the meantime');
  return [first, second];
}

describe('during an invitation', () => {
  test('a pending invitation for the same user is named in the error', async () => {
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

  test('a reactivation of the archived member leaves nobody to invite', async () => {
    const email = newEmail();
    const { member } = await createMember(deps, caller.account, { email });
    await archive(member);
    const meanwhile = interrupted(() => reactivate(member));
    await expect(invite(meanwhile, { email })).rejects.toMatchObject({ code: 'already_member' });
  });

  test('a deleted named user is not found', async () => {
    const user_id = await user();
    const meanwhile = interrupted(() => deleteUser(deps, caller, user_id));
    await expect(invite(meanwhile, { email: newEmail(), user_id })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('a taken address is reported before a full day', async () => {
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

  test('a revocation during a resend leaves no pending email', async () => {
    const { id } = await createInvitation(deps, caller.account);
    const meanwhile = interrupted(() => revokeInvitation(deps, caller, id));
    await expect(resendInvitation(meanwhile, caller, id, origin)).rejects.toMatchObject({
      code: 'invitation_inactive',
    });
  });
});

describe('during a change of a member', () => {
  test('a deleted user makes the member not found', async () => {
    const known = await createMember(deps, caller.account);
    const meanwhile = interrupted(() => deleteUser(deps, caller, known.user));
    await expect(setMemberStatus(meanwhile, caller, known.member, 'archived')).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('a new invitation for the address ends with the reactivation', async () => {
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

  test('a removal also ends the invitation for the address, which can then be invited again', async () => {
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
