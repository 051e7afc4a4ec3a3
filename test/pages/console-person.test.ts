import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPhone } from '../harness/phone.ts';
import { makeUpload } from '../harness/sdk.ts';
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

test('a traveller’s nights are marked where their time zone changed, and a table lists the changes', async () => {
  const profile = { sandbox_persona: 'traveller', sandbox_days: 12 };
  const traveller = await system.user(account.sandbox_key, { timezone: 'Africa/Johannesburg', profile });
  await system.host.drain();
  const { page } = await signInToConsole(browser, system, account);
  await page.goto(`${system.host.baseUrl}/console/people/${traveller}?env=sandbox&tab=nights`);
  const marks = page.getByRole('list', { name: 'Nights' }).getByText(/^Another time zone: /);
  await marks.first().waitFor();
  const changes = await marks.allInnerTexts();
  // They are away on three days out of six.
  expect(changes.length).toBeGreaterThanOrEqual(2);
  const offsets = changes.map((text) => / (UTC\S*) → (UTC\S*)$/.exec(text)?.slice(1));
  expect(offsets.filter((pair) => pair?.includes('UTC+2'))).toHaveLength(changes.length);
  await page.getByText('All times are those of').waitFor();
  const table = page.getByRole('table', { name: 'Changes of the UTC offset between two nights' });
  expect(await table.getByRole('cell', { name: /^Another time zone: / }).allInnerTexts()).toEqual(changes);
  await expectGoodPage(page);
});

test('a support colleague sees the devices, and only tabs without values', async () => {
  const { page } = await signInToConsole(browser, system, account, { role: 'support' });
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(response.url());
  });
  for (const query of ['', '&tab=days']) {
    await page.goto(addressOf(query));
    await page.getByRole('list', { name: 'Devices' }).waitFor();
    const tabs = page.getByRole('navigation', { name: 'Views of this person' });
    expect(await tabs.getByRole('link').allInnerTexts()).toEqual(['Uploads', 'Events', 'Consolidation']);
    expect(await tabs.locator('[aria-current]').innerText()).toBe('Uploads');
    await page.getByRole('table', { name: 'Uploads' }).waitFor();
  }
  expect(refused).toEqual([]);
  expect(await page.locator('canvas').count()).toBe(0);
  for (const name of [/^Erase/, /^Connect/, /^Disconnect/, /^Replay/])
    expect(await page.getByRole('button', { name }).count()).toBe(0);
  await page.getByText('Your role can sync devices.').waitFor();
  for (const dialog of ['connect', 'erase']) {
    await page.goto(addressOf(`&open=${dialog}`));
    await page.getByRole('list', { name: 'Devices' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  }
  await expectGoodPage(page);
});

test('the uploads that were rejected are listed alone, with the sentence of the API', async () => {
  const { page } = await signInToConsole(browser, system, account);
  await page.goto(addressOf('&tab=uploads'));
  await page.getByRole('table', { name: 'Uploads' }).waitFor();
  await page.getByRole('link', { name: 'With rejected records' }).click();
  await page.getByText('No records were rejected in the last 30 days.').waitFor();
  const phone = await openPhone(system, account.sandbox_key, user);
  const start = new Date(system.clock.now() - 3_600_000).toISOString();
  const { body } = await phone.upload(
    makeUpload({ samples: [{ metric: 'heart_rate', start, value: 900, unit: 'bpm' }] }),
  );
  await page.reload();
  await page.getByText(`1 × ${body.rejected[0].message}`).waitFor();
  await expectGoodPage(page);
});

test('only a refusal of the role is explained by the role', async () => {
  const { page } = await signInToConsole(browser, system, account);
  const refuseDays = async (error: string): Promise<void> => {
    await page.unroute(/\/daily\?/);
    await page.route(/\/daily\?/, (route) =>
      route.fulfill({ status: 403, json: { error, message: 'A sentence of the API.', details: {} } }),
    );
    await page.goto(addressOf());
    await page.getByText('A sentence of the API.').waitFor();
  };
  await refuseDays('sharing_revoked');
  expect(await page.getByText('Your role does not permit this.').count()).toBe(0);
  await page.getByRole('alert').getByText('sharing_revoked').waitFor();
  await refuseDays('insufficient_scope');
  await page.getByText('Your role does not permit this. A sentence of the API.').waitFor();
});

test('a person is erased only after their name has been typed, and the receipt stays readable', async () => {
  const gone = await system.user(account.sandbox_key, { external_ref: 'to-be-erased' });
  const { page, complaints } = await signInToConsole(browser, system, account);
  await page.goto(`${system.host.baseUrl}/console/people/${gone}?env=sandbox`);
  await page.getByRole('button', { name: 'Erase…' }).click();
  const confirm = page.getByRole('button', { name: 'Erase for good' });
  expect(await confirm.isDisabled()).toBe(true);
  await expectGoodPage(page);
  await page.getByLabel('Type to-be-erased to confirm').fill('to-be-erased');
  await confirm.click();
  await page.getByRole('heading', { name: /^The person is (being )?erased$/ }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  await system.host.drain();
  await page.getByRole('heading', { name: 'The person is erased' }).waitFor();
  const receipt = page.getByRole('article');
  await receipt.getByText('Event user.deleted').waitFor();
  expect(await receipt.getByText('Requested', { exact: true }).count()).toBe(1);
  await expectGoodPage(page);
  // The address of the person is the address of the receipt, also for support.
  await page.reload();
  await page.getByRole('heading', { name: 'The person is erased' }).waitFor();
  expect(complaints).toEqual([]);
  const { page: supportPage } = await signInToConsole(browser, system, account, { role: 'support' });
  await supportPage.goto(`${system.host.baseUrl}/console/people/${gone}?env=sandbox`);
  await supportPage.getByRole('heading', { name: 'The person is erased' }).waitFor();
  expect(await supportPage.getByText('Requested', { exact: true }).count()).toBe(0);
});

test('an id that nobody has is not found', async () => {
  const { page } = await signInToConsole(browser, system, account);
  await page.goto(`${system.host.baseUrl}/console/people/usr_01k9p3w0b1c3e5g7j9m1p3r5t7?env=sandbox`);
  await page.getByRole('alert').getByText('not_found').waitFor();
});

test('a provider is asked for new data, and a phone’s row says what the person can do', async () => {
  const { page } = await signInToConsole(browser, system, account);
  await page.goto(addressOf());
  const devices = page.getByRole('list', { name: 'Devices' }).getByRole('listitem');
  const ring = devices.filter({ hasText: 'Oura' });
  await ring.getByRole('button', { name: 'Sync now' }).click();
  await page.getByText(/Oura is being synced|It was synced a moment ago/).waitFor();
  const phone = devices.filter({ hasText: 'Apple Health' });
  expect(await phone.getByRole('button', { name: 'Sync now' }).count()).toBe(0);
  await phone.getByText('the person opens the app').waitFor();
  await page.getByRole('heading', { name: 'Flights climbed' }).waitFor();
});

test('the dialog that erases a person is open again after signing in again', async () => {
  const { page } = await signInToConsole(browser, system, account);
  system.clock.advance(11 * 60_000);
  await page.goto(addressOf());
  await page.getByRole('button', { name: 'Erase…' }).click();
  await page.getByLabel('Type ada to confirm').fill('ada');
  await page.getByRole('button', { name: 'Erase for good' }).click();
  await page.getByRole('link', { name: 'Sign in again' }).click();
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
  const next = new URL(page.url()).searchParams.get('next') ?? '';
  await page.goto(new URL(next, system.host.baseUrl).href);
  await page.getByRole('dialog', { name: 'Erase ada?' }).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  expect(new URL(page.url()).searchParams.get('open')).toBeNull();
});

test('a replay processes stored data again, and the dialog says how a history is fetched again', async () => {
  const { page } = await signInToConsole(browser, system, account);
  await page.goto(addressOf());
  await page.getByRole('button', { name: 'Replay… Oura' }).click();
  const dialog = page.getByRole('dialog', { name: 'Process the data of Oura again' });
  await dialog.getByRole('button', { name: 'Process again' }).waitFor();
  await expectGoodPage(page);
  await dialog.getByRole('button', { name: 'Process again' }).click();
  await page.getByText(/^Daybook processes (one upload|\d+ uploads) again\./).waitFor();
  await page.getByRole('button', { name: 'Replay… Oura' }).click();
  await dialog.getByRole('button', { name: 'Connect link…' }).click();
  await page.getByRole('dialog', { name: 'A link to connect a wearable' }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(1);
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
