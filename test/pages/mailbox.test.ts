import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type System, startSystem } from '../harness/system.ts';
import { expectGoodPage, openBrowser, openPage, readHeading, tabTo } from './browser.ts';

let system: System;
let browser: Browser;

beforeAll(async () => {
  [system, browser] = await Promise.all([startSystem(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await system.stop();
});

test('on a local host, a user reads the invitation in the mailbox and joins with its link', async () => {
  const page = await openPage(browser);
  const mailbox = `${system.host.baseUrl}/mailbox`;
  await page.goto(mailbox);
  await expectGoodPage(page);

  const { live_key: token } = await system.account();
  const body = { email: 'ada@example.com', name: 'Ada Lovelace' };
  expect((await system.call('POST', '/v1/team/roster/invitations', { token, body })).status).toBe(201);
  await system.host.drain();
  await page.reload();
  await expectGoodPage(page);

  const subject = 'a test invites you to its team on Daybook';
  await tabTo(page, subject);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/mailbox\/.+/);
  expect(await readHeading(page)).toBe(subject);
  await expectGoodPage(page);
  expect(await page.frameLocator('iframe').getByRole('link').innerText()).toBe('Join the team');

  await page.getByRole('link', { name: '/join/' }).click();
  await page.waitForURL(/\/join\//);
  await page.getByRole('button').click();
  await system.host.drain();
  const { body: roster } = await system.call('GET', '/v1/team/roster', { token });
  expect(roster.data).toEqual([expect.objectContaining({ email: 'ada@example.com', status: 'active' })]);
});

test('the HTML of an email is accessible on its own, outside of the sandboxed frame', async () => {
  const { live_key: token } = await system.account();
  const body = { email: 'grace@example.com', name: 'Grace Hopper', language: 'fr' };
  expect((await system.call('POST', '/v1/team/roster/invitations', { token, body })).status).toBe(201);
  await system.host.drain();
  const page = await openPage(browser);
  await page.setContent(system.host.mailbox.messages()[0]?.html ?? '');
  expect(await page.getByRole('link').innerText()).toBe('Rejoindre l’équipe');
  await expectGoodPage(page);
});

test('no script runs in the HTML of an email', async () => {
  const html = '<p id="said">as sent</p><script>document.getElementById("said").textContent = "a script ran"</script>';
  await system.host.deps.mail.send({ to: 'ada@example.com', subject: 'Hello', text: 'Hello', html });
  const page = await openPage(browser);
  const address = `${system.host.baseUrl}/mailbox/${system.host.mailbox.messages()[0]?.id}`;
  await page.goto(address);
  expect(await page.frameLocator('iframe').locator('#said').innerText()).toBe('as sent');
  await page.goto(`${address}/document`);
  expect(await page.locator('#said').innerText()).toBe('as sent');
});
