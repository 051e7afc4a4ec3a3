// Opens the console as a colleague, and collects what the browser complains about.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import type { ColleagueRole } from '../../shared/system/caller.ts';
import { addColleague, linkSecretFor } from '../harness/console-session.ts';
import type { System } from '../harness/system.ts';
import { openPage } from './browser.ts';

export interface ConsolePage {
  page: Page;
  /** Violations of the policy, and errors that no code caught. */
  complaints: string[];
}

/** Opens the page of a fresh sign-in link. */
export async function openSignInLink(
  browser: Browser,
  system: System,
  account: Pick<NewAccount, 'account_id'>,
  { role = 'owner', ...options }: BrowserContextOptions & { role?: ColleagueRole } = {},
): Promise<ConsolePage> {
  const colleague = await addColleague(system, account, role);
  const secret = await linkSecretFor(system, colleague);
  const page = await openPage(browser, options);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted/i.test(message.text())) complaints.push(message.text());
  });
  await page.goto(`${system.host.baseUrl}/console/sign-in#${secret}`);
  return { page, complaints };
}

export async function signInToConsole(...args: Parameters<typeof openSignInLink>): Promise<ConsolePage> {
  const opened = await openSignInLink(...args);
  await opened.page.getByRole('button', { name: 'Sign in with this link' }).click();
  await opened.page.getByRole('navigation', { name: 'Pages' }).waitFor();
  return opened;
}
