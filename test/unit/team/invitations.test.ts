// The rows of an invitation, and how long they are stored.
import { beforeEach, expect, test } from 'vitest';
import { createAccount } from '../../../shared/accounts/accounts.ts';
import { dayMs } from '../../../shared/platform/time/local-day.ts';
import type { Caller } from '../../../shared/system/caller.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { acceptInvitation } from '../../../shared/team/accept-invitation.ts';
import { forgetInvitation, getInvitation, revokeInvitation } from '../../../shared/team/invitations.ts';
import { hashEmail } from '../../../shared/team/join-link.ts';
import { removeMember, setMemberStatus } from '../../../shared/team/members.ts';
import { type MemoryDeps, memoryDeps } from '../../harness/memory-deps.ts';
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

const emailReservations = () => memory.table.rows().filter(({ sk }) => `${sk}`.startsWith('MAIL#'));

test('an email address is reserved until its invitation expires, and permanently by a member', async () => {
  const { id, token } = await createInvitation(deps, caller.account);
  const { expires_at } = await getInvitation(deps, caller, id);
  expect(emailReservations()).toMatchObject([{ invitation: id, ttl: Math.ceil(Date.parse(expires_at) / 1000) }]);
  const { member } = await acceptInvitation(deps, token);
  expect(emailReservations()).toMatchObject([{ invitation: null, member: member?.id }]);
  expect(emailReservations()[0]).not.toHaveProperty('ttl');
});

test('a revoked invitation releases its address, but an archived member keeps it', async () => {
  const { id } = await createInvitation(deps, caller.account);
  await revokeInvitation(deps, caller, id);
  expect(emailReservations()).toEqual([]);
  const email = newEmail();
  const { member } = await createMember(deps, caller.account, { email });
  await setMemberStatus(deps, caller, member, 'archived');
  await revokeInvitation(deps, caller, (await createInvitation(deps, caller.account, { email })).id);
  expect(emailReservations()).toMatchObject([{ invitation: null, member }]);
});

test('an expired invitation that is erased does not take the address from a newer one', async () => {
  const email = newEmail();
  const { id: old } = await createInvitation(deps, caller.account, { email });
  memory.clock.advance(14 * dayMs);
  const { id } = await createInvitation(deps, caller.account, { email });
  await forgetInvitation(deps, { account: caller.account, env: 'live', id: old }, { userIsGone: true });
  expect(emailReservations()).toMatchObject([{ invitation: id }]);
});

test('an expired invitation stays expired when its member is active again', async () => {
  const email = newEmail();
  const { member } = await createMember(deps, caller.account, { email });
  await setMemberStatus(deps, caller, member, 'archived');
  const { id } = await createInvitation(deps, caller.account, { email });
  memory.clock.advance(14 * dayMs);
  await setMemberStatus(deps, caller, member, 'active');
  expect((await getInvitation(deps, caller, id)).status).toBe('expired');
});

test('an erased invitation is not written again', async () => {
  const { id, member } = await createMember(deps, caller.account, { name: 'Alex Kim' });
  await removeMember(deps, caller, member);
  const before = JSON.stringify(memory.table.rows());
  await forgetInvitation(deps, { account: caller.account, env: 'live', id }, { userIsGone: false });
  expect(JSON.stringify(memory.table.rows())).toBe(before);
});

test('the hash of an address does not reveal that another team or environment has it too', () => {
  const hashes = [caller, { ...caller, env: 'sandbox' as const }, { ...caller, account: 'acc_other' }].map((team) =>
    hashEmail(deps, team, 'alex@example.com'),
  );
  expect(new Set(hashes).size).toBe(3);
  expect(hashEmail(deps, caller, ' ALEX@Example.com')).toBe(hashes[0]);
});
