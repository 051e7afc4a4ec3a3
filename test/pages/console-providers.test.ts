import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloudProviderIds } from '../../shared/catalog/provider.ts';
import { type System, startSystem } from '../harness/system.ts';
import { expectGoodPage, openBrowser, readHeading } from './browser.ts';
import { cutConnection, openConsole, refuse, waitUntilLoaded } from './console-browser.ts';

let system: System;
let browser: Browser;

beforeAll(async () => {
  [system, browser] = await Promise.all([startSystem(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await system.stop();
});

test('a provider without credentials says so in live, with links to the steps', async () => {
  const { page, open } = await openConsole(system, browser);
  await open('/providers', 'live');
  expect(await readHeading(page)).toBe('Providers');
  expect(await page.getByText('Credentials are missing', { exact: true }).count()).toBe(cloudProviderIds.length);
  expect(await page.getByText('Still needed: client_id, client_secret, subscription_key').count()).toBe(1);
  await page.getByRole('link', { name: 'Add the credentials of Oura' }).click();
  await page.waitForURL(/\/docs\/providers\/oura#credentials$/);
  expect(await page.locator('#credentials').count()).toBe(1);
});

test('every provider is simulated in the sandbox, and the switch keeps the page', async () => {
  const { page, open } = await openConsole(system, browser);
  await open('/providers', 'sandbox');
  expect(await page.getByText('Simulated', { exact: true }).count()).toBe(cloudProviderIds.length);
  await page.getByRole('link', { name: 'See which of them are ready in live' }).click();
  await page.getByText('Credentials are missing', { exact: true }).first().waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/providers');
});

test('who measures what follows the category in the address', async () => {
  const { page, open } = await openConsole(system, browser);
  await open('/providers?category=sleep');
  const table = page.getByRole('table', { name: 'Sleep: who measures what' });
  await table.waitFor();
  expect(await table.getByRole('columnheader').allInnerTexts()).not.toContain('Strava');
  await page.getByRole('link', { name: 'Activity', exact: true }).click();
  await page.getByRole('table', { name: 'Activity: who measures what' }).waitFor();
  await page.goBack();
  await table.waitFor();
});

test('the page is accessible and fits a phone, in each of its states', async () => {
  const { page, open } = await openConsole(system, browser, { role: 'support' });
  await open('/providers', 'live');
  await expectGoodPage(page);
  await refuse(page, /\/v1\/providers/);
  await open('/providers', 'live');
  await page.getByText('The service is busy. Try again.').waitFor();
  expect(await page.getByText('request-of-a-test').count()).toBe(1);
  await expectGoodPage(page);
  await page.unroute(/\/v1\/providers/);
  await page.getByRole('button', { name: 'Try again' }).click();
  await waitUntilLoaded(page);
  await page.getByRole('heading', { name: 'Oura' }).waitFor();
});

test('without a connection, the page says so instead of staying empty', async () => {
  const { page, open } = await openConsole(system, browser);
  await open('/people');
  await cutConnection(page);
  await page.getByRole('link', { name: 'Providers' }).click();
  await page.getByRole('alert').getByText('There is no connection to the server.').waitFor();
  await expectGoodPage(page);
});
