import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pathIn } from '../harness/connect-steps.ts';
import { type System, startSystem } from '../harness/system.ts';
import { expectGoodPage, openBrowser, readHeading } from './browser.ts';
import { cutConnection, openConsole, returnToWindow } from './console-browser.ts';

let system: System;
let browser: Browser;

beforeAll(async () => {
  [system, browser] = await Promise.all([startSystem(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await system.stop();
});

test('a developer creates a person of a persona, connects a simulated device and opens the person', async () => {
  const { page, open, account } = await openConsole(system, browser, { role: 'developer' });
  await open('/sandbox');
  await page.getByText('There is nobody in the sandbox yet.').waitFor();
  await expectGoodPage(page);
  await page.getByRole('combobox', { name: /^Persona/ }).selectOption('shift_worker');
  await page.getByRole('spinbutton', { name: /^Days of history/ }).fill('10');
  await page.getByLabel('Your reference').fill('member-4711');
  await page.getByRole('textbox', { name: /^Time zone/ }).fill('Europe/Berlin');
  await page.getByRole('button', { name: 'Create this person' }).click();
  await page.getByText('member-4711 is created.').waitFor();

  const token = account.sandbox_key;
  const { body } = await system.call('GET', '/v1/users?external_ref=member-4711', { token });
  expect(body.data).toMatchObject([
    { timezone: 'Europe/Berlin', profile: { sandbox_persona: 'shift_worker', sandbox_days: 10 } },
  ]);
  const [{ id }] = body.data;
  expect(new URL(page.url()).searchParams.get('person')).toBe(id);

  await page.getByRole('button', { name: 'Create a connect link' }).click();
  const link = page.getByRole('link', { name: 'Open the connect page' });
  await link.waitFor();
  await expectGoodPage(page);
  const connectPage = await page.context().newPage();
  await connectPage.goto(system.host.baseUrl + pathIn((await link.getAttribute('href')) ?? ''));
  expect(await readHeading(connectPage)).toBe('Your wearables');
  await connectPage.close();

  await page.getByRole('link', { name: 'Open member-4711' }).first().click();
  await page.waitForURL(new RegExp(`/console/people/${id}`));
});

test('a field that the API refuses says so beside the form', async () => {
  const { page, open } = await openConsole(system, browser);
  await open('/sandbox');
  await page.getByRole('textbox', { name: /^Time zone/ }).fill('Mars/Olympus');
  await page.getByRole('button', { name: 'Create this person' }).click();
  await page.getByRole('alert').getByText('invalid_body').waitFor();
  await expectGoodPage(page);
});

test('support creates nobody and no connect links, and reads why', async () => {
  const { page, open, account } = await openConsole(system, browser, { role: 'support' });
  await system.user(account.sandbox_key, { external_ref: 'member-1' });
  await open('/sandbox');
  await page.getByText('Your role cannot create people. Ask an owner or a developer.').waitFor();
  expect(await page.getByRole('button', { name: 'Create this person' }).count()).toBe(0);
  await page.getByText('Your role cannot create connect links. Ask an owner or a developer.').waitFor();
  expect(await page.getByRole('button', { name: 'Create a connect link' }).count()).toBe(0);
});

test('live has no fictional people, and offers the sandbox', async () => {
  const { page, open } = await openConsole(system, browser);
  await open('/sandbox', 'live');
  await expectGoodPage(page);
  await page.getByRole('button', { name: 'Switch to the sandbox' }).click();
  await page.getByRole('heading', { name: 'Create a person' }).waitFor();
  expect(new URL(page.url()).searchParams.get('env')).toBe('sandbox');
});

test('what was drawn stays when the connection ends, with the time of the last response', async () => {
  const { page, open, account } = await openConsole(system, browser);
  await system.user(account.sandbox_key, { external_ref: 'member-1' });
  await open('/sandbox');
  await page.getByRole('combobox', { name: /^Person(?!a)/ }).waitFor();
  await cutConnection(page);
  await returnToWindow(page);
  await page.getByText('No connection since').waitFor();
  expect(await page.getByRole('combobox', { name: /^Person(?!a)/ }).count()).toBe(1);
  await expectGoodPage(page);
});

test('a provider that fails a minute after the consent says so on the person’s page', async () => {
  const { page, open, account } = await openConsole(system, browser, { role: 'developer' });
  const id = await system.user(account.sandbox_key, { external_ref: 'member-9' });
  await system.host.drain();
  await open(`/sandbox?person=${id}`);
  await page.getByRole('heading', { name: 'Make a provider fail' }).waitFor();
  const token = account.sandbox_key;
  const { body } = await system.call('POST', `/v1/users/${id}/devices`, { token, body: { provider: 'polar' } });
  const consent = await page.context().newPage();
  await consent.goto(system.host.baseUrl + pathIn(body.auth_url));
  await consent.getByLabel('How the provider behaves').selectOption('unavailable');
  await expectGoodPage(consent);
  await consent.getByRole('button', { name: 'Allow' }).click();
  await consent.waitForURL(/\/connect\//);
  await consent.close();
  await system.host.drain();
  await open(`/people/${id}`);
  const row = page.getByRole('list', { name: 'Devices' }).getByRole('listitem').filter({ hasText: 'polar' });
  await row.getByText('synced').waitFor();

  system.clock.advance(2 * 60_000);
  await row.getByRole('button', { name: 'Sync now' }).click();
  await page.getByText('Polar is being synced.').waitFor();
  await system.host.drain();
  await row.getByText('The provider does not answer, or limits requests.').waitFor({ timeout: 15_000 });
  await expectGoodPage(page);
});
