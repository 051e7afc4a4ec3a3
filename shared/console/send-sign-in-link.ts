// Sends the links that were requested by e-mail. The worker that claims a request first holds a lease
// on it. A request that is as old as a link lasts is given up: nobody waits for it any longer.
import { accountRows } from '../accounts/account-rows.ts';
import { randomShare } from '../platform/backoff.ts';
import { mailRetryDelayMs } from '../platform/mail-backoff.ts';
import { EngineUnavailable, MailRefused, MailThrottled, SenderRefused } from '../platform/ports.ts';
import type { Deps } from '../system/deps.ts';
import type { Job } from '../system/jobs.ts';
import { wakeWorker } from '../system/wake-worker.ts';
import { type ColleagueRow, colleagueRows } from './colleague-rows.ts';
import { prepareSignInLink, signInLinkMinutes } from './sign-in-link.ts';
import { signInLinkRows } from './sign-in-link-rows.ts';
import { planMailAllowance, releaseMailAllowance, takeMailAllowance } from './sign-in-mail-count.ts';
import { type OfferedLink, signInMessage } from './sign-in-message.ts';
import { type SignInRequestRow, signInRequestRows } from './sign-in-request-rows.ts';

/** Longer than a worker runs. */
const leaseMs = 120_000;
const retryWindowMs = signInLinkMinutes * 60_000;
/** An address may be in several accounts; a message has links to this many. */
const maxLinks = 20;

/**
 * Accounts in use come first, so that invitations to further accounts never displace one. An invitation
 * is about its own account, so every account can be used once.
 */
const byLastUse = (a: ColleagueRow, b: ColleagueRow): number =>
  findLastUse(b) - findLastUse(a) || a.createdMs - b.createdMs;

const findLastUse = ({ sessions, joinedMs }: ColleagueRow): number => sessions.at(-1)?.expiresMs ?? joinedMs ?? 0;

export type SignInMailJob = Extract<Job<'mail'>, { sign_in_request_id: string }>;

export async function sendSignInLink(deps: Deps, { sign_in_request_id }: SignInMailJob): Promise<void> {
  const row = await signInRequestRows(deps.store).find(sign_in_request_id);
  const nowMs = deps.clock.now();
  if (!row || row.nextMs > nowMs) return;
  if (nowMs >= row.requestedMs + retryWindowMs) return giveUp(deps, row, 'mail_unavailable');
  if (deps.deployment.mailSender === undefined) return giveUp(deps, row, 'not_configured');
  const all = (await colleagueRows(deps.store).listByAddress(row.emailHash))
    .filter(({ account }) => row.invitedTo === null || row.invitedTo === account)
    .toSorted(byLastUse);
  const colleagues = all.slice(0, maxLinks);
  const [colleague, ...others] = all;
  // Nobody has the address. The request was answered long ago, so it can end without a lease.
  if (!colleague) return endRequest(deps, row);
  const allowance = row.allowance ?? planMailAllowance(deps, row, [colleague, ...others]);
  const claimed = { ...row, allowance, tries: row.tries + 1, nextMs: nowMs + leaseMs, isLeased: true };
  if (!(await signInRequestRows(deps.store).update(row, claimed))) return;
  // Further attempts at the same message count once. One whose worker dies right here does not count.
  if (!row.allowance && !(await takeMailAllowance(deps, row, allowance))) {
    deps.log('warn', 'sign_in_requests_limited', { sign_in_request_id: row.id });
    return endRequest(deps, claimed);
  }
  try {
    const links = await issueLinks(deps, row, colleagues);
    await deps.mail.send(
      signInMessage({
        ...{ to: colleague.email, links, origin: row.origin, isInvitation: row.invitedTo !== null },
        omittedCount: all.length - colleagues.length,
      }),
    );
    await endRequest(deps, claimed);
  } catch (error) {
    if (error instanceof MailRefused) return giveUp(deps, claimed, error.reason);
    if (!(error instanceof EngineUnavailable)) throw error;
    await retryLater(deps, claimed, error);
  }
}

/** Every attempt has links of its own, so that one that was used never works again. */
async function issueLinks(
  deps: Deps,
  { origin }: SignInRequestRow,
  colleagues: ColleagueRow[],
): Promise<OfferedLink[]> {
  const links = await Promise.all(
    colleagues.map(async (colleague) => ({
      ...prepareSignInLink(deps, colleague, origin),
      team: (await accountRows(deps.store).findById(colleague.account))?.name ?? 'Daybook',
    })),
  );
  await deps.store.commit(links.map(({ row }) => signInLinkRows(deps.store).buildInsert(row)));
  return links.map(({ issued, team }) => ({ url: issued.url, team }));
}

const endRequest = (deps: Deps, row: SignInRequestRow): Promise<void> => signInRequestRows(deps.store).delete(row);

async function giveUp(deps: Deps, row: SignInRequestRow, reason: string): Promise<void> {
  deps.log('warn', 'sign_in_mail_given_up', { sign_in_request_id: row.id, reason });
  if (row.allowance) await releaseMailAllowance(deps, row, row.allowance);
  await endRequest(deps, row);
}

/** Alarms match these log codes. */
async function retryLater(deps: Deps, row: SignInRequestRow, error: EngineUnavailable): Promise<void> {
  const isThrottled = error instanceof MailThrottled;
  const delayMs = mailRetryDelayMs(error, row, randomShare(deps.random.bytes(2)));
  const retried = {
    ...row,
    failures: row.failures + (isThrottled ? 0 : 1),
    throttles: row.throttles + (isThrottled ? 1 : 0),
    nextMs: Math.min(deps.clock.now() + delayMs, row.requestedMs + retryWindowMs),
    isLeased: false,
  };
  const code = isThrottled
    ? 'mail_throttled'
    : error instanceof SenderRefused
      ? 'mail_sender_refused'
      : 'mail_unavailable';
  deps.log('warn', code, { sign_in_request_id: row.id, failures: retried.failures, throttles: retried.throttles });
  const isRecorded = await signInRequestRows(deps.store).update(row, retried);
  if (!isRecorded) return;
  const delaySeconds = Math.max(0, Math.ceil((retried.nextMs - deps.clock.now()) / 1000));
  await wakeWorker(deps, 'mail', { sign_in_request_id: row.id }, { delaySeconds });
}
