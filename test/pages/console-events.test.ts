import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { type System, startSystem } from '../harness/system.ts';
import { expectGoodPage, openBrowser } from './browser.ts';
import { signInToConsole } from './console.ts';

let system: System;
let browser: Browser;
let account: NewAccount;

beforeAll(async () => {
  [system, browser] = await Promise.all([startSystem(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await system.stop();
});
beforeEach(async () => {
  account = await system.account();
});

const createUser = async (): Promise<string> => {
  const user = await system.user(account.live_key);
  await system.host.drain();
  return user;
};

const openEvents = async (query = ''): Promise<Page> => {
  const permissions = ['clipboard-read', 'clipboard-write'];
  const { page } = await signInToConsole(browser, system, account, { permissions });
  await page.goto(`${system.host.baseUrl}/console/events?env=live${query}`);
  return page;
};

test('events appear without a reload, newest first, and one opens with its JSON', async () => {
  const page = await openEvents();
  await page.getByText('No event in this time matches the filters').waitFor();
  await expectGoodPage(page);

  const first = await createUser();
  const list = page.getByRole('list', { name: 'Events, newest first' });
  await list.getByText(first).waitFor();
  const second = await createUser();
  await list.getByText(second).waitFor();
  expect(await list.getByRole('link', { name: /^usr_/ }).allInnerTexts()).toEqual([second, first]);
  await list
    .getByRole('link', { name: /^user\.created/ })
    .first()
    .click();
  const details = page.getByRole('complementary');
  await details.getByText(`"user_id": "${second}"`).waitFor();
  expect(page.url()).toContain('event=evt_');
  expect(await details.getByRole('link', { name: 'Open the person' }).getAttribute('href')).toBe(
    `/console/people/${second}?env=live`,
  );
  await expectGoodPage(page);
  await details.getByRole('button', { name: 'Close' }).click();
  expect(page.url()).not.toContain('event=');
});

test('what is being typed into a filter survives the refreshes of the list', async () => {
  const page = await openEvents('');
  const box = page.getByRole('searchbox', { name: /^Person/ });
  await box.fill('usr_half');
  for (let poll = 0; poll < 2; poll++) await page.waitForResponse((response) => response.url().includes('/v1/events?'));
  // The third request shows that the second response has been drawn.
  await page.waitForRequest((request) => request.url().includes('/v1/events?'));
  expect(await box.inputValue()).toBe('usr_half');
  expect(page.url()).not.toContain('person=');
  await box.press('Enter');
  await page.waitForURL(/person=usr_half/);
  expect(await box.inputValue()).toBe('usr_half');
});

test('filters are in the address, and the cursor is copied for the same filters', async () => {
  const [first, second] = [await createUser(), await createUser()];
  const page = await openEvents(`&person=${first}`);
  const list = page.getByRole('list', { name: 'Events, newest first' });
  await list.getByText(first).waitFor();
  expect(await list.getByText(second).count()).toBe(0);

  await page.getByText('Event types: all types').click();
  await page.getByLabel('user.deleted').check();
  await page.getByText('No event in this time matches the filters').waitFor();
  expect(page.url()).toContain('types=user.deleted');
  await page.getByRole('searchbox', { name: /^Person/ }).fill(second);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Show all types' }).click();
  await list.getByText(second).waitFor();

  await page.getByRole('button', { name: 'Copy the cursor' }).click();
  const cursor: string = await page.evaluate('navigator.clipboard.readText()');
  const third = await createUser();
  const token = account.live_key;
  const poll = await system.call('GET', `/v1/events?user_id=${second}&cursor=${cursor}`, { token });
  expect([poll.status, poll.body.events]).toEqual([200, []]);
  expect(await list.getByText(third).count()).toBe(0);

  await page.getByRole('searchbox', { name: /^Person/ }).fill('nobody');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('invalid_request').waitFor();
  await expectGoodPage(page);
});
