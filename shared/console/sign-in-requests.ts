// Requests a sign-in link by e-mail. The worker finds out whether the address belongs to a colleague,
// so a request costs the same and takes the same time for every address.
import { normalizeEmail, toMailbox } from '../platform/mail-address.ts';
import type { Deps } from '../system/deps.ts';
import { newId } from '../system/new-id.ts';
import { wakeWorker } from '../system/wake-worker.ts';
import type { ColleagueRow } from './colleague-rows.ts';
import { type SignInRequestRow, signInRequestRows } from './sign-in-request-rows.ts';

interface LinkRequest {
  email: string;
  emailHash: string;
  /** The public origin of this deployment. */
  origin: string;
  /** Where the request comes from; null if that is unknown. */
  network: string | null;
}

/** Without a mail sender nothing is stored, because nothing could be sent. */
export async function requestSignInLink(deps: Deps, { network, ...requested }: LinkRequest): Promise<void> {
  if (deps.deployment.mailSender === undefined) return;
  await requestMail(deps, { ...requested, source: `network ${network}`, invitedTo: null });
}

export const requestInvitationMail = (
  deps: Deps,
  { account, email, emailHash }: ColleagueRow,
  origin: string,
): Promise<void> => requestMail(deps, { email, emailHash, origin, source: `account ${account}`, invitedTo: account });

/** Above the limit of the mailbox nothing is sent, and nobody is told. */
async function requestMail(
  deps: Deps,
  {
    email,
    source,
    ...requested
  }: Pick<SignInRequestRow, 'emailHash' | 'origin' | 'invitedTo'> & { email: string; source: string },
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
  const sourceHash = toAttributeName(deps.keyring.hash('sign-in-source', source));
  const rows = signInRequestRows(deps.store);
  // Two plain writes cost half of a transaction. A request that is counted and then lost costs the
  // mailbox one of its links, and the colleague asks again.
  if (!(await rows.count(mailboxHash, sourceHash, nowMs))) return deps.log('warn', 'sign_in_requests_limited', {});
  await rows.insert(row);
  await wakeWorker(deps, 'mail', { sign_in_request_id: row.id });
}

/** Names in expressions are letters, digits and underscores. */
const toAttributeName = (hash: string): string => Buffer.from(hash).toString('hex').slice(0, 32);
