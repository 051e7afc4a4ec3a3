// Requests a sign-in link by e-mail. The worker finds out whether the address belongs to a colleague,
// so a request costs the same for every address.
import { normalizeEmail, toMailbox } from '../platform/mail-address.ts';
import type { Deps } from '../system/deps.ts';
import { newId } from '../system/new-id.ts';
import { commitConditionally } from '../system/store.ts';
import { wakeWorker } from '../system/wake-worker.ts';
import type { ColleagueRow } from './colleague-rows.ts';
import { type SignInRequestRow, signInRequestRows } from './sign-in-request-rows.ts';

export const requestSignInLink = (deps: Deps, email: string, emailHash: string, origin: string): Promise<void> =>
  requestMail(deps, { email, emailHash, origin, invitedTo: null });

export const requestInvitationMail = (
  deps: Deps,
  { account, email, emailHash }: ColleagueRow,
  origin: string,
): Promise<void> => requestMail(deps, { email, emailHash, origin, invitedTo: account });

/** Above the limit of the mailbox nothing is sent, and nobody is told. */
async function requestMail(
  deps: Deps,
  { email, ...requested }: Pick<SignInRequestRow, 'emailHash' | 'origin' | 'invitedTo'> & { email: string },
): Promise<void> {
  const nowMs = deps.clock.now();
  const row: SignInRequestRow = {
    id: newId(deps, 'signInRequest'),
    ...requested,
    requestedMs: nowMs,
    tries: 0,
    failures: 0,
    throttles: 0,
    nextMs: nowMs,
    isLeased: false,
  };
  const mailboxHash = deps.keyring.hash('colleague-mailbox', toMailbox(normalizeEmail(email)));
  const isWithinLimit = await commitConditionally(deps.store, [
    signInRequestRows(deps.store).buildCount(mailboxHash, nowMs),
    signInRequestRows(deps.store).buildInsert(row),
  ]);
  if (isWithinLimit) await wakeWorker(deps, 'mail', { sign_in_request_id: row.id });
  else deps.log('warn', 'sign_in_requests_limited', {});
}
