import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type System, startSystem } from '../harness/system.ts';
import { expectGoodPage, openBrowser } from './browser.ts';
import { signInToConsole } from './console.ts';

let system: System;
let browser: Browser;
let account: Awaited<ReturnType<System['account']>>;
let user: string;

beforeAll(async () => {
  [system, browser] = await Promise.all([startSystem(), openBrowser()]);
  account = await system.account();
  user = await system.user(account.sandbox_key, { external_ref: 'ada', timezone: 'Europe/Berlin' });
  await system.host.drain();
});
afterAll(async () => {
  await browser.close();
  await system.stop();
});

const addressOf = (query = ''): string => `${system.host.baseUrl}/console/people/${user}?env=sandbox${query}`;

test('a person’s days are drawn, the arrow keys read them, and Enter explains one', async () => {
  const { page, complaints } = await signInToConsole(browser, system, account);
  await page.goto(addressOf());
  await page.getByRole('heading', { name: 'ada', level: 1 }).waitFor();
  const steps = page.getByRole('slider', { name: /^Steps by day/ });
  await steps.waitFor();
  expect(await steps.locator('canvas').count()).toBe(1);
  await expectGoodPage(page);

  await steps.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  expect(await steps.getAttribute('aria-valuetext')).toMatch(/: [\d,.]+$/);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Why this number' }).waitFor();
  expect(new URL(page.url()).searchParams.get('why')).toMatch(/^steps:\d{4}-\d{2}-\d{2}$/);
  await page.getByRole('columnheader', { name: 'Counted' }).waitFor();
  await expectGoodPage(page);
  // The address is the state: a colleague who opens it sees the same panel.
  await page.reload();
  await page.getByRole('heading', { name: 'Why this number' }).waitFor();
  expect(complaints).toEqual([]);
});

test('t shows a chart’s table', async () => {
  const { page } = await signInToConsole(browser, system, account);
  await page.goto(addressOf());
  const steps = page.getByRole('slider', { name: /^Steps by day/ });
  await steps.focus();
  await page.keyboard.press('t');
  await page.getByRole('table', { name: 'Steps by day' }).waitFor();
  await expectGoodPage(page);
});

test.each(['nights', 'workouts', 'scores', 'uploads', 'events', 'consolidation'])(
  'the tab %s is accessible and violates no policy',
  async (tab) => {
    const { page, complaints } = await signInToConsole(browser, system, account);
    await page.goto(addressOf(`&tab=${tab}`));
    await page.locator('.tab-body :is(table, .sessions, .charts, form, .empty)').first().waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await expectGoodPage(page);
    expect(complaints).toEqual([]);
  },
);

test('a support colleague sees the devices, and that values are left out', async () => {
  const { page } = await signInToConsole(browser, system, account, { role: 'support' });
  await page.goto(addressOf());
  await page.getByRole('list', { name: 'Devices' }).waitFor();
  await page.getByText('Your role leaves this out.').first().waitFor();
  expect(await page.locator('canvas').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Erase…' }).count()).toBe(0);
  await expectGoodPage(page);
});

test('a person is erased only after their name has been typed, and the receipt is shown', async () => {
  const gone = await system.user(account.sandbox_key, { external_ref: 'to-be-erased' });
  const { page } = await signInToConsole(browser, system, account);
  await page.goto(`${system.host.baseUrl}/console/people/${gone}?env=sandbox`);
  await page.getByRole('button', { name: 'Erase…' }).click();
  const confirm = page.getByRole('button', { name: 'Erase for good' });
  expect(await confirm.isDisabled()).toBe(true);
  await expectGoodPage(page);
  await page.getByLabel('Type to-be-erased to confirm').fill('to-be-erased');
  await confirm.click();
  await page.getByRole('heading', { name: 'The person is being erased' }).waitFor();
  expect(await page.getByRole('dialog').innerText()).toContain(gone);
});

test('a person’s events are the recent ones, and the page says since when', async () => {
  const { page } = await signInToConsole(browser, system, account);
  const starts: (string | null)[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === '/v1/events' && !searchParams.has('cursor')) starts.push(searchParams.get('since'));
  });
  await page.goto(addressOf('&tab=events'));
  await page.getByText(/^\d+ events? since /).waitFor();
  await page.getByRole('cell', { name: 'user.created' }).waitFor();
  await page.getByRole('link', { name: 'last hour' }).click();
  await expect.poll(() => starts.length).toBe(2);
  const hours = starts.map((since) => Math.round((Date.now() - Date.parse(since ?? '')) / 3_600_000));
  expect(hours).toEqual([24, 1]);
  await expectGoodPage(page);
});
