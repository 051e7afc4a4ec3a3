// Writes to a person who was invited. What is owed stands on the invitation; whoever claims it first has it for a while.
import { EngineUnavailable, MailRefused } from '../../engine/ports.ts';
import type { Job } from '../../model/jobs.ts';
import { accountRows } from '../../store/accounts.ts';
import { conditionalCommit } from '../../store/conditional-write.ts';
import { type InvitationMail, type InvitationRow, invitationRows } from '../../store/invitations.ts';
import type { Deps } from '../deps.ts';
import { randomShare } from '../work/backoff.ts';
import { optimisticRetry } from '../work/optimistic-retry.ts';
import { invitationMessage } from './invitation-message.ts';
import { changingInvitation, invitationStatus, unowed } from './invitations.ts';
import { joinLinkOf } from './join-link.ts';

const minuteMs = 60_000;
/** A message that nobody took for so long is given up; it can be asked for again. */
const triedForMs = 24 * 60 * minuteMs;
/** Longer than a worker lives. */
const leaseMs = 2 * minuteMs;
/** After each failed try; the last one stays. */
const pausesMs = [1, 5, 15, 60, 180].map((minutes) => minutes * minuteMs);

export async function sendInvitation(deps: Deps, { account_id, env, invitation_id }: Job<'mail'>): Promise<void> {
  const row = await invitationRows(deps.store).byId(account_id, env, invitation_id);
  const now = deps.clock.now();
  if (!row || row.mail.nextMs === null || row.mail.nextMs > now) return;
  if (invitationStatus(row, now) !== 'pending') return giveUp(deps, row, 'invitation_ended');
  if (row.mail.tries > 0 && now >= row.mail.askedMs + triedForMs) return giveUp(deps, row, 'mail_unavailable');
  const claim = await claimed(deps, row);
  if (!claim) return;
  await noted(deps, claim.row, await sent(deps, claim));
}

/** The link is known before it is under way. Undefined when somebody else was first, or the invitation changed. */
async function claimed(deps: Deps, row: InvitationRow): Promise<{ row: InvitationRow; url: string } | undefined> {
  const { url, links } = joinLinkOf(deps, row);
  const nextMs = deps.clock.now() + leaseMs;
  const after = { ...row, links, mail: { ...row.mail, tries: row.mail.tries + 1, nextMs, isLeased: true } };
  const isMine = await conditionalCommit(deps.store, [invitationRows(deps.store).changing(row, after)]);
  return isMine ? { row: after, url } : undefined;
}

type MailOutcome = Pick<InvitationMail, 'status' | 'nextMs' | 'error'> & { sentMs?: number };

async function sent(deps: Deps, { row, url }: { row: InvitationRow; url: string }): Promise<MailOutcome> {
  const { email, name, expiresMs, language, mail } = row;
  const account = await accountRows(deps.store).byId(row.account);
  if (email === null || !account) return { status: 'failed', nextMs: null, error: 'invitation_ended' };
  try {
    await deps.mail.send(invitationMessage({ to: email, name, team: account.name, joinUrl: url, expiresMs, language }));
    return { status: 'sent', nextMs: null, error: null, sentMs: deps.clock.now() };
  } catch (error) {
    if (error instanceof MailRefused) return { status: 'failed', nextMs: null, error: error.reason };
    if (!(error instanceof EngineUnavailable)) throw error;
    const { message } = error;
    deps.log('warn', 'mail was not taken; it is tried again later', {
      invitation: row.id,
      failures: mail.tries,
      message,
    });
    const pauseMs = pausesMs[Math.min(mail.tries, pausesMs.length) - 1] ?? minuteMs;
    const nextMs = deps.clock.now() + Math.ceil(pauseMs * (1 + randomShare(deps.random.bytes(2)) / 10));
    return { status: 'queued', nextMs, error: 'mail_unavailable' };
  }
}

const giveUp = (deps: Deps, row: InvitationRow, error: string): Promise<void> =>
  noted(deps, row, { status: 'failed', nextMs: null, error });

/** Of this try of this message: one that was asked for since is another's. */
async function noted(deps: Deps, tried: InvitationRow, outcome: MailOutcome): Promise<void> {
  await optimisticRetry(changingInvitation, async () => {
    const row = await invitationRows(deps.store).byId(tried.account, tried.env, tried.id);
    if (row?.messages !== tried.messages || row.mail.tries !== tried.mail.tries) return;
    const mail = { ...row.mail, isLeased: false, ...outcome };
    // One that ended meanwhile owes nothing, however this went.
    const after = { ...row, mail: row.status === 'pending' ? mail : unowed({ ...row, mail }) };
    await deps.store.commit([invitationRows(deps.store).changing(row, after)]);
  });
  // An alarm rings at these words; that an invitation ended before it was sent is nobody's trouble.
  if (outcome.status === 'failed' && outcome.error !== 'invitation_ended')
    deps.log('warn', 'mail refused', { invitation: tried.id, reason: outcome.error });
}
