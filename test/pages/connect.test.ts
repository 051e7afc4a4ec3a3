import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type System, startSystem } from '../harness/system.ts';
import { expectGoodPage, openBrowser, openPage, overflowWidth, readHeading, smallPhone, tabTo } from './browser.ts';
import { createSandboxUser } from './sandbox-user.ts';

let system: System;
let browser: Browser;

beforeAll(async () => {
  [system, browser] = await Promise.all([startSystem(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await system.stop();
});

const provider = 'withings';

describe.each([
  ['on a desktop', {}],
  ['on a phone', smallPhone],
  ['without JavaScript', { javaScriptEnabled: false }],
] as const)('a user %s', (_where, options) => {
  test('allows, and sees that it worked', async () => {
    const user = await createSandboxUser(system);
    const page = await openPage(browser, options);
    await page.goto(await user.createConsentLink(provider));
    expect(await readHeading(page)).toContain('Share Withings data');
    expect(await overflowWidth(page)).toBe(0);
    await page.getByRole('button', { name: 'Allow' }).click();
    expect(await readHeading(page)).toBe('Withings is connected');
    expect(await overflowWidth(page)).toBe(0);
    expect(await user.listActiveProviders()).toContain(provider);
  });

  test('denies, and sees that nothing was shared', async () => {
    const user = await createSandboxUser(system);
    const page = await openPage(browser, options);
    await page.goto(await user.createConsentLink(provider));
    await page.getByRole('button', { name: 'Deny' }).click();
    expect(await readHeading(page)).toBe('Withings was not connected');
    expect(await page.getByText('nothing was shared').count()).toBe(1);
    expect(await user.listActiveProviders()).not.toContain(provider);
  });
});

test('a user returns to the app through all forms and redirects', async () => {
  const user = await createSandboxUser(system);
  const page = await openPage(browser);
  // Another origin than the pages, because browsers apply a form's policy to the redirects that
  // follow it.
  const app = `${system.host.baseUrl.replace('localhost', '127.0.0.1')}/healthz?tab=1#end`;
  await page.goto(await user.createConsentLink(provider, app));
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.waitForURL(/healthz/);
  const { hostname, searchParams, hash } = new URL(page.url());
  expect([hostname, searchParams.get('tab'), searchParams.get('status'), hash]).toEqual([
    '127.0.0.1',
    '1',
    'connected',
    '#end',
  ]);
});

test('a user can consent with the keyboard alone', async () => {
  const user = await createSandboxUser(system);
  const page = await openPage(browser);
  await page.goto(await user.createConsentLink(provider));
  await tabTo(page, 'Allow');
  await page.keyboard.press('Enter');
  await page.waitForURL(/callback/);
  expect(await readHeading(page)).toBe('Withings is connected');
});

describe('every connect page is accessible and fits a phone', () => {
  test('consent and result', async () => {
    const user = await createSandboxUser(system);
    const page = await openPage(browser);
    await page.goto(await user.createConsentLink(provider));
    await expectGoodPage(page);
    await page.getByRole('button', { name: 'Allow' }).click();
    expect(await readHeading(page)).toBe('Withings is connected');
    await expectGoodPage(page);
    await page.reload();
    expect(await readHeading(page)).toBe('This link has already been used');
    await expectGoodPage(page);
  });

  test('consent with an invalid field', async () => {
    const page = await openPage(browser);
    await page.goto(await (await createSandboxUser(system)).createConsentLink(provider));
    await page.getByLabel('Time zone').fill('Mars/Olympus');
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('alert').waitFor();
    await expectGoodPage(page);
  });

  test('denied', async () => {
    const page = await openPage(browser);
    await page.goto(await (await createSandboxUser(system)).createConsentLink(provider));
    await page.getByRole('button', { name: 'Deny' }).click();
    expect(await readHeading(page)).toBe('Withings was not connected');
    await expectGoodPage(page);
  });

  test('expired, with a link back to the app', async () => {
    const link = await (await createSandboxUser(system)).createConsentLink(provider, 'https://app.example.com/');
    system.clock.advance(15 * 60_000);
    const page = await openPage(browser);
    expect((await page.goto(link))?.status()).toBe(410);
    expect(await readHeading(page)).toBe('This link has expired');
    expect(await page.getByRole('link', { name: 'Back to your app' }).count()).toBe(1);
    await expectGoodPage(page);
  });

  test('unknown', async () => {
    const page = await openPage(browser);
    for (const path of ['/connect/nothing', '/connect/links/nothing', '/connect/callback/oura?state=x&code=y']) {
      expect((await page.goto(system.host.baseUrl + path))?.status()).toBe(404);
      expect(await readHeading(page)).toBe('This link does not work');
      await expectGoodPage(page);
    }
  });
});
