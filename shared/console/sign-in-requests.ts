// Requests a sign-in link by e-mail. The worker finds out whether the address belongs to a colleague,
// so a request costs the same and takes the same time for every address.
import type { Deps } from '../system/deps.ts';
import { newId } from '../system/new-id.ts';
import { wakeWorker } from '../system/wake-worker.ts';
import type { ColleagueRow } from './colleague-rows.ts';
import { hashSource } from './known-networks.ts';
import { type SignInRequestRow, signInRequestRows } from './sign-in-request-rows.ts';

interface LinkRequest {
  emailHash: string;
  /** The public origin of this deployment. */
  origin: string;
  /** Where the request comes from; null if that is unknown. */
  network: string | null;
}

/** Without a mail sender nothing is stored, because nothing could be sent. */
export async function requestSignInLink(deps: Deps, { network, ...requested }: LinkRequest): Promise<void> {
  if (deps.deployment.mailSender === undefined) return;
  const sourceHash = network === null ? null : hashSource(deps, { network });
  await requestMail(deps, { ...requested, sourceHash, invitedTo: null });
}

export const requestInvitationMail = (
  deps: Deps,
  { account, emailHash }: ColleagueRow,
  origin: string,
): Promise<void> =>
  requestMail(deps, { emailHash, origin, sourceHash: hashSource(deps, { account }), invitedTo: account });

async function requestMail(
  deps: Deps,
  requested: Pick<SignInRequestRow, 'emailHash' | 'origin' | 'sourceHash' | 'invitedTo'>,
): Promise<void> {
  const nowMs = deps.clock.now();
  const row: SignInRequestRow = {
    id: newId(deps, 'signInRequest'),
    ...requested,
    allowance: null,
    requestedMs: nowMs,
    tries: 0,
    failures: 0,
    throttles: 0,
    nextMs: nowMs,
    isLeased: false,
  };
  await signInRequestRows(deps.store).insert(row);
  await wakeWorker(deps, 'mail', { sign_in_request_id: row.id });
}
