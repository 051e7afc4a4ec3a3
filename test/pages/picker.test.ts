import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startProviderSystem } from '../harness/provider-system.ts';
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

describe.each([
  ['on a desktop', {}],
  ['on a phone', smallPhone],
  ['without JavaScript', { javaScriptEnabled: false }],
] as const)('a user %s', (_where, options) => {
  test('picks, connects, sees it, changes their mind, and disconnects', async () => {
    const user = await createSandboxUser(system);
    const page = await openPage(browser, options);
    await page.goto(await user.createPickerLink());
    expect(await readHeading(page)).toBe('Your wearables');
    expect(await overflowWidth(page)).toBe(0);

    await page.getByRole('button', { name: 'Connect Strava' }).click();
    expect(await readHeading(page)).toContain('Share Strava data');
    await page.getByRole('button', { name: 'Allow' }).click();
    expect(await readHeading(page)).toBe('Your wearables');
    expect(await page.getByRole('status').innerText()).toContain('Strava is connected');
    expect(await user.listActiveProviders()).toContain('strava');

    await page.getByRole('link', { name: 'Disconnect Strava' }).click();
    expect(await readHeading(page)).toBe('Disconnect Strava?');
    expect(await overflowWidth(page)).toBe(0);
    await page.getByRole('link', { name: 'Keep it' }).click();
    expect(await user.listActiveProviders()).toContain('strava');

    await page.getByRole('link', { name: 'Disconnect Strava' }).click();
    await page.getByRole('button', { name: 'Disconnect' }).click();
    expect(await page.getByRole('status').innerText()).toContain('Strava is disconnected');
    expect(await user.listActiveProviders()).not.toContain('strava');
    await page.reload();
    expect(await page.getByRole('button', { name: 'Connect Strava' }).count()).toBe(1);
  });
});

test.each([
  ['the browser’s time zone', {}, 'Asia/Tokyo'],
  ['no time zone without JavaScript', { javaScriptEnabled: false }, null],
])('a profile without a time zone takes %s', async (_which, options, zone) => {
  const user = await createSandboxUser(system, null);
  const page = await openPage(browser, { timezoneId: 'Asia/Tokyo', ...options });
  const broken: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && broken.push(message.text())));
  await page.goto(await user.createPickerLink({ providers: ['polar'] }));
  await page.getByRole('button', { name: 'Connect Polar' }).click();
  expect(await readHeading(page)).toContain('Share Polar data');
  expect([await user.readTimezone(), broken]).toEqual([zone, []]);
});

test('a user can connect and disconnect with the keyboard alone', async () => {
  const user = await createSandboxUser(system);
  const page = await openPage(browser);
  await page.goto(await user.createPickerLink({ providers: ['strava', 'withings'] }));
  await tabTo(page, 'Connect Strava');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/sandbox\//);
  await tabTo(page, 'Allow');
  await page.keyboard.press('Enter');
  await page.waitForURL(/notice=connected/);
  await tabTo(page, 'Disconnect Strava');
  await page.keyboard.press('Enter');
  await page.waitForURL(/disconnect=/);
  await tabTo(page, 'Disconnect');
  await page.keyboard.press('Enter');
  await page.waitForURL(/notice=disconnected/);
  expect(await user.listActiveProviders()).not.toContain('strava');
});

test('a button leads to a provider on another origin, and back', async () => {
  const world = await startProviderSystem({ only: ['strava'] });
  const { body } = await world.system.call('POST', `/v1/users/${await world.user()}/connect-links`, {
    token: world.key,
    body: {},
  });
  const page = await openPage(browser);
  await page.goto(body.url);
  await page.getByRole('button', { name: 'Connect Strava' }).click();
  // No one is signed in there, so the provider redirects back without a code.
  await page.waitForURL(/notice=access_denied/);
  expect(await page.getByRole('status').innerText()).toContain('Strava was not connected');
  await world.stop();
});

/** Makes the page's next refresh due, and returns when it is answered, but maybe not yet shown. */
async function refresh(page: Page, link: string): Promise<void> {
  const answered = page.waitForResponse((response) => response.url().startsWith(link));
  await page.clock.runFor(10_000);
  await answered;
}

test('the page shows what has arrived by itself, keeps the focus, and stops', async () => {
  const user = await createSandboxUser(system);
  const link = await user.createPickerLink();
  const page = await openPage(browser);
  await page.clock.install();
  // Another tab has started to connect a device.
  const other = await page.context().newPage();
  await other.goto(link);
  await other.getByRole('button', { name: 'Connect Strava' }).click();
  await page.goto(link);
  await page.getByRole('button', { name: 'Connect Polar' }).focus();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await refresh(page, link);
  expect(await page.getByRole('link', { name: 'Disconnect Strava' }).count()).toBe(0);
  await other.getByRole('button', { name: 'Allow' }).click();
  await other.getByRole('status').waitFor();
  await refresh(page, link);
  await page.getByRole('link', { name: 'Disconnect Strava' }).waitFor();
  expect(await page.evaluate('document.activeElement.id')).toBe('connect-polar');
  await system.host.drain();
  await refresh(page, link);
  await page.getByRole('link', { name: 'Refresh' }).waitFor({ state: 'detached' });
  const before = requests.length;
  await page.clock.runFor(60_000);
  expect(requests.length).toBe(before);
});

test('a refresh replaces nothing unless something is new, and keeps the time zone of the browser', async () => {
  const link = await (await createSandboxUser(system, null)).createPickerLink();
  const page = await openPage(browser, { timezoneId: 'Asia/Tokyo' });
  await page.clock.install();
  // A browser without scripts starts to connect a device, so the profile still has no time zone.
  const other = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await other.goto(link);
  await other.getByRole('button', { name: 'Connect Strava' }).click();
  // The page says how many minutes ago data has arrived.
  const unfreeze = system.clock.freeze();
  await page.goto(link);
  await page.evaluate("document.getElementById('wearables').isOriginal = true");
  // The second one is due only when the first one has been shown.
  await refresh(page, link);
  await refresh(page, link);
  const readPart = async () => [
    await page.evaluate("'isOriginal' in document.getElementById('wearables')"),
    await page.locator('input[name=time_zone]').first().inputValue(),
  ];
  expect(await readPart()).toEqual([true, 'Asia/Tokyo']);
  unfreeze();
  await other.goto(link);
  await other.getByRole('link', { name: 'Disconnect Oura' }).click();
  await other.getByRole('button', { name: 'Disconnect' }).click();
  await refresh(page, link);
  await page.getByRole('button', { name: 'Connect Oura' }).waitFor();
  expect(await readPart()).toEqual([false, 'Asia/Tokyo']);
});

test('a reload after a submission does nothing a second time', async () => {
  const user = await createSandboxUser(system);
  const page = await openPage(browser);
  await page.goto(await user.createPickerLink());
  await page.getByRole('button', { name: 'Connect Strava' }).click();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('status').waitFor();
  const before = await user.listActiveProviders();
  await page.reload();
  await page.reload();
  expect(await user.listActiveProviders()).toEqual(before);
});

describe('every picker page is accessible and fits a phone', () => {
  test('picker, confirmation and notice', async () => {
    const user = await createSandboxUser(system);
    const page = await openPage(browser);
    await page.goto(await user.createPickerLink({ redirect_url: 'https://app.example.com/' }));
    expect(await page.getByRole('link', { name: 'Back to a test' }).count()).toBe(1);
    await expectGoodPage(page);
    await page
      .getByRole('link', { name: /^Disconnect / })
      .first()
      .click();
    await expectGoodPage(page);
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('status').waitFor();
    await expectGoodPage(page);
  });

  test('expired', async () => {
    const link = await (await createSandboxUser(system)).createPickerLink();
    system.clock.advance(24 * 3_600_000);
    const page = await openPage(browser);
    expect((await page.goto(link))?.status()).toBe(410);
    expect(await readHeading(page)).toBe('This link has expired');
    await expectGoodPage(page);
  });
});
