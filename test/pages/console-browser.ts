// What tests of the console's pages do in a browser once a colleague is signed in.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import type { ColleagueRole, Environment } from '../../shared/system/caller.ts';
import type { System } from '../harness/system.ts';
import { type ConsolePage, signInToConsole } from './console.ts';

export interface OpenedConsole extends ConsolePage {
  account: NewAccount;
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
  { account: given, ...options }: ConsoleOptions = {},
): Promise<OpenedConsole> {
  const account = given ?? (await system.account());
  const opened = await signInToConsole(browser, system, account, options);
  return {
    ...opened,
    account,
    async open(address, env = 'sandbox') {
      const url = new URL(`${system.host.baseUrl}/console${address}`);
      url.searchParams.set('env', env);
      await opened.page.goto(url.href);
      await opened.page.getByRole('heading', { level: 1 }).waitFor();
      await waitUntilLoaded(opened.page);
    },
  };
}

/** Waits until no part of the page is loading. */
export const waitUntilLoaded = async (page: Page): Promise<void> => {
  await expect.poll(() => page.locator('[aria-busy="true"]').count(), { timeout: 10_000 }).toBe(0);
};

/** Every request of the page to the API fails as it does without a connection. */
export async function cutConnection(page: Page): Promise<void> {
  await page.route(/\/(v1|console\/api)\//, (route) => route.abort('connectionfailed'));
}

/** As if the reader came back from another window: lists that seldom change are read then. */
export const returnToWindow = (page: Page): Promise<unknown> => page.evaluate('dispatchEvent(new Event("focus"))');

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
