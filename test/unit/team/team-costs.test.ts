import { afterAll, expect, test } from 'vitest';
import type { Meter } from '../../../shared/platform/ports.ts';
import { keys } from '../../../shared/system/keys.ts';
import { acceptInvitation } from '../../../shared/team/accept-invitation.ts';
import { inviteMember } from '../../../shared/team/invite-member.ts';
import { memberRows } from '../../../shared/team/member-rows.ts';
import { listMembers, removeMember, setMemberStatus } from '../../../shared/team/members.ts';
import { openEngineDomainWorld } from '../../harness/domain-world.ts';
import { oneTo } from '../../harness/outbox.ts';
import { createInvitation, createMember, newEmail } from '../../harness/team-members.ts';

const calls: Parameters<Meter>[0][] = [];
const world = await openEngineDomainWorld((call) => calls.push(call));
afterAll(() => world.localTable.stop());

function takeCosts() {
  const newCalls = calls.splice(0);
  return {
    calls: newCalls.map(({ operation }) => operation),
    read: newCalls.reduce((sum, { readUnits }) => sum + readUnits, 0),
    write: newCalls.reduce((sum, { writeUnits }) => sum + writeUnits, 0),
  };
}

test('the cost of inviting, joining, listing and archiving is bounded', async () => {
  const { deps, caller } = world;
  takeCosts();
  await inviteMember(deps, caller, { email: newEmail() }, 'http://localhost');
  expect(takeCosts()).toEqual({ calls: ['GetItem', 'TransactWriteItems'], read: 1, write: 8 });
  const { token } = await createInvitation(deps, caller.account);
  takeCosts();
  await acceptInvitation(deps, token);
  // The writes are the invitation, the address, the member, its pointer and that of the invitation,
  // the user and the user count, one row with two events, and a check of the account.
  expect(takeCosts()).toEqual({ calls: ['GetItem', 'GetItem', 'GetItem', 'TransactWriteItems'], read: 3, write: 20 });
  await createMember(deps, caller.account);
  const { member } = await createMember(deps, caller.account);
  takeCosts();
  await listMembers(deps, caller, { limit: 50 });
  expect(takeCosts()).toEqual({ calls: ['Query'], read: 1, write: 0 });
  await listMembers(deps, caller, { limit: 1, afterId: member });
  expect(takeCosts()).toEqual({ calls: ['Query'], read: 1, write: 0 });
  await setMemberStatus(deps, caller, member, 'archived');
  expect(takeCosts()).toEqual({ calls: ['GetItem', 'TransactWriteItems'], read: 1, write: 7 });
  await setMemberStatus(deps, caller, member, 'archived');
  expect(takeCosts()).toEqual({ calls: ['GetItem'], read: 1, write: 0 });
});

test('the cost of removing a member and joining again is bounded', async () => {
  const { deps, caller } = world;
  const email = newEmail();
  const { member, user } = await createMember(deps, caller.account, { email });
  takeCosts();
  await removeMember(deps, caller, member);
  // The reads are the member twice, invitations by user and by address, the accepted invitation,
  // and the head of the user with the address.
  const { calls: operations, write } = takeCosts();
  expect(operations.filter((each) => each === 'TransactWriteItems')).toHaveLength(2);
  expect(operations.length).toBeLessThanOrEqual(10);
  // The writes are the invitation and its pointer, then the member, tombstone, pointer, address,
  // user, a check of its devices, and the event.
  expect(write).toBe(19);
  const { token } = await createInvitation(deps, caller.account, { email, user_id: user });
  takeCosts();
  await acceptInvitation(deps, token);
  expect(takeCosts().write).toBeLessThanOrEqual(22);
});

test('a filtered list reads no more than a thousand rows per call, and its cursor leads to the end', async () => {
  const { deps, caller } = world;
  const { member } = await createMember(deps, caller.account);
  const row = await memberRows(deps.store).findById(caller.account, 'live', member);
  if (!row) throw new Error('the member does not exist');
  await deps.store.table.batchWrite(
    oneTo(1_250).map((n) => {
      const id = `mem_9${String(n).padStart(25, '0')}`;
      return { kind: 'put', item: { ...keys.member(caller.account, 'live', id), ...row, id } };
    }),
  );
  await setMemberStatus(deps, caller, member, 'archived');
  takeCosts();
  const first = await listMembers(deps, caller, { limit: 2, status: 'archived' });
  expect(takeCosts().calls).toEqual(oneTo(5).map(() => 'Query'));
  expect(first.members).toEqual([]);
  const rest = await listMembers(deps, caller, { limit: 2, status: 'archived', afterId: first.nextAfterId });
  expect(rest.members.map(({ id }) => id)).toContain(member);
  expect(rest.nextAfterId).toBeUndefined();
  expect(first.nextAfterId).toBeDefined();
});
