// Colleagues of a test account, and the requests that their browser sends.
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import type { ColleagueRow } from '../../shared/console/colleague-rows.ts';
import { createColleague } from '../../shared/console/colleagues.ts';
import { issueSignInLink } from '../../shared/console/sign-in-link.ts';
import type { ColleagueRole, Environment } from '../../shared/system/caller.ts';
import type { System } from './system.ts';

export const ownPage = { 'sec-fetch-site': 'same-origin' } as const;

let addressCount = 0;

export const addColleague = (
  system: System,
  account: Pick<NewAccount, 'account_id'>,
  role: ColleagueRole,
): Promise<ColleagueRow> => {
  addressCount += 1;
  const email = `${role}-${addressCount}-${process.pid}@example.com`;
  return createColleague(system.host.deps, account.account_id, { email, role });
};

export const linkSecretFor = async ({ host }: System, colleague: ColleagueRow): Promise<string> =>
  new URL((await issueSignInLink(host.deps, colleague, host.baseUrl)).url).hash.slice(1);

/** The cookie of a response, as a browser sends it back. */
export function readSetCookie(headers: Headers): string {
  const [cookie = ''] = headers.getSetCookie();
  return cookie.split(';')[0] ?? '';
}

export async function signInWith(system: System, secret: string, headers: Record<string, string> = {}) {
  const response = await system.call('POST', '/console/api/sign-in/sessions', {
    body: { secret },
    headers: { ...ownPage, ...headers },
  });
  return { response, cookie: readSetCookie(response.headers) };
}

export const asBrowser = (cookie: string, env: Environment = 'live'): Record<string, string> => ({
  ...ownPage,
  cookie,
  'daybook-environment': env,
});

export interface SignedIn {
  colleague: ColleagueRow;
  cookie: string;
  headers: Record<string, string>;
}

export async function signIn(
  system: System,
  account: Pick<NewAccount, 'account_id'>,
  role: ColleagueRole = 'owner',
  env: Environment = 'live',
): Promise<SignedIn> {
  const colleague = await addColleague(system, account, role);
  const { response, cookie } = await signInWith(system, await linkSecretFor(system, colleague));
  if (response.status !== 201) throw new Error(`expected 201, got ${response.status}: ${response.text}`);
  return { colleague, cookie, headers: asBrowser(cookie, env) };
}
