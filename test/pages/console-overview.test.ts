import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { respond, startReceiver } from '../harness/receiver.ts';
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

const openOverview = async (env: 'live' | 'sandbox'): Promise<Page> => {
  const { page } = await signInToConsole(browser, system, account);
  await page.goto(`${system.host.baseUrl}/console?env=${env}`);
  return page;
};

test('a new account sees its first three requests, until there is a second person', async () => {
  const page = await openOverview('sandbox');
  await page.getByText('Nothing needs attention').waitFor();
  const steps = page.getByRole('region', { name: 'Your first request in three steps' });
  expect(await steps.locator('pre').allInnerTexts()).toEqual([
    expect.stringContaining('curl -s -X POST -H "Authorization: Bearer $DAYBOOK_KEY"'),
    expect.stringContaining('/v1/users'),
    expect.stringContaining('/v1/events'),
  ]);
  await expectGoodPage(page);
  // The first start of a laptop has made one.
  await system.user(account.sandbox_key);
  await expect.poll(() => page.locator('.figures dd').first().innerText(), { timeout: 10_000 }).toBe('1');
  expect(await steps.count()).toBe(1);
  await system.user(account.sandbox_key);
  await steps.waitFor({ state: 'detached' });
});

test('an endpoint that fails is the first thing on the page, with the way to it', async () => {
  const receiver = await startReceiver();
  receiver.respondWith(respond(500));
  const token = account.live_key;
  const { body } = await system.call('POST', '/v1/webhooks', { token, body: { url: receiver.url, events: ['*'] } });
  await system.user(token);
  await system.host.drain();
  await receiver.close();
  const page = await openOverview('live');
  const attention = page.getByRole('region', { name: 'Needs attention' });
  await attention.getByText('An endpoint has not received events since').waitFor();
  await attention.getByText('providers cannot be connected yet').waitFor();
  await expectGoodPage(page);
  await attention.getByRole('link', { name: 'Open the endpoint' }).click();
  await page.getByText('failing since').waitFor();
  expect(page.url()).toContain(body.data.id);
});
