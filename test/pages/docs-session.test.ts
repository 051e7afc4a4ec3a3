// The forms of the reference send requests with a pasted token, or with the session of a reader who
// is signed in to the console.
import type { Browser, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type System, startSystem } from '../harness/system.ts';
import { expectGoodPage, openBrowser, openPage } from './browser.ts';
import { openConsole } from './console-browser.ts';

let system: System;
let browser: Browser;

beforeAll(async () => {
  [system, browser] = await Promise.all([startSystem(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await system.stop();
});

/** The requests of the page to the API and to the console's routes, oldest first. */
function recordRequests(page: Page): Request[] {
  const requests: Request[] = [];
  page.on('request', (request) => {
    if (/\/(v1|console\/api)\//.test(request.url())) requests.push(request);
  });
  return requests;
}

async function openReference(page: Page, path = '/docs/reference/users'): Promise<void> {
  await page.goto(system.host.baseUrl + path);
  await page.locator('#listUsers .request').waitFor();
}

const openForm = async (page: Page, operation: string) => {
  const panel = page.locator(`#${operation} .try-panel`);
  await panel.locator('summary').first().click();
  await panel.locator('form').waitFor();
  return panel;
};

const pathsOf = (requests: Request[]): string[] => requests.map((request) => new URL(request.url()).pathname);

test('without a session, the page asks for one only when a form is opened, and sends the pasted token', async () => {
  const { sandbox_key } = await system.account();
  const page = await openPage(browser);
  const requests = recordRequests(page);
  await openReference(page);
  expect(pathsOf(requests)).toEqual([]);
  const panel = await openForm(page, 'listUsers');
  await panel.getByLabel('Bearer token').fill(sandbox_key);
  await panel.getByRole('button', { name: 'Send' }).click();
  await panel.locator('.response-status').getByText('200').waitFor();
  expect(pathsOf(requests)).toEqual(['/console/api/me', '/v1/users']);
  const headers = await requests[1]?.allHeaders();
  expect(headers?.['authorization']).toBe(`Bearer ${sandbox_key}`);
  expect(headers?.['daybook-environment']).toBeUndefined();
  await openForm(page, 'createUser');
  expect(pathsOf(requests)).toHaveLength(2);
  await expectGoodPage(page);
});

test('with a session, forms send it to the chosen environment, and the page holds no key', async () => {
  const { page, complaints, account } = await openConsole(system, browser, { role: 'owner' });
  const inLive = await system.user(account.live_key, { external_ref: 'someone-live' });
  await openReference(page);
  const requests = recordRequests(page);
  await page.evaluate(`sessionStorage.setItem('daybook.token', '${account.live_key}')`);
  await openReference(page);
  expect(pathsOf(requests)).toEqual([]);

  const panel = await openForm(page, 'listUsers');
  await panel.getByRole('group', { name: /^Signed in as owner-.*@example\.com, owner$/ }).waitFor();
  expect(await panel.getByLabel('Bearer token').count()).toBe(0);
  expect(await page.evaluate("sessionStorage.getItem('daybook.token')")).toBe('');
  expect(await panel.getByRole('radio', { name: 'sandbox' }).isChecked()).toBe(true);
  await panel.getByRole('button', { name: 'Send' }).click();
  await panel.locator('.response-status').getByText('200').waitFor();
  expect(await panel.locator('.try-response').innerText()).not.toContain(inLive);

  const other = await openForm(page, 'getUser');
  await other.getByRole('radio', { name: 'live' }).check();
  expect(await panel.getByRole('radio', { name: 'live' }).isChecked()).toBe(true);
  await other.getByText('This is the live environment').waitFor();
  await panel.getByRole('button', { name: 'Send' }).click();
  await panel.locator('.try-response').getByText(inLive).waitFor();

  expect(pathsOf(requests)).toEqual(['/console/api/me', '/v1/users', '/v1/users']);
  const sent = await Promise.all(requests.map((request) => request.allHeaders()));
  expect(sent.map((headers) => headers['daybook-environment'])).toEqual(['sandbox', 'sandbox', 'live']);
  expect(sent.map((headers) => headers['authorization'])).toEqual([undefined, undefined, undefined]);
  await expectGoodPage(page);
  expect(complaints).toEqual([]);
});

test('what a role does not permit is refused in the words of the API', async () => {
  const { page, account } = await openConsole(system, browser, { role: 'support' });
  const userId = await system.user(account.sandbox_key);
  await openReference(page, '/docs/reference/users');
  const panel = await openForm(page, 'updateUser');
  await panel.getByRole('group', { name: /, support$/ }).waitFor();
  await panel.locator('#updateUser-path-id').fill(userId);
  await panel.getByRole('button', { name: 'Send' }).click();
  await panel.locator('.response-status').getByText('403').waitFor();
  expect(await panel.locator('.error').innerText()).toContain(
    'The role support does not permit this: it sees the state of devices and syncs, no health values, profiles or tokens, and changes nothing but requesting a sync.',
  );
});

test('after the session has ended, the form says so and takes a token', async () => {
  const { page, account } = await openConsole(system, browser, { role: 'developer' });
  await openReference(page);
  const panel = await openForm(page, 'listUsers');
  await panel.getByRole('group', { name: /, developer$/ }).waitFor();
  await page.context().clearCookies();
  await panel.getByRole('button', { name: 'Send' }).click();
  await panel.locator('.response-status').getByText('401').waitFor();
  expect(await panel.locator('.error').getByRole('link').getAttribute('href')).toBe(
    `${system.host.baseUrl}/console/sign-in`,
  );
  await panel.getByLabel('Bearer token').fill(account.sandbox_key);
  await panel.getByRole('button', { name: 'Send' }).click();
  await panel.locator('.response-status').getByText('200').waitFor();
});

test('the reference of Form 1 takes a token, because a session uses Form 2', async () => {
  const { page } = await openConsole(system, browser, { role: 'owner' });
  await openReference(page, '/docs/form1/users');
  const requests = recordRequests(page);
  const panel = await openForm(page, 'listUsers');
  await panel.getByLabel('Bearer token').waitFor();
  expect(pathsOf(requests)).toEqual([]);
});
