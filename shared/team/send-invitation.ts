// Writes to a person who was invited. What is owed stands on the invitation; whoever claims it first has it for a while.

import { accountRows } from '../accounts/account-rows.ts';
import { randomShare } from '../platform/backoff.ts';
import { optimisticRetry } from '../platform/optimistic-retry.ts';
import { EngineUnavailable, MailRefused, MailThrottled, SenderRefused } from '../platform/ports.ts';
import type { Deps } from '../system/deps.ts';
import type { Job } from '../system/jobs.ts';
import { conditionalCommit } from '../system/store.ts';
import { wake } from '../system/wake.ts';
import { invitationMessage } from './invitation-message.ts';
import { type InvitationMail, type InvitationRow, invitationRows } from './invitation-rows.ts';
import { changingInvitation, invitationStatus, unowed } from './invitations.ts';
import { joinLinkOf } from './join-link.ts';
import { heldPause, pauseAfter, triedForMs, withinItsDay } from './mail-pauses.ts';

/** Longer than a worker lives. */
const leaseMs = 120_000;
/** A queue holds a message back for no longer; the sweep finds what waits for more. */
const longestDelayMs = 900_000;

export async function sendInvitation(deps: Deps, { account_id, env, invitation_id }: Job<'mail'>): Promise<void> {
  const row = await invitationRows(deps.store).byId(account_id, env, invitation_id);
  const now = deps.clock.now();
  if (!row || row.mail.nextMs === null || row.mail.nextMs > now) return;
  if (invitationStatus(row, now) !== 'pending') return giveUp(deps, row, 'invitation_ended');
  // Its sender was taken away since: whoever asks again is handed the link.
  if (deps.place.mailSender === undefined) {
    await noted(deps, row, { status: 'not_configured', nextMs: null, error: null });
    return;
  }
  if (row.mail.tries > 0 && now >= row.mail.askedMs + triedForMs)
    return giveUp(deps, row, row.mail.error ?? 'mail_unavailable');
  const claim = await claimed(deps, row, now);
  if (!claim) return;
  const outcome = await sent(deps, claim);
  const isNoted = await noted(deps, claim.row, outcome);
  const pauseMs = outcome.nextMs === null ? 0 : outcome.nextMs - deps.clock.now();
  if (!isNoted || outcome.nextMs === null || pauseMs > longestDelayMs) return;
  const delaySeconds = Math.max(0, Math.ceil(pauseMs / 1000));
  await wake(deps, 'mail', { account_id, env, invitation_id }, { delaySeconds });
}

/** The link is known before it is under way. Undefined when somebody else was first, or the invitation changed. */
async function claimed(
  deps: Deps,
  row: InvitationRow,
  nowMs: number,
): Promise<{ row: InvitationRow; url: string } | undefined> {
  const { url, links } = joinLinkOf(deps, row);
  const nextMs = nowMs + leaseMs;
  const after = { ...row, links, mail: { ...row.mail, tries: row.mail.tries + 1, nextMs, isLeased: true } };
  const isMine = await conditionalCommit(deps.store, [invitationRows(deps.store).changing(row, after)]);
  return isMine ? { row: after, url } : undefined;
}

type MailOutcome = Pick<InvitationMail, 'status' | 'nextMs' | 'error'> &
  Partial<Pick<InvitationMail, 'sentMs' | 'failures' | 'throttles'>>;

async function sent(deps: Deps, { row, url }: { row: InvitationRow; url: string }): Promise<MailOutcome> {
  const { email, name, expiresMs, language } = row;
  const account = await accountRows(deps.store).byId(row.account);
  if (email === null || !account) return { status: 'failed', nextMs: null, error: 'invitation_ended' };
  if (account.status !== 'active') return held(deps, row);
  try {
    await deps.mail.send(invitationMessage({ to: email, name, team: account.name, joinUrl: url, expiresMs, language }));
    return { status: 'sent', nextMs: null, error: null, sentMs: deps.clock.now() };
  } catch (error) {
    if (error instanceof MailRefused) return refused(deps, row, error);
    if (error instanceof EngineUnavailable) return notTaken(deps, row, error);
    // A fault of ours, whatever it is: the team sees that the message waits, and who runs this sees the fault.
    deps.log('error', 'mail failed unexpectedly', { ...named(row), cause: error });
    return notTaken(deps, row, new EngineUnavailable('an unexpected error', { cause: error }));
  }
}

/** Nobody is written to for an account that is suspended; it may be active again within the day. */
function held(deps: Deps, row: InvitationRow): MailOutcome {
  deps.log('info', 'mail of a suspended account waits', named(row));
  const atMs = deps.clock.now() + heldPause(chance(deps));
  return { status: 'queued', nextMs: withinItsDay(atMs, row.mail), error: 'account_suspended' };
}

/** A fault of this one message: the team is told, and nobody is woken for it. */
function refused(deps: Deps, row: InvitationRow, { reason }: MailRefused): MailOutcome {
  deps.log('warn', 'mail refused', { ...named(row), reason });
  return { status: 'failed', nextMs: null, error: reason };
}

/** Alarms ring at these words. */
function notTaken(deps: Deps, row: InvitationRow, error: EngineUnavailable): MailOutcome {
  const { mail } = row;
  const now = deps.clock.now();
  const nextMs = withinItsDay(now + pauseAfter(error, mail, chance(deps)), mail);
  const owed_seconds = Math.round((now - mail.askedMs) / 1000);
  const { message } = error;
  if (error instanceof MailThrottled) {
    const throttles = mail.throttles + 1;
    deps.log('warn', 'mail is throttled; it is tried again soon', { ...named(row), throttles, owed_seconds, message });
    return { status: 'queued', nextMs, error: 'mail_unavailable', throttles };
  }
  const failures = mail.failures + 1;
  const reason = error instanceof SenderRefused ? error.trouble : 'mail_unavailable';
  const words =
    error instanceof SenderRefused
      ? 'mail of this sender is refused; it is tried again hourly'
      : 'mail was not taken; it is tried again later';
  deps.log('warn', words, { ...named(row), reason, failures, owed_seconds, message });
  return { status: 'queued', nextMs, error: reason, failures };
}

const named = ({ account, env, id }: InvitationRow) => ({ account, env, invitation: id });
const chance = ({ random }: Pick<Deps, 'random'>): number => randomShare(random.bytes(2));

async function giveUp(deps: Deps, row: InvitationRow, error: string): Promise<void> {
  const isNoted = await noted(deps, row, { status: 'failed', nextMs: null, error });
  // That an invitation ended, or its account was suspended, before it was sent is nobody's trouble.
  if (isNoted && error !== 'invitation_ended' && error !== 'account_suspended')
    deps.log('warn', 'mail was given up', { ...named(row), reason: error });
}

/** Of this try of this message: one that was asked for since is another's, and false is the answer. */
async function noted(deps: Deps, tried: InvitationRow, outcome: MailOutcome): Promise<boolean> {
  return optimisticRetry(changingInvitation, async () => {
    const row = await invitationRows(deps.store).byId(tried.account, tried.env, tried.id);
    if (row?.messages !== tried.messages || row.mail.tries !== tried.mail.tries) return false;
    const mail = { ...row.mail, isLeased: false, ...outcome };
    // One that ended meanwhile owes nothing, however this went.
    const after = { ...row, mail: row.status === 'pending' ? mail : unowed({ ...row, mail }) };
    await deps.store.commit([invitationRows(deps.store).changing(row, after)]);
    return true;
  });
}
