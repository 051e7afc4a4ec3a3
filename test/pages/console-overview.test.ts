import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { hourlyCountRows, hourMs, startOfHour } from '../../shared/overview/hourly-count-rows.ts';
import { noReadings } from '../../shared/overview/readings.ts';
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

/** Stores the hours before the current one, newest first, as the sweep does. Null is a gap. */
async function storeHours(uploads: readonly (number | null)[]): Promise<void> {
  const { store, clock } = system.host.deps;
  const current = startOfHour(clock.now());
  const zero = { requests: 0, clientErrors: 0, serverErrors: 0, limited: 0, records: 0, deliveries: 0 };
  for (const [at, count] of uploads.entries()) {
    if (count === null) continue;
    const startMs = current - (at + 1) * hourMs;
    const counts = { ...zero, uploads: count, events: 2 * count, failedAttempts: 0 };
    const row = { startMs, takenMs: startMs + hourMs + 30_000, counts, periodMs: hourMs, perSecond: 100 };
    await hourlyCountRows(store).insert(account.account_id, 'live', { ...row, readings: { ...noReadings, people: 4 } });
  }
}

test('six charts show the range in the address; an hour of which nothing is known is a gap and never zero', async () => {
  await storeHours([7, 0, null, 1_234]);
  const page = await openOverview('live');
  const charts = page.getByRole('region', { name: 'By hour' });
  const figure = (name: string) => charts.getByRole('figure', { name, exact: true });
  for (const name of ['People', 'Uploads', 'Events', 'Deliveries', 'Errors', 'Rate limit'])
    await figure(name).locator('canvas').waitFor();
  const uploads = figure('Uploads');
  await uploads.getByText('1,241 in all').waitFor();
  await expectGoodPage(page);
  await uploads.getByRole('button', { name: 'Table' }).click();
  const cells = await uploads
    .getByRole('row')
    .evaluateAll((rows) => rows.slice(1, 7).map((row) => row.children[1]?.textContent));
  expect(cells).toEqual(['0', '7', '0', 'not known', '1,234', 'not known']);
  await expectGoodPage(page);
  await uploads.getByRole('button', { name: 'Table' }).click();
  const slider = uploads.getByRole('slider');
  await slider.press('End');
  await slider.press('ArrowLeft');
  expect(await slider.getAttribute('aria-valuetext')).toContain('Uploads 7');
  await charts.getByRole('link', { name: '30 days' }).click();
  await page.waitForURL(/range=30d/);
  await expect.poll(() => figure('Uploads').getByRole('slider').getAttribute('aria-valuemax')).toBe('719');
  await page.reload();
  await figure('Uploads').getByText('1,241 in all').waitFor();
  expect(await figure('Uploads').getByRole('slider').getAttribute('aria-valuemax')).toBe('719');
});

test('the charts follow what happens, without a reload', async () => {
  await storeHours([0]);
  const page = await openOverview('live');
  const people = page.getByRole('figure', { name: 'People', exact: true });
  await people.getByText('0', { exact: true }).waitFor();
  await system.user(account.live_key);
  await people.getByText('1', { exact: true }).waitFor();
});
