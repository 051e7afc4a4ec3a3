// Lists, archives, reactivates and removes the members of a team. A member of another account is
// treated as missing.

import { userEvent } from '../events/new-event.ts';
import { optimisticRetry, type RetryPolicy } from '../platform/optimistic-retry.ts';
import { formatTimestamp } from '../platform/time/time.ts';
import type { Caller } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import { MemberId } from '../system/ids.ts';
import type { UserLookup } from '../users/find-user.ts';
import { userRows } from '../users/user-rows.ts';
import { emailReservationRows } from './email-reservation-rows.ts';
import { endMembership } from './end-membership.ts';
import { invitationRows } from './invitation-rows.ts';
import { invitationStatus, toRevoked } from './invitations.ts';
import { hashEmail } from './join-link.ts';
import { type MemberRow, memberRows } from './member-rows.ts';
import type { Member, MemberStatus } from './team.ts';

const memberRetryPolicy: RetryPolicy = { what: 'a member', retries: 20 };

async function findMember(deps: Deps, caller: Caller, memberId: string): Promise<MemberRow | undefined> {
  return MemberId.safeParse(memberId).success
    ? memberRows(deps.store).findById(caller.account, caller.env, memberId)
    : undefined;
}

const memberNotFound = (memberId: string): Failure =>
  new Failure('not_found', `Member ${memberId.slice(0, 64)} not found.`);

async function getAuthorizedMember(deps: Deps, caller: Caller, memberId: string): Promise<MemberRow> {
  const row = await findMember(deps, caller, memberId);
  if (!row) throw memberNotFound(memberId);
  return row;
}

export async function listMembers(
  deps: Deps,
  caller: Caller,
  query: { limit: number; status?: MemberStatus | undefined; afterId?: string | undefined },
): Promise<{ members: Member[]; nextAfterId: string | undefined }> {
  const { rows, nextAfterId } = await memberRows(deps.store).readPage(caller.account, caller.env, query);
  return { members: rows.map(presentMember), nextAfterId };
}

export async function getMember(deps: Deps, caller: Caller, memberId: string): Promise<Member> {
  return presentMember(await getAuthorizedMember(deps, caller, memberId));
}

/**
 * Setting the same status again writes nothing. Reactivating an archived member revokes a pending
 * invitation for that member.
 */
export async function setMemberStatus(
  deps: Deps,
  caller: Caller,
  memberId: string,
  status: MemberStatus,
): Promise<Member> {
  return optimisticRetry(memberRetryPolicy, async (conflicts) => {
    const before = await getAuthorizedMember(deps, caller, memberId);
    if (before.status === status) return presentMember(before);
    // The user was deleted, and the member is about to be removed too.
    if (conflicts > 0 && (await userRows(deps.store).findById(before.user))?.status !== 'active')
      throw memberNotFound(memberId);
    const isArchived = status === 'archived';
    const after: MemberRow = { ...before, status, archivedMs: isArchived ? deps.clock.now() : null };
    await deps.store.commit([
      memberRows(deps.store).buildUpdate(before, after),
      ...(isArchived ? [] : await buildReclaimAddressWrites(deps, before)),
      userRows(deps.store).buildActiveCheck(before.user),
      memberEvent(deps, isArchived ? 'member.archived' : 'member.reactivated', after),
    ]);
    return presentMember(after);
  });
}

async function buildReclaimAddressWrites(deps: Deps, member: MemberRow) {
  const { account, env } = member;
  const hold = await emailReservationRows(deps.store).find(member);
  const pendingInvitation = hold?.invitation
    ? await invitationRows(deps.store).findById(account, env, hold.invitation)
    : undefined;
  const now = deps.clock.now();
  return [
    // Written even without a pending invitation, so that a concurrent invitation finds it changed.
    emailReservationRows(deps.store).buildAssign(member, hold, { invitation: null, member: member.id }),
    ...(pendingInvitation && invitationStatus(pendingInvitation, now) === 'pending'
      ? [invitationRows(deps.store).buildUpdate(pendingInvitation, toRevoked(pendingInvitation, now))]
      : []),
  ];
}

/**
 * Can be repeated: a member that was removed stays removed. The user and its data are not deleted.
 */
export async function removeMember(deps: Deps, caller: Caller, memberId: string): Promise<void> {
  const row = await findMember(deps, caller, memberId);
  if (row) return endMembership(deps, { account: row.account, env: row.env, member: row.id }, { userIsGone: false });
  const wasRemoved =
    MemberId.safeParse(memberId).success &&
    (await memberRows(deps.store).wasRemoved(caller.account, caller.env, memberId));
  if (!wasRemoved) throw memberNotFound(memberId);
}

const memberEvent = (
  deps: Deps,
  type: 'member.archived' | 'member.reactivated',
  { id, user, account, env }: MemberRow,
) => userEvent(deps, type, { id: user, account, env }, { more: { member_id: id } });

const presentMember = (row: MemberRow): Member => ({
  id: row.id,
  email: row.email,
  name: row.name,
  user_id: row.user,
  status: row.status,
  joined_at: formatTimestamp(row.joinedMs),
  archived_at: row.archivedMs === null ? null : formatTimestamp(row.archivedMs),
});

/**
 * For a list of users: finds the user of a member, archived or not. Undefined when no member is
 * named.
 */
export const memberLookup = (deps: Deps, caller: Caller, memberId: string | undefined): UserLookup['userOfMember'] =>
  memberId === undefined ? undefined : async () => (await findMember(deps, caller, memberId))?.user;

/** For a search: finds the user of the member with this e-mail address, archived or not. */
export async function findUserByEmail(deps: Deps, caller: Caller, email: string): Promise<string | undefined> {
  const { account, env } = caller;
  const reservation = await emailReservationRows(deps.store).find({
    account,
    env,
    emailHash: hashEmail(deps, caller, email),
  });
  if (!reservation?.member) return undefined;
  return (await memberRows(deps.store).findById(account, env, reservation.member))?.user;
}
