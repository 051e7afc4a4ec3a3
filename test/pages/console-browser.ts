// Opens pages of the console as a colleague who is signed in.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import type { ColleagueRole, Environment } from '../../shared/system/caller.ts';
import { signIn } from '../harness/console-session.ts';
import type { System } from '../harness/system.ts';
import { axeFindings, openPage, overflowWidth, smallPhone } from './browser.ts';

export interface ConsolePage {
  account: NewAccount;
  email: string;
  page: Page;
  /** `address` is below `/console`, and may have a query. */
  open(address: string, env?: Environment): Promise<void>;
}

interface ConsoleOptions extends BrowserContextOptions {
  account?: NewAccount;
  role?: ColleagueRole;
}

export async function openConsole(
  system: System,
  browser: Browser,
  { account: given, role = 'owner', ...options }: ConsoleOptions = {},
): Promise<ConsolePage> {
  const account = given ?? (await system.account());
  const { cookie, colleague } = await signIn(system, account, role);
  const page = await openPage(browser, options);
  const [name = '', value = ''] = cookie.split('=');
  await page.context().addCookies([{ name, value, url: system.host.baseUrl }]);
  return {
    account,
    email: colleague.email,
    page,
    async open(address, env = 'sandbox') {
      const url = new URL(`${system.host.baseUrl}/console${address}`);
      url.searchParams.set('env', env);
      await page.goto(url.href);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await waitUntilLoaded(page);
    },
  };
}

/** Waits until no part of the page is loading. */
export const waitUntilLoaded = async (page: Page): Promise<void> => {
  await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
};

/** Expects no axe finding in light and dark mode, and that nothing is wider than the page. */
export async function expectGoodConsolePage(page: Page): Promise<void> {
  expect(await axeFindings(page)).toEqual([]);
  const desk = page.viewportSize();
  for (const viewport of [{ width: 390, height: 844 }, smallPhone.viewport, desk]) {
    if (viewport) await page.setViewportSize(viewport);
    expect(await overflowWidth(page)).toBe(0);
  }
}

/** Every request of the page to the API fails as it does without a connection. */
export async function cutConnection(page: Page): Promise<void> {
  await page.route(/\/(v1|console\/api)\//, (route) => route.abort('connectionfailed'));
}

/** The API refuses every request to a path, in its own words. */
export async function refuse(page: Page, path: RegExp): Promise<void> {
  await page.route(path, (route) =>
    route.fulfill({
      status: 503,
      headers: { 'X-Request-Id': 'request-of-a-test' },
      json: { error: 'unavailable', message: 'The service is busy. Try again.', details: {} },
    }),
  );
}
