// Who is signed in, and what this deployment offers them.
import { accountRows } from '../accounts/account-rows.ts';
import { ratePolicy } from '../platform/rate-limit.ts';
import { formatTimestamp } from '../platform/time/time.ts';
import { Environment } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import { type ColleagueCaller, recentSignInMs } from './admit-session.ts';
import type { ConsoleProfile } from './colleague.ts';
import { getColleague } from './colleagues.ts';
import { passkeyRows } from './passkey-rows.ts';
import { findPasskeySupport, isUsableAt } from './passkey-support.ts';

export async function readConsoleProfile(
  deps: Deps,
  { account: accountId, colleagueId, sessionId, signedInMs, expiresMs }: ColleagueCaller,
  origin: string,
): Promise<ConsoleProfile> {
  const [account, colleague] = await Promise.all([
    accountRows(deps.store).findById(accountId),
    getColleague(deps, accountId, colleagueId),
  ]);
  if (!account) throw new Failure('not_found', `Account ${accountId} not found.`);
  const { id, email, name, role } = colleague;
  const passkeys = await passkeyRows(deps.store).listByHash(colleague.passkeys.map(({ hash }) => hash));
  const count = passkeys.filter((each) => isUsableAt(deps.deployment, each, origin)).length;
  return {
    colleague: { id, email, name, role },
    account: {
      id: account.id,
      name: account.name,
      form: account.form,
      requests_per_second: account.perSecond,
      burst: ratePolicy(account.perSecond).burst,
    },
    environments: [...Environment.options],
    passkeys: { ...findPasskeySupport(deps.deployment, origin), count },
    ...describeDeployment(deps),
    recent_sign_in_until: formatTimestamp(signedInMs + recentSignInMs),
    session: { id: sessionId, created_at: formatTimestamp(signedInMs), expires_at: formatTimestamp(expiresMs) },
  };
}

export const describeDeployment = ({ deployment }: Pick<Deps, 'deployment'>) => ({
  mail: deployment.mailSender !== undefined,
  deployment: deployment.kind,
});
