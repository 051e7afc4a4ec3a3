// Opens the console as a colleague, and collects what the browser complains about.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import type { ColleagueRole } from '../../shared/system/caller.ts';
import { addColleague, linkSecretFor, signIn } from '../harness/console-session.ts';
import type { System } from '../harness/system.ts';
import { openPage } from './browser.ts';

export interface ConsolePage {
  page: Page;
  /** Violations of the policy, and errors that no code caught. */
  complaints: string[];
}

type SignInOptions = BrowserContextOptions & { role?: ColleagueRole };

/** Opens the page of a fresh sign-in link. */
export async function openSignInLink(
  browser: Browser,
  system: System,
  account: Pick<NewAccount, 'account_id'>,
  { role = 'owner', ...options }: SignInOptions = {},
): Promise<ConsolePage> {
  const colleague = await addColleague(system, account, role);
  const secret = await linkSecretFor(system, colleague);
  const opened = await openWatchedPage(browser, options);
  await opened.page.goto(`${system.host.baseUrl}/console/sign-in#${secret}`);
  return opened;
}

/** Opens the first page with a session that a link has just begun, without the page of the link. */
export async function signInToConsole(
  browser: Browser,
  system: System,
  account: Pick<NewAccount, 'account_id'>,
  { role, ...options }: SignInOptions = {},
): Promise<ConsolePage> {
  const { cookie } = await signIn(system, account, role);
  const opened = await openWatchedPage(browser, options);
  const [name = '', value = ''] = cookie.split('=');
  await opened.page
    .context()
    .addCookies([{ name, value, url: system.host.baseUrl, httpOnly: true, sameSite: 'Strict' }]);
  await opened.page.goto(`${system.host.baseUrl}/console`);
  await opened.page.getByRole('navigation', { name: 'Pages' }).waitFor();
  return opened;
}

async function openWatchedPage(browser: Browser, options: BrowserContextOptions): Promise<ConsolePage> {
  const page = await openPage(browser, options);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted/i.test(message.text())) complaints.push(message.text());
  });
  return { page, complaints };
}
