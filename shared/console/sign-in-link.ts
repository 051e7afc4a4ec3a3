// Sign-in links: each works once, for ten minutes. The secret is in the fragment of the URL, so it is
// in no log and no `Referer`, and a button on the page sends it, because mail scanners open links.
// The page says whose link it is before the button, because anybody can send a link to their own
// account, and the person who uses it would work there without noticing.
import { accountRows } from '../accounts/account-rows.ts';
import { maskEmail } from '../platform/mail-address.ts';
import { optimisticRetry } from '../platform/optimistic-retry.ts';
import { formatTimestamp } from '../platform/time/time.ts';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import type { DescribedSignInLink } from './colleague.ts';
import { type ColleagueRow, colleagueRetryPolicy, colleagueRows } from './colleague-rows.ts';
import { hashIfSecret, newSecret } from './console-secret.ts';
import { type OpenedConsoleSession, openConsoleSession, type SignIn } from './open-console-session.ts';
import { type SignInLinkRow, signInLinkRows } from './sign-in-link-rows.ts';

export const signInLinkMinutes = 10;

export interface IssuedSignInLink {
  url: string;
  expires_at: string;
}

/** The link, and the row that has to be written for it. */
export function prepareSignInLink(
  deps: Deps,
  { account, id, linkEpoch }: Pick<ColleagueRow, 'account' | 'id' | 'linkEpoch'>,
  origin: string,
): { issued: IssuedSignInLink; row: SignInLinkRow } {
  const { text, hash } = newSecret(deps, 'sign-in-link');
  const expiresMs = deps.clock.now() + signInLinkMinutes * 60_000;
  return {
    issued: { url: `${origin}/console/sign-in#${text}`, expires_at: formatTimestamp(expiresMs) },
    row: { hash, account, colleague: id, linkEpoch, expiresMs },
  };
}

export async function issueSignInLink(deps: Deps, colleague: ColleagueRow, origin: string): Promise<IssuedSignInLink> {
  const { issued, row } = prepareSignInLink(deps, colleague, origin);
  await deps.store.commit([signInLinkRows(deps.store).buildInsert(row)]);
  return issued;
}

/** `previousHash` is the session that the browser still has. */
export async function signInWithLink(
  deps: Deps,
  secret: string,
  { previousHash, request }: Pick<SignIn, 'previousHash' | 'request'>,
): Promise<OpenedConsoleSession> {
  return optimisticRetry(colleagueRetryPolicy, async () => {
    const { hash, colleague } = await readLink(deps, secret);
    return openConsoleSession(deps, colleague, {
      method: 'link',
      ...{ previousHash, request },
      writes: [signInLinkRows(deps.store).buildUse(hash)],
    });
  });
}

/** Says whose link it is, and leaves it as it is. */
export async function describeSignInLink(deps: Deps, secret: string): Promise<DescribedSignInLink> {
  const { colleague } = await readLink(deps, secret);
  const account = await accountRows(deps.store).findById(colleague.account);
  if (!account) throw unusableLink();
  return { account: { id: account.id, name: account.name }, email: maskEmail(colleague.email) };
}

async function readLink(deps: Deps, secret: string): Promise<{ hash: string; colleague: ColleagueRow }> {
  const hash = hashIfSecret(deps, 'sign-in-link', secret);
  if (hash === undefined) throw unusableLink();
  const link = await signInLinkRows(deps.store).find(hash);
  // Checked here, because the table deletes expired rows late.
  if (!link || link.expiresMs <= deps.clock.now()) throw unusableLink();
  const colleague = await colleagueRows(deps.store).find(link.account, link.colleague);
  if (colleague?.linkEpoch !== link.linkEpoch) throw unusableLink();
  return { hash, colleague };
}

/** The same for every reason, so that an old link reveals nothing. */
const unusableLink = (): Failure =>
  new Failure(
    'invalid_token',
    `This sign-in link does not work: it was used, or is older than ${signInLinkMinutes} minutes. Request a new one.`,
  );
