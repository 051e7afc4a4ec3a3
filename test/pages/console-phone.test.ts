import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addColleague } from '../harness/console-session.ts';
import { type System, startSystem } from '../harness/system.ts';
import { openBrowser } from './browser.ts';
import { openConsole } from './console-browser.ts';

let system: System;
let browser: Browser;

beforeAll(async () => {
  [system, browser] = await Promise.all([startSystem(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await system.stop();
});

const phone = { viewport: { width: 390, height: 844 } };

async function expectInView(element: Locator): Promise<void> {
  const box = await element.boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(phone.viewport.width);
}

const currentLink = (page: Page, navigation: string): Locator =>
  page.getByRole('navigation', { name: navigation }).locator('[aria-current]');

test('on a phone, the current page, the current tab and the account’s menu are in view', async () => {
  const { page, open, account } = await openConsole(system, browser, phone);
  const user = await system.user(account.sandbox_key);
  await open('/providers');
  expect(await currentLink(page, 'Pages').innerText()).toBe('Providers');
  await expectInView(currentLink(page, 'Pages'));
  await open(`/people/${user}?tab=consolidation`);
  expect(await currentLink(page, 'Views of this person').innerText()).toBe('Consolidation');
  await expectInView(currentLink(page, 'Views of this person'));
  await page.getByLabel(/^Signed in as /).click();
  await expectInView(page.locator('.account-menu > div'));
});

test('on a phone, a colleague takes at most three lines, and the table scrolls to what can be done', async () => {
  const { page, open, account } = await openConsole(system, browser, phone);
  for (const role of ['developer', 'support'] as const) await addColleague(system, account, role);
  await open('/settings?tab=colleagues');
  const rows = page.getByRole('table', { name: 'Colleagues' }).locator('tbody tr');
  await expect.poll(() => rows.count()).toBe(3);
  const heights = await rows.evaluateAll((all) => all.map((row) => row.clientHeight));
  expect(Math.max(...heights)).toBeLessThan(90);
  const last = rows.first().getByRole('button').last();
  await last.scrollIntoViewIfNeeded();
  await expectInView(last);
});
