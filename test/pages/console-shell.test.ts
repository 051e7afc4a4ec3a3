import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signIn } from '../harness/console-session.ts';
import { type System, startSystem } from '../harness/system.ts';
import { expectGoodPage, openBrowser, openPage, readHeading } from './browser.ts';
import { openSignInLink, signInToConsole } from './console.ts';
import { refuse } from './console-browser.ts';

let system: System;
/** The link that the host issues for the button on the sign-in page. */
let demoLink: string | undefined;
let browser: Browser;

beforeAll(async () => {
  [system, browser] = await Promise.all([startSystem({ issueSignInLink: async () => demoLink }), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await system.stop();
});

test('a link signs in when its button is pressed, not when it is opened, and only once', async () => {
  const account = await system.account();
  const { page, complaints } = await openSignInLink(browser, system, account);
  const button = page.getByRole('button', { name: 'Sign in with this link' });
  await button.waitFor();
  await page.getByText('Use it only if you know the account and the address is yours').waitFor();
  await page.getByRole('definition').filter({ hasText: account.account_id }).waitFor();
  await page.getByRole('definition').filter({ hasText: 'o***@example.com' }).waitFor();
  await expectGoodPage(page);
  const link = page.url();
  await button.click();
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  expect(page.url()).not.toContain('#');
  expect(complaints).toEqual([]);

  const again = await openPage(browser);
  await again.goto(link);
  await again.getByRole('alert').waitFor();
  expect(await again.getByRole('alert').innerText()).toContain('This sign-in link does not work');
  expect(await again.getByRole('alert').innerText()).toContain('Code');
  expect(await again.getByRole('button', { name: 'Sign in with this link' }).count()).toBe(0);
  await again.getByRole('button', { name: 'Request another link' }).waitFor();
  await expectGoodPage(again);
});

test('a link whose account cannot be checked is usable, and the page says so', async () => {
  const { page } = await openSignInLink(browser, system, await system.account());
  await page.getByRole('button', { name: 'Sign in with this link' }).waitFor();
  await refuse(page, /\/sign-in\/links\/description$/);
  await page.reload();
  await page.getByText('Daybook could not check which account this link belongs to').waitFor();
  await expectGoodPage(page);
  await page.getByRole('button', { name: 'Sign in with this link' }).click();
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
});

test('a link that does not work leaves a colleague signed in', async () => {
  const { page } = await signInToConsole(browser, system, await system.account());
  await page.goto(`${system.host.baseUrl}/console/sign-in#not-a-link`);
  await page.getByText('This sign-in link does not work').waitFor();
  await page.evaluate(
    "history.pushState(null, '', '/console/people?env=sandbox'); dispatchEvent(new PopStateEvent('popstate'))",
  );
  await page.getByRole('heading', { name: 'People', level: 1 }).waitFor();
});

test('an address that nobody can decode opens a page, not a blank one', async () => {
  const { page, complaints } = await signInToConsole(browser, system, await system.account());
  await page.goto(`${system.host.baseUrl}/console/people/%E0%A4%A`);
  await page.getByRole('heading', { name: 'There is no such page', level: 1 }).waitFor();
  await page.goto(`${system.host.baseUrl}/console/sign-in#%`);
  await page.getByRole('alert').waitFor();
  expect(complaints).toEqual([]);
});

test('a cookie that a page on another port has planted signs nobody in, and the page says so', async () => {
  const { page } = await openSignInLink(browser, system, await system.account());
  const planted = await signIn(system, await system.account());
  const [name = '', value = ''] = planted.cookie.split('=');
  await page.context().addCookies([{ name, value, domain: 'localhost', path: '/console/api' }]);
  await page.getByRole('button', { name: 'Sign in with this link' }).click();
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('alert').innerText()).toContain('Delete the cookies of this address');
});

test('someone who is not signed in is asked to, and then sees the page they wanted', async () => {
  const account = await system.account();
  const page = await openPage(browser);
  await page.goto(`${system.host.baseUrl}/console/people?env=live&q=ada`);
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
  expect(new URL(page.url()).searchParams.get('next')).toBe('/console/people?env=live&q=ada');
  await page.getByLabel('Your e-mail address').fill('nobody@example.com');
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await page.getByText('a link is printed in the terminal').waitFor();
  await expectGoodPage(page);
  expect(account.account_id).not.toBe('');
});

test('on this machine, one click opens a new session on the page that was wanted', async () => {
  const account = await system.account();
  const { page: other } = await openSignInLink(browser, system, account);
  demoLink = other.url();
  const page = await openPage(browser);
  await page.goto(`${system.host.baseUrl}/console/people?env=live`);
  await page.getByRole('button', { name: 'Sign in to the demo account' }).waitFor();
  await expectGoodPage(page);
  await page.getByRole('button', { name: 'Sign in to the demo account' }).click();
  await page.getByRole('heading', { name: 'People', level: 1 }).waitFor();
  const elsewhere = await openPage(browser);
  await elsewhere.setExtraHTTPHeaders({ 'x-forwarded-for': '203.0.113.7' });
  await elsewhere.goto(`${system.host.baseUrl}/console/sign-in`);
  await elsewhere.getByRole('button', { name: 'Sign in to the demo account' }).click();
  await elsewhere.getByRole('alert').waitFor();
  await expectGoodPage(elsewhere);
});

test('the sign-in page offers a link only once it knows that one can be delivered', async () => {
  const page = await openPage(browser);
  await refuse(page, /\/console\/api\/sign-in$/);
  await page.goto(`${system.host.baseUrl}/console/sign-in`);
  await page.getByText('The service is busy. Try again.').waitFor();
  expect(await page.getByText('sends no mail').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Send me a link' }).count()).toBe(0);
  await expectGoodPage(page);
  await page.unroute(/\/console\/api\/sign-in$/);
  await page.route(/\/console\/api\/sign-in$/, (route) =>
    route.fulfill({
      json: { deployment: 'aws', mail: false, passkeys: { available: false, reason: 'A reason.', count: 0 } },
    }),
  );
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('This deployment sends no mail.').waitFor();
  expect(await page.getByRole('button', { name: 'Send me a link' }).count()).toBe(0);
});

test('a link that opens in another tab leads to the page that was wanted', async () => {
  const account = await system.account();
  const { page: tab } = await openSignInLink(browser, system, account);
  const link = tab.url();
  await tab.goto(`${system.host.baseUrl}/console/people?env=live&q=ada`);
  await tab.getByLabel('Your e-mail address').fill('nobody@example.com');
  await tab.getByRole('button', { name: 'Send me a link' }).click();
  await tab.getByText('a link is printed in the terminal').waitFor();
  const other = await tab.context().newPage();
  await other.goto(link);
  await other.getByRole('button', { name: 'Sign in with this link' }).click();
  await other.waitForURL(/\/console\/people\?env=live&q=ada$/);
  // The page is wanted once.
  await other.goto(`${system.host.baseUrl}/console`);
  await other.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  expect(await other.evaluate('localStorage.getItem("daybook-wanted-page")')).toBeNull();
});

test('the people of an environment are listed, and switching it keeps the page', async () => {
  const account = await system.account();
  await system.user(account.sandbox_key, { external_ref: 'ada' });
  const { page, complaints } = await signInToConsole(browser, system, account);
  await page.goto(`${system.host.baseUrl}/console/people?env=sandbox`);
  await page.getByRole('link', { name: /ada/ }).waitFor();
  await expectGoodPage(page);
  await page.getByRole('radio', { name: 'Live' }).check();
  await page.getByText('There are no people in this environment yet.').waitFor();
  expect(new URL(page.url()).searchParams.get('env')).toBe('live');
  await expectGoodPage(page);
  expect(complaints).toEqual([]);
});

test('the keyboard jumps to a page, and signing out ends the session', async () => {
  const account = await system.account();
  const { page } = await signInToConsole(browser, system, account);
  await page.goto(`${system.host.baseUrl}/console/nowhere?env=sandbox`);
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('peop');
  await expectGoodPage(page);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'People', level: 1 }).waitFor();
  expect(await readHeading(page)).toBe('People');
  await page.locator('.account-menu summary').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
  await page.goto(`${system.host.baseUrl}/console/people`);
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
});

test('a page whose file is gone after a deployment is loaded anew, once', async () => {
  const account = await system.account();
  const user = await system.user(account.sandbox_key, { external_ref: 'bo' });
  const { page } = await signInToConsole(browser, system, account);
  await page.goto(`${system.host.baseUrl}/console/people?env=sandbox`);
  await page.getByRole('heading', { name: 'People', level: 1 }).waitFor();
  let isGone = true;
  let loads = 0;
  await page.route(/\/console\/assets\/person-page-/, (route) =>
    isGone ? route.fulfill({ status: 404, body: '{}' }) : route.continue(),
  );
  page.on('domcontentloaded', () => {
    loads += 1;
    isGone = false;
  });
  await page.locator(`a[href*="${user}"]`).click();
  await page.getByRole('heading', { name: 'bo', level: 1 }).waitFor();
  expect(page.url()).toContain(user);
  expect(loads).toBe(1);
});
