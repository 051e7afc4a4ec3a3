import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type System, startSystem } from '../harness/system.ts';
import { expectGoodPage, openBrowser } from './browser.ts';
import { openConsole, refuse, waitUntilLoaded } from './console-browser.ts';

let system: System;
let browser: Browser;

beforeAll(async () => {
  [system, browser] = await Promise.all([startSystem(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await system.stop();
});

test('the trail lists who looked at whom, and its filters are in the address', async () => {
  const { page, open, account } = await openConsole(system, browser);
  const user = await system.user(account.sandbox_key, { external_ref: 'ada' });
  await open(`/people/${user}`);
  await open('/settings?tab=audit');
  await page.getByRole('cell', { name: 'looked at a person' }).first().waitFor();
  await expectGoodPage(page);
  expect(await page.getByRole('link', { name: user }).first().getAttribute('href')).toContain(
    `/console/people/${user}`,
  );
  await page.getByLabel('What was done').selectOption('webhook.deleted');
  await page.getByText('Nothing matches.').waitFor();
  expect(new URL(page.url()).searchParams.get('action')).toBe('webhook.deleted');
  await expectGoodPage(page);
});

test('support sees neither the trail nor a way to change the roster', async () => {
  const { page, open } = await openConsole(system, browser, { role: 'support' });
  await open('/settings?tab=roster', 'live');
  const tabs = page.getByRole('navigation', { name: 'Settings' }).getByRole('link');
  expect(await tabs.allInnerTexts()).toEqual(['Signing in', 'People who join', 'Limits']);
  await page.getByText('Nobody has joined.').waitFor();
  expect(await page.getByRole('button', { name: 'Invite a person' }).count()).toBe(0);
});

test('people are invited to join in live, and an invitation is revoked', async () => {
  const { page, open } = await openConsole(system, browser);
  await open('/settings?tab=roster&list=invitations', 'live');
  await page.getByText('There is no invitation here.').waitFor();
  await expectGoodPage(page);
  await page.getByRole('button', { name: 'Invite a person' }).click();
  await page.getByRole('dialog').getByLabel('E-mail address').fill('ada@example.com');
  await page.getByRole('dialog').getByRole('button', { name: 'Invite a person' }).click();
  await page.getByRole('dialog', { name: 'ada@example.com is invited' }).waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Revoke the invitation of ada@example.com' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('cell', { name: 'revoked', exact: true }).waitFor();
  await expectGoodPage(page);
});

test('ending the own session signs out, and limits state what the API states', async () => {
  const { page, open } = await openConsole(system, browser, { role: 'support' });
  await open('/settings?tab=limits');
  await page.getByText('100 requests a second, and 200 at once after a pause').waitFor();
  await expectGoodPage(page);
  await open('/settings?tab=signingIn');
  await page.getByRole('table', { name: 'Sessions' }).getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
});

test.each(['signingIn', 'roster', 'audit', 'limits'])('a failure on the tab %s says what failed', async (tab) => {
  const { page, open } = await openConsole(system, browser);
  await refuse(page, /\/(v1|console\/api\/sessions)(\/|\?|$)/);
  await open(`/settings?tab=${tab}`);
  await page.getByText('The service is busy. Try again.').first().waitFor();
  await expectGoodPage(page);
  await page.unroute(/\/(v1|console\/api\/sessions)(\/|\?|$)/);
  await page.getByRole('button', { name: 'Try again' }).first().click();
  await waitUntilLoaded(page);
});
