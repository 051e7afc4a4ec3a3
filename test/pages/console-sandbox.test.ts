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
  await page.getByLabel('Persona').selectOption('shift_worker');
  await page.getByLabel('Days of history').fill('10');
  await page.getByLabel('Your reference').fill('member-4711');
  await page.getByRole('textbox', { name: /^Time zone/ }).fill('Europe/Berlin');
  await page.getByRole('button', { name: 'Create this person' }).click();
  await page.getByText('member-4711 is made.').waitFor();

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

test('support creates nobody, and still connects devices of people who exist', async () => {
  const { page, open, account } = await openConsole(system, browser, { role: 'support' });
  await system.user(account.sandbox_key, { external_ref: 'member-1' });
  await open('/sandbox');
  await page.getByText('Your role cannot create people. Ask an owner or a developer.').waitFor();
  expect(await page.getByRole('button', { name: 'Create this person' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Create a connect link' }).click();
  await page.getByRole('link', { name: 'Open the connect page' }).waitFor();
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
