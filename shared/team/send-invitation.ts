// Sends the messages of invitations. The pending work is on the invitation, and the worker that
// claims it first holds a lease on it.

import { accountRows } from '../accounts/account-rows.ts';
import { randomShare } from '../platform/backoff.ts';
import {
  capToRetryWindow,
  mailRetryDelayMs,
  mailRetryWindowMs,
  operatorRetryDelayMs,
} from '../platform/mail-backoff.ts';
import { optimisticRetry } from '../platform/optimistic-retry.ts';
import { EngineUnavailable, MailRefused, MailThrottled, SenderRefused } from '../platform/ports.ts';
import type { Deps } from '../system/deps.ts';
import type { Job } from '../system/jobs.ts';
import { commitConditionally } from '../system/store.ts';
import { wakeWorker } from '../system/wake-worker.ts';
import { invitationMessage } from './invitation-message.ts';
import { type InvitationMail, type InvitationRow, invitationRows } from './invitation-rows.ts';
import { clearPendingMail, invitationRetryPolicy, invitationStatus } from './invitations.ts';
import { buildJoinLink } from './join-link.ts';

/** Longer than a worker runs. */
const leaseMs = 120_000;
/** The maximum delay of a queue message. The sweep finds messages that wait longer. */
const maxDelayMs = 900_000;

export type InvitationMailJob = Extract<Job<'mail'>, { invitation_id: string }>;

export async function sendInvitation(deps: Deps, { account_id, env, invitation_id }: InvitationMailJob): Promise<void> {
  const row = await invitationRows(deps.store).findById(account_id, env, invitation_id);
  const now = deps.clock.now();
  if (!row || row.mail.nextMs === null || row.mail.nextMs > now) return;
  if (invitationStatus(row, now) !== 'pending') return giveUp(deps, row, 'invitation_ended');
  // The mail sender was removed from the deployment since. A resend returns the link to the caller.
  if (deps.deployment.mailSender === undefined) {
    await recordOutcome(deps, row, { status: 'not_configured', nextMs: null, error: null });
    return;
  }
  if (row.mail.tries > 0 && now >= row.mail.requestedMs + mailRetryWindowMs)
    return giveUp(deps, row, row.mail.error ?? 'mail_unavailable');
  const claim = await claimMail(deps, row, now);
  if (!claim) return;
  const outcome = await sendMail(deps, claim);
  const isRecorded = await recordOutcome(deps, claim.row, outcome);
  const pauseMs = outcome.nextMs === null ? 0 : outcome.nextMs - deps.clock.now();
  if (!isRecorded || outcome.nextMs === null || pauseMs > maxDelayMs) return;
  const delaySeconds = Math.max(0, Math.ceil(pauseMs / 1000));
  await wakeWorker(deps, 'mail', { account_id, env, invitation_id }, { delaySeconds });
}

/**
 * Stores the hash of the link before the message goes out. Returns undefined when another worker
 * was first, or when the invitation has changed.
 */
async function claimMail(
  deps: Deps,
  row: InvitationRow,
  nowMs: number,
): Promise<{ row: InvitationRow; url: string } | undefined> {
  const { url, links } = buildJoinLink(deps, row);
  const nextMs = nowMs + leaseMs;
  const after = { ...row, links, mail: { ...row.mail, tries: row.mail.tries + 1, nextMs, isLeased: true } };
  const isClaimed = await commitConditionally(deps.store, [invitationRows(deps.store).buildUpdate(row, after)]);
  return isClaimed ? { row: after, url } : undefined;
}

type MailOutcome = Pick<InvitationMail, 'status' | 'nextMs' | 'error'> &
  Partial<Pick<InvitationMail, 'sentMs' | 'failures' | 'throttles'>>;

async function sendMail(deps: Deps, { row, url }: { row: InvitationRow; url: string }): Promise<MailOutcome> {
  const { email, name, expiresMs, language } = row;
  const account = await accountRows(deps.store).findById(row.account);
  if (email === null || !account) return { status: 'failed', nextMs: null, error: 'invitation_ended' };
  if (account.status !== 'active') return postponeForSuspension(deps, row);
  try {
    await deps.mail.send(invitationMessage({ to: email, name, team: account.name, joinUrl: url, expiresMs, language }));
    return { status: 'sent', nextMs: null, error: null, sentMs: deps.clock.now() };
  } catch (error) {
    if (error instanceof MailRefused) return handleRefused(deps, row, error);
    if (error instanceof EngineUnavailable) return handleUnavailable(deps, row, error);
    // An unexpected fault of this service: the team sees that the message is waiting, and the
    // operator sees the fault in the log.
    deps.log('error', 'mail_failed_unexpectedly', { ...logFields(row), cause: error });
    return handleUnavailable(deps, row, new EngineUnavailable('an unexpected error', { cause: error }));
  }
}

/** No message is sent for a suspended account. It may be active again within the day. */
function postponeForSuspension(deps: Deps, row: InvitationRow): MailOutcome {
  deps.log('info', 'mail_account_suspended', logFields(row));
  const atMs = deps.clock.now() + operatorRetryDelayMs(drawRandomShare(deps));
  return { status: 'queued', nextMs: capToRetryWindow(atMs, row.mail), error: 'account_suspended' };
}

/** The fault is in this one message: the team sees the reason, and no operator is alerted. */
function handleRefused(deps: Deps, row: InvitationRow, { reason }: MailRefused): MailOutcome {
  deps.log('warn', 'mail_refused', { ...logFields(row), reason });
  return { status: 'failed', nextMs: null, error: reason };
}

/** Alarms match these log codes. */
function handleUnavailable(deps: Deps, row: InvitationRow, error: EngineUnavailable): MailOutcome {
  const { mail } = row;
  const now = deps.clock.now();
  const nextMs = capToRetryWindow(now + mailRetryDelayMs(error, mail, drawRandomShare(deps)), mail);
  const pending_seconds = Math.round((now - mail.requestedMs) / 1000);
  const { message } = error;
  if (error instanceof MailThrottled) {
    const throttles = mail.throttles + 1;
    deps.log('warn', 'mail_throttled', {
      ...logFields(row),
      throttles,
      pending_seconds,
      detail: message,
    });
    return { status: 'queued', nextMs, error: 'mail_unavailable', throttles };
  }
  const failures = mail.failures + 1;
  const reason = error instanceof SenderRefused ? error.problem : 'mail_unavailable';
  const code = error instanceof SenderRefused ? 'mail_sender_refused' : 'mail_unavailable';
  deps.log('warn', code, { ...logFields(row), reason, failures, pending_seconds, detail: message });
  return { status: 'queued', nextMs, error: reason, failures };
}

const logFields = ({ account, env, id }: InvitationRow) => ({ account_id: account, env, invitation_id: id });
const drawRandomShare = ({ random }: Pick<Deps, 'random'>): number => randomShare(random.bytes(2));

async function giveUp(deps: Deps, row: InvitationRow, error: string): Promise<void> {
  const isRecorded = await recordOutcome(deps, row, { status: 'failed', nextMs: null, error });
  // It needs no attention when an invitation ended, or its account was suspended, before it was
  // sent.
  if (isRecorded && error !== 'invitation_ended' && error !== 'account_suspended')
    deps.log('warn', 'mail_given_up', { ...logFields(row), reason: error });
}

/**
 * Records the outcome of this attempt to send this message. Returns false when another message was
 * requested or attempted since.
 */
async function recordOutcome(deps: Deps, attempted: InvitationRow, outcome: MailOutcome): Promise<boolean> {
  return optimisticRetry(invitationRetryPolicy, async () => {
    const row = await invitationRows(deps.store).findById(attempted.account, attempted.env, attempted.id);
    if (row?.messages !== attempted.messages || row.mail.tries !== attempted.mail.tries) return false;
    const mail = { ...row.mail, isLeased: false, ...outcome };
    // An invitation that ended in the meantime has no pending message, regardless of the outcome.
    const after = { ...row, mail: row.status === 'pending' ? mail : clearPendingMail({ ...row, mail }) };
    await deps.store.commit([invitationRows(deps.store).buildUpdate(row, after)]);
    return true;
  });
}
