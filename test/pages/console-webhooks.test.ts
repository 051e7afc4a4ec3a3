import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { type Receiver, respond, startReceiver } from '../harness/receiver.ts';
import { type System, startSystem } from '../harness/system.ts';
import { expectGoodPage, openBrowser } from './browser.ts';
import { signInToConsole } from './console.ts';

let system: System;
let browser: Browser;
let account: NewAccount;
let receiver: Receiver;

beforeAll(async () => {
  [system, browser] = await Promise.all([startSystem(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await system.stop();
});
beforeEach(async () => {
  [account, receiver] = await Promise.all([system.account(), startReceiver()]);
});
afterEach(() => receiver.close());

const register = async (): Promise<string> => {
  const body = { url: receiver.url, events: ['*'], description: 'Production' };
  return (await system.call('POST', '/v1/webhooks', { token: account.live_key, body })).body.data.id;
};
const makeEvent = async (): Promise<string> => {
  const user = await system.user(account.live_key);
  await system.host.drain();
  return user;
};
const openWebhooks = async (path = '', role: 'owner' | 'support' = 'owner'): Promise<Page> => {
  const { page } = await signInToConsole(browser, system, account, { role });
  await page.goto(`${system.host.baseUrl}/console/webhooks${path}?env=live`);
  return page;
};

test('a broken receiver is seen, and gets the delivery again once it is repaired', async () => {
  receiver.respondWith(respond(503, {}, 'the database is down'));
  const page = await openWebhooks();
  await page.getByText('No endpoint is registered').waitFor();
  await expectGoodPage(page);

  await page.getByRole('button', { name: 'Register an endpoint' }).click();
  expect(page.url()).toContain('open=register');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('URL').fill('http://10.0.0.1/');
  await dialog.getByRole('button', { name: 'Register an endpoint' }).click();
  await dialog.getByRole('alert').getByText('invalid_body').waitFor();
  await expectGoodPage(page);
  await dialog.getByLabel('URL').fill(receiver.url);
  await dialog.getByRole('button', { name: 'Register an endpoint' }).click();
  await page.getByText('This is the only time that the secret is shown.').waitFor();
  expect(await page.locator('.secret-note pre').innerText()).toMatch(/^whsec_/);
  await expectGoodPage(page);
  await page.getByRole('button', { name: 'I have stored it' }).click();
  expect(await page.getByText('whsec_').count()).toBe(0);

  const user = await makeEvent();
  await page.getByText('status 503').waitFor();
  await page.getByText('failing since').waitFor();
  await page.getByRole('link', { name: /^user\.created/ }).click();
  const details = page.getByRole('complementary');
  await details.getByText('the database is down').waitFor();
  await details.getByText(user).waitFor();
  expect(page.url()).toContain('delivery=dlv_');
  await expectGoodPage(page);

  receiver.respondWith(respond(204));
  await details.getByRole('button', { name: 'Deliver again' }).click();
  await system.host.drain();
  await details.getByText('Your server responded with a 2xx status.').waitFor();
  await page.getByText('Events are sent as they happen.').waitFor();
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(ids).toEqual([ids[0], ids[0]]);

  await page.goto(`${page.url().replace('delivery=', 'status=exhausted&delivery=')}`);
  await page.getByText('None of the deliveries that were read has this status.').waitFor();
  await details.getByText('the database is down').waitFor();
});

test('an endpoint is tested, paused, recovered and edited, and deleted only after its host was typed', async () => {
  const id = await register();
  const page = await openWebhooks(`/${id}`);
  receiver.respondWith(respond(500, {}, 'no such route'));
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('The test was not delivered: status 500.').waitFor();
  await page.getByText('no such route').waitFor();
  await expectGoodPage(page);
  receiver.respondWith(respond(204));
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('Your server responded with status 204').waitFor();
  expect(receiver.received).toHaveLength(2);

  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Nothing is sent while the endpoint is paused.').waitFor();
  await makeEvent();
  expect(receiver.received).toHaveLength(2);
  await page.getByRole('button', { name: 'Recover…' }).click();
  await page.getByText('Resume the endpoint first').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('Events are sent as they happen.').waitFor();
  await page.getByRole('button', { name: 'Recover…' }).click();
  await page.getByRole('button', { name: 'Send them again' }).click();
  await page.getByText('1 delivery is being sent again.').waitFor();
  await expectGoodPage(page);
  await page.keyboard.press('Escape');
  await system.host.drain();
  expect(receiver.received).toHaveLength(3);

  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Only these types').check();
  await page.getByLabel('user.deleted').check();
  await expectGoodPage(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The endpoint is saved.').waitFor();
  await page.locator('.fact-list').getByText('user.deleted').waitFor();

  await page.getByRole('button', { name: 'Rotate the secret' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate the secret' }).click();
  await page.getByText('For 24 hours, requests carry a signature of the old secret as well.').waitFor();

  await page.getByRole('button', { name: 'Delete' }).click();
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete' });
  expect(await confirm.isDisabled()).toBe(true);
  await expectGoodPage(page);
  await page.getByRole('dialog').getByRole('textbox').fill(new URL(receiver.url).host);
  await confirm.click();
  await page.getByText('No endpoint is registered').waitFor();
  const { body } = await system.call('GET', '/v1/webhooks', { token: account.live_key });
  expect(body.data).toEqual([]);
});

test('support sees deliveries without what the receiver responded, and can change nothing', async () => {
  const id = await register();
  receiver.respondWith(respond(500, {}, 'weight of Ada: 60 kg'));
  await makeEvent();
  const page = await openWebhooks(`/${id}`, 'support');
  await page.getByRole('link', { name: /^user\.created/ }).click();
  await page.getByText('Your role cannot see what the server responded').waitFor();
  expect(await page.getByText('60 kg').count()).toBe(0);
  for (const name of ['Deliver again', 'Send a test', 'Pause', 'Delete', 'Edit'])
    expect(await page.getByRole('button', { name }).count()).toBe(0);
  await page.getByText('Your role can read webhooks.').waitFor();
  await expectGoodPage(page);
});

test('a page without a connection keeps what it has drawn and says since when', async () => {
  const id = await register();
  await makeEvent();
  const page = await openWebhooks(`/${id}`);
  await page.getByRole('link', { name: /^user\.created/ }).waitFor();
  await page.context().setOffline(true);
  await page.getByText('No connection since').first().waitFor();
  expect(await page.getByRole('link', { name: /^user\.created/ }).count()).toBe(1);
  await page.context().setOffline(false);
  await page.getByText('No connection since').first().waitFor({ state: 'detached' });
  await page.goto(`${system.host.baseUrl}/console/webhooks/whk_00000000000000000000000000?env=live`);
  await page.getByRole('alert').getByText('not_found').waitFor();
  await expectGoodPage(page);
});
