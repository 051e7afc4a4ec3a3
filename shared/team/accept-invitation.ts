// Opens the link of an invitation, shows it, and accepts it. Of several concurrent acceptances,
// exactly one succeeds, and a link works once.

import { accountRows } from '../accounts/account-rows.ts';
import { userEvent } from '../events/new-event.ts';
import { optimisticRetry } from '../platform/optimistic-retry.ts';
import type { Write } from '../platform/ports.ts';
import type { Deps } from '../system/deps.ts';
import { newId } from '../system/new-id.ts';
import { offerTimeZone } from '../users/fill-time-zone.ts';
import { canReshare } from '../users/sharing.ts';
import { readUserContext } from '../users/user-context.ts';
import { type UserRow, userRows } from '../users/user-rows.ts';
import { prepareUser } from '../users/users.ts';
import { emailReservationRows } from './email-reservation-rows.ts';
import { type InvitationRow, invitationRows } from './invitation-rows.ts';
import {
  buildRevokeInvitationWrites,
  clearPendingMail,
  findPendingInvitations,
  invitationRetryPolicy,
  invitationStatus,
} from './invitations.ts';
import { openJoinLink } from './join-link.ts';
import { type MemberRow, memberRows } from './member-rows.ts';
import { buildReshareWrites } from './reshare.ts';

/** More invitations than can be created at the same moment, and few enough for one transaction. */
const maxRivals = 20;

export type JoinProblem = 'unknown_link' | 'accepted' | 'revoked' | 'expired' | 'user_gone' | 'team_closed';

/**
 * The invitation that a page shows, and its language. Without an invitation, there is nothing to
 * choose the language by.
 */
export type OpenedInvitation =
  | { problem: JoinProblem; row: InvitationRow | undefined; team: string | undefined }
  | {
      problem: undefined;
      row: InvitationRow;
      team: string;
      /** The user that the invitation is about, if there is one. */
      user: UserRow | undefined;
    };

/** Uses nothing up, so a mail scanner or a second tab does no harm. */
export async function openInvitation(deps: Deps, token: string): Promise<OpenedInvitation> {
  const link = openJoinLink(deps, token);
  if (!link) return { problem: 'unknown_link', row: undefined, team: undefined };
  const row = await invitationRows(deps.store).findById(link.account, link.env, link.invitation);
  // The link is genuine: the invitation ended so long ago that its row is gone.
  if (!row) return { problem: 'expired', row, team: undefined };
  const account = await accountRows(deps.store).findById(row.account);
  const status = invitationStatus(row, deps.clock.now());
  const reject = (problem: JoinProblem) => ({ problem, row, team: account?.name });
  if (status !== 'pending') return reject(status);
  if (!row.links.includes(link.linkHash)) return reject('revoked');
  if (account?.status !== 'active') return reject('team_closed');
  const user = row.aboutUser === null ? undefined : await userRows(deps.store).findById(row.aboutUser);
  const problem = await userProblem(deps, row, user);
  return problem === undefined ? { problem, row, team: account.name, user } : reject(problem);
}

/**
 * The user must still exist, and a named user must not be linked to a member with another address.
 */
async function userProblem(
  deps: Deps,
  { user, aboutUser, account, env, emailHash }: InvitationRow,
  row: UserRow | undefined,
): Promise<JoinProblem | undefined> {
  if (aboutUser === null) return undefined;
  if (!row || row.status === 'deleting') return 'user_gone';
  const membership = user === null ? undefined : await memberRows(deps.store).findByUser(user);
  const member = membership && (await memberRows(deps.store).findById(account, env, membership.member));
  return member && member.emailHash !== emailHash ? 'revoked' : undefined;
}

type AcceptedInvitation = OpenedInvitation & { member?: Pick<MemberRow, 'id' | 'user'> };

/**
 * `member` is set only when this very call accepted the invitation. The time zone that the browser
 * reports is for a profile that has none.
 */
export async function acceptInvitation(
  deps: Deps,
  token: string,
  zone: string | null = null,
): Promise<AcceptedInvitation> {
  const outcome = await acceptOnce(deps, token);
  const userContext = zone && outcome.member ? await readUserContext(deps, outcome.member.user) : undefined;
  if (userContext) await offerTimeZone(deps, userContext.user, zone);
  return outcome;
}

/** Writes the member, the user, the address and the event in one transaction. */
const acceptOnce = (deps: Deps, token: string): Promise<AcceptedInvitation> =>
  optimisticRetry(invitationRetryPolicy, async () => {
    const opened = await openInvitation(deps, token);
    if (opened.problem !== undefined) return opened;
    const { row, user } = opened;
    const { account, env, emailHash, email } = row;
    if (emailHash === null || email === null) return { ...opened, problem: 'revoked' };
    if (user && !canReshare(user, emailHash)) return { ...opened, problem: 'revoked' };
    const address = { account, env, emailHash };
    const hold = await emailReservationRows(deps.store).find(address);
    const previousMember = hold?.member ? await memberRows(deps.store).findById(account, env, hold.member) : undefined;
    // When two invitations for one user were created at the same moment, the first to be accepted
    // gets the user.
    const rivals =
      row.user === null ? [] : (await findPendingInvitations(deps, row.user)).filter(({ id }) => id !== row.id);
    const others = rivals.slice(0, maxRivals);
    const handedOver = new Set([row, ...others].map((each) => each.emailHash));
    const reshareWrites = user?.status === 'unshared' ? await buildReshareWrites(deps, user, handedOver) : undefined;
    const { member, writes } = prepareMember(deps, { ...row, email, emailHash }, previousMember, reshareWrites);
    await deps.store.commit([
      ...(
        await Promise.all(others.map((other) => buildRevokeInvitationWrites(deps, other, { withUser: true })))
      ).flat(),
      invitationRows(deps.store).buildUpdate(row, toAccepted(row, member, deps.clock.now())),
      emailReservationRows(deps.store).buildAssign(address, hold, {
        invitation: null,
        member: member.id,
        formerUser: null,
      }),
      ...writes,
      invitationRows(deps.store).buildUserPointer(member.user, row),
      ...(row.aboutUser === null || row.aboutUser === member.user
        ? []
        : [invitationRows(deps.store).buildRemoveUserPointer(row.aboutUser, row)]),
      accountRows(deps.store).buildStatusCheck(account, 'active'),
      userEvent(deps, 'member.joined', { id: member.user, account, env }, { more: { member_id: member.id } }),
    ]);
    return { ...opened, member };
  });

/**
 * An archived member with that address becomes active again. Everyone else becomes a new member,
 * with a new user unless one was named. `linkWrites` are the writes for a named user; by default,
 * only a check that the user is active.
 */
function prepareMember(
  deps: Deps,
  row: InvitationRow & { email: string; emailHash: string },
  previousMember: MemberRow | undefined,
  linkWrites: Write[] | undefined,
): { member: MemberRow; writes: Write[] } {
  const { account, env, email, emailHash, name } = row;
  if (previousMember) {
    const member: MemberRow = {
      ...previousMember,
      email,
      name: name ?? previousMember.name,
      status: 'active',
      archivedMs: null,
    };
    return {
      member,
      writes: [
        memberRows(deps.store).buildUpdate(previousMember, member),
        userRows(deps.store).buildActiveCheck(previousMember.user),
      ],
    };
  }
  const { user, writes } = resolveUser(deps, row, linkWrites);
  const member: MemberRow = {
    id: newId(deps, 'member'),
    account,
    env,
    email,
    emailHash,
    name,
    user,
    status: 'active',
    joinedMs: deps.clock.now(),
    archivedMs: null,
    revision: 0,
  };
  return {
    member,
    writes: [...memberRows(deps.store).buildInsert(member), ...writes],
  };
}

/** Returns the named user, or a new one. */
function resolveUser(
  deps: Deps,
  row: InvitationRow,
  linkWrites: Write[] | undefined,
): { user: string; writes: Write[] } {
  if (row.user !== null)
    return { user: row.user, writes: linkWrites ?? [userRows(deps.store).buildActiveCheck(row.user)] };
  const created = prepareUser(deps, row, {});
  return { user: created.row.id, writes: created.writes };
}

const toAccepted = (row: InvitationRow, { id, user }: MemberRow, atMs: number): InvitationRow => ({
  ...row,
  status: 'accepted',
  endedMs: atMs,
  member: id,
  user,
  aboutUser: user,
  links: [],
  mail: clearPendingMail(row),
});
