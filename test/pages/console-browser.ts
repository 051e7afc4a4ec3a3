// Opens pages of the console as a colleague who is signed in.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import type { ColleagueRole } from '../../shared/system/caller.ts';
import { signIn } from '../harness/console-session.ts';
import type { System } from '../harness/system.ts';
import { openPage } from './browser.ts';

interface ConsolePageOptions extends BrowserContextOptions {
  role?: ColleagueRole;
}

/** The address is below `/console`, with its query. */
export async function openConsolePage(
  browser: Browser,
  system: System,
  account: Pick<NewAccount, 'account_id'>,
  address: string,
  { role = 'owner', ...options }: ConsolePageOptions = {},
): Promise<Page> {
  const { cookie } = await signIn(system, account, role);
  const [name = '', value = ''] = cookie.split('=');
  const page = await openPage(browser, options);
  await page.context().addCookies([{ name, value, url: system.host.baseUrl }]);
  await page.goto(`${system.host.baseUrl}/console${address}`);
  return page;
}
