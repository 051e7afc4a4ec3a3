import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { providerIds } from '../../shared/model/provider.ts';
import { type System, startSystem } from '../harness/system.ts';
import { beyondTheEdge, expectGoodPage, heading, openBrowser, openedPage, smallPhone } from './browser.ts';

let system: System;
let browser: Browser;

beforeAll(async () => {
  [system, browser] = await Promise.all([startSystem(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await system.stop();
});

test.each(['/docs/providers', '/docs/providers/garmin', '/docs/providers/apple_health'])('%s is good', async (path) => {
  const page = await openedPage(browser);
  expect((await page.goto(system.host.baseUrl + path))?.status()).toBe(200);
  await expectGoodPage(page);
});

test('every provider’s page is found from the first, and fits a phone', async () => {
  const page = await openedPage(browser, smallPhone);
  await page.goto(`${system.host.baseUrl}/docs`);
  await page.getByRole('link', { name: 'Providers', exact: true }).click();
  expect(await heading(page)).toBe('Providers');
  for (const id of providerIds) {
    await page.goto(`${system.host.baseUrl}/docs/providers`);
    await page.locator(`a[href="providers/${id}"]`).click();
    expect([page.url().endsWith(`/docs/providers/${id}`), await beyondTheEdge(page)]).toEqual([true, 0]);
  }
});
