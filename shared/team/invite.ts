// Inviting a person, and writing to them once more. An address has one invitation at a time, however many ask at once.

import { mailboxOf } from '../platform/mail-address.ts';
import { optimisticRetry } from '../platform/optimistic-retry.ts';
import { ConditionFailed, TransactionRefused, type Write } from '../platform/ports.ts';
import { dayMs } from '../platform/time/local-day.ts';
import { timestamp } from '../platform/time/time.ts';
import type { Caller } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import { newId } from '../system/new-id.ts';
import { wake } from '../system/wake.ts';
import { mayShareAgain } from '../users/sharing.ts';
import { userRows } from '../users/user-rows.ts';
import { ownUserEvenUnshared } from '../users/users.ts';
import { type EmailHold, emailHolds, type HeldEmail } from './email-holds.ts';
import { type InvitationRow, invitationRows } from './invitation-rows.ts';
import { changingInvitation, invitationStatus, ownInvitation, pendingFor, presentInvitation } from './invitations.ts';
import { emailHashOf, joinLinkOf, newLinkSalt } from './join-link.ts';
import { type MemberRow, memberRows } from './member-rows.ts';
import {
  type IssuedInvitation,
  invitationDays,
  mostInvitationMessages,
  mostInvitationsADay,
  mostMessagesAnAddress,
  type NewInvitation,
} from './team.ts';

const anotherAddress = (): Failure =>
  new Failure(
    'sharing_revoked',
    'This person stopped sharing data with you under another e-mail address. Invite that address: only they can share again.',
  );

export async function inviteMember(
  deps: Deps,
  caller: Caller,
  input: NewInvitation,
  origin: string,
): Promise<IssuedInvitation> {
  const { account, env } = caller;
  const held = { account, env, emailHash: emailHashOf(deps, caller, input.email) };
  return optimisticRetry(changingInvitation, async () => {
    const named = input.user_id ? await ownUserEvenUnshared(deps, caller, input.user_id) : undefined;
    if (named && !mayShareAgain(named, held.emailHash)) throw anotherAddress();
    const hold = await emailHolds(deps.store).of(held);
    const member = await invitable(deps, caller, hold, named?.id);
    const userId = named?.id ?? (member ? undefined : await formerUserOf(deps, held, hold));
    const now = deps.clock.now();
    const row: InvitationRow = {
      ...held,
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
      about: userId ?? member?.user ?? null,
      origin,
      links: [],
      messages: 0,
      mail: {
        status: 'queued',
        askedMs: now,
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
    const { issued, joinUrl } = asking(deps, row, origin);
    const takingAddress = emailHolds(deps.store).handing(held, hold, {
      invitation: row.id,
      member: member?.id ?? null,
      untilMs: row.expiresMs,
    });
    await commitCounted(deps, issued, takingAddress, [
      invitationRows(deps.store).inserting(issued),
      invitationRows(deps.store).addressing(held, issued),
      ...(issued.about === null
        ? []
        : [userRows(deps.store).stillThere(issued.about), invitationRows(deps.store).pointing(issued.about, issued)]),
    ]);
    return told(deps, issued, joinUrl);
  });
}

export async function resendInvitation(
  deps: Deps,
  caller: Caller,
  invitationId: string,
  origin: string,
): Promise<IssuedInvitation> {
  return optimisticRetry(changingInvitation, async () => {
    const row = await ownInvitation(deps, caller, invitationId);
    const status = invitationStatus(row, deps.clock.now());
    if (status !== 'pending')
      throw new Failure('invitation_inactive', `This invitation is ${status}. Create a new one to invite the person.`);
    if (row.messages >= mostInvitationMessages)
      throw new Failure(
        'limit_reached',
        `This invitation already has ${mostInvitationMessages} messages or links. Revoke it and create a new one.`,
        { details: { limit: mostInvitationMessages } },
      );
    const { issued, joinUrl } = asking(deps, row, origin);
    await commitCounted(deps, issued, invitationRows(deps.store).changing(row, issued), []);
    return told(deps, issued, joinUrl);
  });
}

/** Owes one more message; where nobody sends any, its link is for the caller. */
function asking(deps: Deps, row: InvitationRow, origin: string): { issued: InvitationRow; joinUrl?: string } {
  const now = deps.clock.now();
  const asked = { ...row, origin, messages: row.messages + 1 };
  const untried = { tries: 0, failures: 0, throttles: 0, isLeased: false, error: null };
  const mail = { ...row.mail, ...untried, askedMs: now, linkSalt: newLinkSalt(deps) };
  if (deps.place.mailSender !== undefined)
    return { issued: { ...asked, mail: { ...mail, status: 'queued', nextMs: now } } };
  const { url, links } = joinLinkOf(deps, { ...asked, mail });
  return { issued: { ...asked, links, mail: { ...mail, status: 'not_configured', nextMs: null } }, joinUrl: url };
}

async function told(deps: Deps, row: InvitationRow, joinUrl: string | undefined): Promise<IssuedInvitation> {
  if (row.mail.nextMs !== null)
    await wake(deps, 'mail', { account_id: row.account, env: row.env, invitation_id: row.id });
  return { ...presentInvitation(row, deps.clock.now()), ...(joinUrl === undefined ? {} : { join_url: joinUrl }) };
}

/** The archived member who is invited again, if there is one; throws when the person, or the user, has a place already. */
async function invitable(
  deps: Deps,
  { account, env }: Caller,
  hold: EmailHold | undefined,
  userId: string | undefined,
): Promise<MemberRow | undefined> {
  const member = hold?.member ? await memberRows(deps.store).byId(account, env, hold.member) : undefined;
  if (member?.status === 'active') throw alreadyMember(member.id, 'This person already is a member of the team.');
  const waiting = hold?.invitation ? await invitationRows(deps.store).byId(account, env, hold.invitation) : undefined;
  if (waiting && invitationStatus(waiting, deps.clock.now()) === 'pending')
    throw invitationPending(waiting.id, 'This person already has a pending invitation. Resend it, or revoke it first.');
  if (userId === undefined) return member;
  if (member && member.user !== userId)
    throw alreadyMember(member.id, 'This person is an archived member with another user. Remove the member first.');
  const other = await memberRows(deps.store).ofUser(userId);
  if (other && other.member !== member?.id)
    throw alreadyMember(other.member, 'This user already belongs to another member. Remove that member first.');
  const [rival] = await pendingFor(deps, userId);
  if (rival)
    throw invitationPending(rival.id, 'Somebody else has a pending invitation for this user. Revoke that one first.');
  return member;
}

/**
 * The user whom the person shared as when they were a member last, unless another address has it,
 * or is invited to have it.
 */
async function formerUserOf(deps: Deps, held: HeldEmail, hold: EmailHold | undefined): Promise<string | undefined> {
  const user = hold?.formerUser ? await userRows(deps.store).byId(hold.formerUser) : undefined;
  if (user?.status !== 'unshared' || user.unshared?.emailHash !== held.emailHash) return undefined;
  return (await pendingFor(deps, user.id)).length === 0 ? user.id : undefined;
}

const invitationPending = (invitationId: string, message: string): Failure =>
  new Failure('invitation_pending', message, { details: { invitation_id: invitationId } });

const alreadyMember = (memberId: string, message: string): Failure =>
  new Failure('already_member', message, { details: { member_id: memberId } });

/** Every message counts, on its day and for its address; one that is handed out as a link is sent to nobody. */
async function commitCounted(deps: Deps, issued: InvitationRow, guarded: Write, others: Write[]): Promise<void> {
  const { account, env, email, mail } = issued;
  const now = deps.clock.now();
  const rows = invitationRows(deps.store);
  const isMailed = email !== null && mail.nextMs !== null;
  // Tagged addresses share one limit, so that `a+1@…`, `a+2@…` and so on cannot fill a mailbox.
  const ofAddress = isMailed
    ? [rows.countingAddress({ account, env, emailHash: emailHashOf(deps, issued, mailboxOf(email)) }, now)]
    : [];
  try {
    await deps.store.commit([rows.counting(account, env, now), guarded, ...ofAddress, ...others]);
  } catch (error) {
    throw limitReached(error, isMailed, now) ?? error;
  }
}

/** Only when nothing else had changed meanwhile. */
function limitReached(error: unknown, isMailed: boolean, nowMs: number): Failure | undefined {
  if (!(error instanceof TransactionRefused)) return undefined;
  const [ofDay, guarded, ofAddress] = error.failed;
  if (guarded instanceof ConditionFailed) return undefined;
  const again = `Try again after ${timestamp(Math.ceil((nowMs + 1) / dayMs) * dayMs)}.`;
  if (ofDay instanceof ConditionFailed)
    return new Failure(
      'limit_reached',
      `At most ${mostInvitationsADay} messages of invitations can be asked for on a day (UTC). ${again}`,
      { details: { limit: mostInvitationsADay }, cause: error },
    );
  if (!isMailed || !(ofAddress instanceof ConditionFailed)) return undefined;
  return new Failure(
    'limit_reached',
    `At most ${mostMessagesAnAddress} messages are sent to a mailbox on a day (UTC), however the address is tagged. ${again}`,
    { details: { limit: mostMessagesAnAddress }, cause: error },
  );
}
