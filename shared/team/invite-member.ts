// Creates and resends invitations. An address has one invitation at a time, however many requests
// come at once.

import { toMailbox } from '../platform/mail-address.ts';
import { optimisticRetry } from '../platform/optimistic-retry.ts';
import { ConditionFailed, TransactionCanceled, type Write } from '../platform/ports.ts';
import { dayMs } from '../platform/time/local-day.ts';
import { formatTimestamp } from '../platform/time/time.ts';
import type { Caller } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import { newId } from '../system/new-id.ts';
import { wakeWorker } from '../system/wake-worker.ts';
import { canReshare } from '../users/sharing.ts';
import { userRows } from '../users/user-rows.ts';
import { getAuthorizedUserIncludingUnshared } from '../users/users.ts';
import { type EmailReservation, emailReservationRows, type ReservedEmail } from './email-reservation-rows.ts';
import { type InvitationRow, invitationRows } from './invitation-rows.ts';
import {
  findPendingInvitations,
  getAuthorizedInvitation,
  invitationRetryPolicy,
  invitationStatus,
  presentInvitation,
} from './invitations.ts';
import { buildJoinLink, hashEmail, newLinkSalt } from './join-link.ts';
import { type MemberRow, memberRows } from './member-rows.ts';
import {
  type IssuedInvitation,
  invitationDays,
  maxInvitationsPerDay,
  maxMessagesPerAddress,
  maxMessagesPerInvitation,
  type NewInvitation,
} from './team.ts';

const otherAddressFailure = (): Failure =>
  new Failure(
    'sharing_revoked',
    'This user shared data with you under another e-mail address and was removed. Invite that address: only the same person can share again.',
  );

export async function inviteMember(
  deps: Deps,
  caller: Caller,
  input: NewInvitation,
  origin: string,
): Promise<IssuedInvitation> {
  const { account, env } = caller;
  const address = { account, env, emailHash: hashEmail(deps, caller, input.email) };
  return optimisticRetry(invitationRetryPolicy, async () => {
    const namedUser = input.user_id ? await getAuthorizedUserIncludingUnshared(deps, caller, input.user_id) : undefined;
    if (namedUser && !canReshare(namedUser, address.emailHash)) throw otherAddressFailure();
    const hold = await emailReservationRows(deps.store).find(address);
    const member = await findInvitableMember(deps, caller, hold, namedUser?.id);
    const userId = namedUser?.id ?? (member ? undefined : await findPreviousUser(deps, address, hold));
    const now = deps.clock.now();
    const row: InvitationRow = {
      ...address,
      id: newId(deps, 'invitation'),
      email: input.email,
      name: input.name ?? null,
      language: input.language ?? 'en',
      status: 'pending',
      createdMs: now,
      expiresMs: now + invitationDays * dayMs,
      endedMs: null,
      member: null,
      user: userId ?? null,
      aboutUser: userId ?? member?.user ?? null,
      origin,
      links: [],
      messages: 0,
      mail: {
        status: 'queued',
        requestedMs: now,
        tries: 0,
        failures: 0,
        throttles: 0,
        nextMs: null,
        isLeased: false,
        sentMs: null,
        error: null,
        linkSalt: '',
      },
      revision: 0,
    };
    const { issued, joinUrl } = prepareMessage(deps, row, origin);
    const takeAddressWrite = emailReservationRows(deps.store).buildAssign(address, hold, {
      invitation: row.id,
      member: member?.id ?? null,
      untilMs: row.expiresMs,
    });
    await commitWithinLimits(deps, issued, takeAddressWrite, [
      invitationRows(deps.store).buildInsert(issued),
      invitationRows(deps.store).buildAddressPointer(address, issued),
      ...(issued.aboutUser === null
        ? []
        : [
            userRows(deps.store).buildNotDeletingCheck(issued.aboutUser),
            invitationRows(deps.store).buildUserPointer(issued.aboutUser, issued),
          ]),
    ]);
    return wakeAndPresent(deps, issued, joinUrl);
  });
}

export async function resendInvitation(
  deps: Deps,
  caller: Caller,
  invitationId: string,
  origin: string,
): Promise<IssuedInvitation> {
  return optimisticRetry(invitationRetryPolicy, async () => {
    const row = await getAuthorizedInvitation(deps, caller, invitationId);
    const status = invitationStatus(row, deps.clock.now());
    if (status !== 'pending')
      throw new Failure('invitation_inactive', `This invitation is ${status}. Create a new invitation instead.`);
    if (row.messages >= maxMessagesPerInvitation)
      throw new Failure(
        'limit_reached',
        `This invitation already has ${maxMessagesPerInvitation} messages or links. Revoke it and create a new one.`,
        { details: { limit: maxMessagesPerInvitation } },
      );
    const { issued, joinUrl } = prepareMessage(deps, row, origin);
    await commitWithinLimits(deps, issued, invitationRows(deps.store).buildUpdate(row, issued), []);
    return wakeAndPresent(deps, issued, joinUrl);
  });
}

/**
 * Requests one more message. When the deployment sends no e-mail, returns the link for the caller
 * instead.
 */
function prepareMessage(deps: Deps, row: InvitationRow, origin: string): { issued: InvitationRow; joinUrl?: string } {
  const now = deps.clock.now();
  const updated = { ...row, origin, messages: row.messages + 1 };
  const resetCounters = { tries: 0, failures: 0, throttles: 0, isLeased: false, error: null };
  const mail = { ...row.mail, ...resetCounters, requestedMs: now, linkSalt: newLinkSalt(deps) };
  if (deps.deployment.mailSender !== undefined)
    return { issued: { ...updated, mail: { ...mail, status: 'queued', nextMs: now } } };
  const { url, links } = buildJoinLink(deps, { ...updated, mail });
  return { issued: { ...updated, links, mail: { ...mail, status: 'not_configured', nextMs: null } }, joinUrl: url };
}

async function wakeAndPresent(deps: Deps, row: InvitationRow, joinUrl: string | undefined): Promise<IssuedInvitation> {
  if (row.mail.nextMs !== null)
    await wakeWorker(deps, 'mail', { account_id: row.account, env: row.env, invitation_id: row.id });
  return { ...presentInvitation(row, deps.clock.now()), ...(joinUrl === undefined ? {} : { join_url: joinUrl }) };
}

/**
 * Returns the archived member who is invited again, if there is one. Throws when the address or the
 * user is already taken by a member or a pending invitation.
 */
async function findInvitableMember(
  deps: Deps,
  { account, env }: Caller,
  hold: EmailReservation | undefined,
  userId: string | undefined,
): Promise<MemberRow | undefined> {
  const member = hold?.member ? await memberRows(deps.store).findById(account, env, hold.member) : undefined;
  if (member?.status === 'active')
    throw alreadyMember(member.id, 'This e-mail address already belongs to a member of the team.');
  const pendingInvitation = hold?.invitation
    ? await invitationRows(deps.store).findById(account, env, hold.invitation)
    : undefined;
  if (pendingInvitation && invitationStatus(pendingInvitation, deps.clock.now()) === 'pending')
    throw invitationPending(
      pendingInvitation.id,
      'This e-mail address already has a pending invitation. Resend it, or revoke it first.',
    );
  if (userId === undefined) return member;
  if (member && member.user !== userId)
    throw alreadyMember(
      member.id,
      'This e-mail address belongs to an archived member with another user. Remove that member first.',
    );
  const other = await memberRows(deps.store).findByUser(userId);
  if (other && other.member !== member?.id)
    throw alreadyMember(other.member, 'This user already belongs to another member. Remove that member first.');
  const [conflicting] = await findPendingInvitations(deps, userId);
  if (conflicting)
    throw invitationPending(
      conflicting.id,
      'Another e-mail address has a pending invitation for this user. Revoke that invitation first.',
    );
  return member;
}

/**
 * The user that the invitee shared as when they were last a member, unless another address has that
 * user or is invited to it.
 */
async function findPreviousUser(
  deps: Deps,
  address: ReservedEmail,
  hold: EmailReservation | undefined,
): Promise<string | undefined> {
  const user = hold?.formerUser ? await userRows(deps.store).findById(hold.formerUser) : undefined;
  if (user?.status !== 'unshared' || user.unshared?.emailHash !== address.emailHash) return undefined;
  return (await findPendingInvitations(deps, user.id)).length === 0 ? user.id : undefined;
}

const invitationPending = (invitationId: string, message: string): Failure =>
  new Failure('invitation_pending', message, { details: { invitation_id: invitationId } });

const alreadyMember = (memberId: string, message: string): Failure =>
  new Failure('already_member', message, { details: { member_id: memberId } });

/**
 * Every message counts toward the daily limit and toward the limit of its address. A message that
 * is returned as a link is not sent, so it does not count toward the address.
 */
async function commitWithinLimits(deps: Deps, issued: InvitationRow, guarded: Write, others: Write[]): Promise<void> {
  const { account, env, email, mail } = issued;
  const now = deps.clock.now();
  const rows = invitationRows(deps.store);
  const isMailed = email !== null && mail.nextMs !== null;
  // Tagged addresses share one limit, so that `a+1@…`, `a+2@…` and so on cannot fill a mailbox.
  const ofAddress = isMailed
    ? [rows.buildCountAddress({ account, env, emailHash: hashEmail(deps, issued, toMailbox(email)) }, now)]
    : [];
  try {
    await deps.store.commit([rows.buildCount(account, env, now), guarded, ...ofAddress, ...others]);
  } catch (error) {
    throw toLimitFailure(error, isMailed, now) ?? error;
  }
}

/** Returns a failure only when nothing else had changed in the meantime. */
function toLimitFailure(error: unknown, isMailed: boolean, nowMs: number): Failure | undefined {
  if (!(error instanceof TransactionCanceled)) return undefined;
  const [ofDay, guarded, ofAddress] = error.failures;
  if (guarded instanceof ConditionFailed) return undefined;
  const again = `Try again after ${formatTimestamp(Math.ceil((nowMs + 1) / dayMs) * dayMs)}.`;
  if (ofDay instanceof ConditionFailed)
    return new Failure(
      'limit_reached',
      `At most ${maxInvitationsPerDay} invitation messages can be requested per day (UTC). ${again}`,
      { details: { limit: maxInvitationsPerDay }, cause: error },
    );
  if (!isMailed || !(ofAddress instanceof ConditionFailed)) return undefined;
  return new Failure(
    'limit_reached',
    `At most ${maxMessagesPerAddress} messages per day (UTC) are sent to a mailbox. Addresses that differ only in a +tag count as one. ${again}`,
    { details: { limit: maxMessagesPerAddress }, cause: error },
  );
}
