// A user is deleted while the team works with it, as a member or as the user named in an
// invitation.
import { beforeEach, describe, expect, test } from 'vitest';
import { type AccountRow, accountRows } from '../../../shared/accounts/account-rows.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { keys } from '../../../shared/system/keys.ts';
import { acceptInvitation } from '../../../shared/team/accept-invitation.ts';
import { revokeInvitation } from '../../../shared/team/invitations.ts';
import { inviteMember, resendInvitation } from '../../../shared/team/invite-member.ts';
import { getMember, removeMember, setMemberStatus } from '../../../shared/team/members.ts';
import { sendInvitation } from '../../../shared/team/send-invitation.ts';
import { createEraser } from '../../harness/erasure/eraser.ts';
import { collectIds, findLeftovers, listUserEvents } from '../../harness/erasure/erasure-checks.ts';
import { runEveryRace } from '../../harness/erasure/race.ts';
import { openWorld, personalData, type World } from '../../harness/erasure/world.ts';
import { oneTo } from '../../harness/outbox.ts';
import { createInvitation, createMember, withoutMailSender } from '../../harness/team-members.ts';

const email = `${personalData.reference}@example.com`;
const name = personalData.deviceName;

let world: World;
beforeEach(async () => {
  world = await openWorld();
  const { account: id } = world.caller;
  const account: AccountRow = {
    id,
    name: 'a team',
    status: 'active',
    form: 2,
    perSecond: 100,
    createdMs: world.clock.now(),
    endedMakers: [],
    endedMakersRevision: 0,
  };
  await world.deps.store.commit([accountRows(world.deps.store).buildInsert(account)]);
});

const withMail = (deps: Deps): Deps => ({
  ...deps,
  deployment: { ...deps.deployment, mailSender: 'team@example.com' },
  mail: { send: async () => {} },
});
const memberFields = () => ({ email, name, user_id: world.id });
const invite = (deps: Deps) => inviteMember(withMail(deps), world.caller, memberFields(), 'http://localhost');
const problemsOf = async (work: (deps: Deps) => Promise<unknown>, minWrites = 1): Promise<string[]> => {
  const { writes, problems } = await runEveryRace(world, work);
  expect(writes.length).toBeGreaterThanOrEqual(minWrites);
  return problems;
};

describe('nothing of a deleted user comes back', () => {
  test('while an invitation is created, sent, resent, revoked or accepted', async () => {
    expect(await problemsOf(invite)).toEqual([]);
    const { id: invitation_id } = await invite(world.deps);
    const job = { account_id: world.caller.account, env: 'live', invitation_id } as const;
    expect(await problemsOf((deps) => sendInvitation(withMail(deps), job), 2)).toEqual([]);
    expect(
      await problemsOf((deps) => resendInvitation(withMail(deps), world.caller, invitation_id, 'http://localhost')),
    ).toEqual([]);
    expect(await problemsOf((deps) => revokeInvitation(deps, world.caller, invitation_id))).toEqual([]);
    const { join_url = '' } = await resendInvitation(
      withoutMailSender(world.deps),
      world.caller,
      invitation_id,
      'http://localhost',
    );
    const token = join_url.slice(join_url.lastIndexOf('/') + 1);
    expect(await problemsOf((deps) => acceptInvitation(deps, token))).toEqual([]);
  });

  test('while a member is archived, reactivated, invited again or removed', async () => {
    const { member } = await createMember(world.deps, world.caller.account, memberFields());
    const set = (status: 'active' | 'archived') => (deps: Deps) => setMemberStatus(deps, world.caller, member, status);
    expect(await problemsOf((deps) => removeMember(deps, world.caller, member), 2)).toEqual([]);
    expect(await problemsOf(set('archived'))).toEqual([]);
    await set('archived')(world.deps);
    expect(await problemsOf(set('active'))).toEqual([]);
    const { token } = await createInvitation(world.deps, world.caller.account, { email, name });
    expect(await problemsOf((deps) => acceptInvitation(deps, token))).toEqual([]);
    expect(await problemsOf(set('active'))).toEqual([]);
    expect(await problemsOf((deps) => removeMember(deps, world.caller, member), 2)).toEqual([]);
  });
});

test('a membership ends with its user, is reported before the receipt and counted in it, and frees the address', async () => {
  const { member } = await createMember(world.deps, world.caller.account, memberFields());
  const names = collectIds(world.table.rows(), world.id);
  await world.delete();
  const eraser = createEraser(world);
  await eraser.run();
  expect(listUserEvents(world).map(({ type }) => type)).toEqual([
    'user.created',
    'member.joined',
    'member.removed',
    'user.deleted',
  ]);
  expect(listUserEvents(world).at(-1)?.erased).toMatchObject({ memberships: 1, invitations: 1 });
  expect(findLeftovers(world.table.rows(), names)).toEqual([]);
  await expect(removeMember(world.deps, world.caller, member)).resolves.toBeUndefined();
  expect((await createInvitation(world.deps, world.caller.account, { email })).token).not.toBe('');
});

test('a membership ends with its user even if the invitation is long gone', async () => {
  const { id, member } = await createMember(world.deps, world.caller.account, memberFields());
  await world.table.write({ kind: 'delete', key: keys.invitationPointer(world.id, id) });
  await world.table.write({ kind: 'delete', key: keys.invitation(world.caller.account, 'live', id) });
  await world.delete();
  const eraser = createEraser(world);
  await eraser.run();
  await expect(getMember(world.deps, world.caller, member)).rejects.toMatchObject({ code: 'not_found' });
  expect(listUserEvents(world).map(({ type }) => type)).toContain('member.removed');
});

test('a pending invitation ends with the user it names and frees its address', async () => {
  const { id } = await invite(world.deps);
  const listInvitationRows = () => world.table.rows().filter(({ invitation }) => invitation === id);
  expect(listInvitationRows()).toHaveLength(1);
  await world.delete();
  const eraser = createEraser(world);
  await eraser.run();
  expect(listInvitationRows()).toEqual([]);
});

test('an eraser that crashes anywhere leaves the rest to the next one, and the end of the membership is reported once', async () => {
  await createMember(world.deps, world.caller.account, memberFields());
  const second = { ...memberFields(), email: `another-${email}` };
  const owned = world.copy();
  await expect(createInvitation(owned.deps, world.caller.account, second)).rejects.toThrow('already belongs');
  await world.delete();
  for (const crashAfter of oneTo(12)) {
    const copy = world.copy();
    const eraser = createEraser(copy);
    await eraser.run(crashAfter);
    await eraser.run();
    const ends = listUserEvents(copy).filter(({ type }) => type === 'member.removed' || type === 'user.deleted');
    expect(ends.map(({ type }) => type)).toEqual(['member.removed', 'user.deleted']);
    expect(ends.at(-1)?.erased).toMatchObject({ memberships: 1, invitations: 1 });
  }
});
