import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type System, startSystem } from '../harness/system.ts';
import { expectGoodPage, openBrowser } from './browser.ts';
import { openConsole, refuse, waitUntilLoaded } from './console-browser.ts';

let system: System;
let browser: Browser;

beforeAll(async () => {
  [system, browser] = await Promise.all([startSystem(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await system.stop();
});

/** A list that polls may have recovered by itself. */
const retry = (page: Page): Promise<void> =>
  page.locator('button', { hasText: 'Try again' }).evaluateAll((buttons: { click(): void }[]) => {
    for (const button of buttons) button.click();
  });

const readSecret = (page: Page): Promise<string> => page.locator('.secret code').innerText();
const tryKey = async (token: string): Promise<number> => (await system.call('GET', '/v1/users', { token })).status;

test('an owner replaces a key, uses the new one and sees the old one fail', async () => {
  const { page, open, account, complaints } = await openConsole(system, browser);
  expect(await tryKey(account.sandbox_key)).toBe(200);
  await open('/settings?tab=keys');
  await expectGoodPage(page);
  await page.getByRole('button', { name: 'Replace key' }).nth(1).click();
  const dialog = page.getByRole('dialog', { name: 'Replace the sandbox key' });
  await dialog.getByText('The key was last used').waitFor();
  expect(await dialog.getByLabel('One day, to put the new key in place').isChecked()).toBe(true);
  await expectGoodPage(page);
  await dialog.getByLabel('Not at all: the old key has leaked').check();
  await dialog.getByRole('button', { name: 'Replace key' }).click();
  await page.getByRole('dialog', { name: 'Your new sandbox key' }).waitFor();
  await expectGoodPage(page);
  const key = await readSecret(page);
  expect(await tryKey(key)).toBe(200);
  expect(await tryKey(account.sandbox_key)).toBe(401);
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await page.getByText(`sk_sandbox_…${key.slice(-4)}`).waitFor();
  expect(await page.getByText(key).count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('with an overlap, both keys work, and the page says until when', async () => {
  const { page, open, account } = await openConsole(system, browser);
  await open('/settings?open=replace-key.live', 'live');
  await page.getByRole('dialog').getByRole('button', { name: 'Replace key' }).click();
  await page.getByRole('dialog', { name: 'Your new live key' }).waitFor();
  const key = await readSecret(page);
  expect([await tryKey(key), await tryKey(account.live_key)]).toEqual([200, 200]);
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await page.getByText(/The previous key .* still works/).waitFor();
});

test('a sign-in of more than ten minutes ago leads to signing in again and back to the same dialog', async () => {
  const { page, open, account } = await openConsole(system, browser);
  system.clock.advance(11 * 60_000);
  await open('/settings?open=revoke-key.sandbox');
  const dialog = page.getByRole('dialog', { name: 'Revoke the sandbox key' });
  await dialog.getByLabel('Type sandbox to confirm').fill('sandbox');
  await dialog.getByRole('button', { name: 'Revoke key' }).click();
  await dialog.getByText('recent_sign_in_required').waitFor();
  await expectGoodPage(page);
  expect(await tryKey(account.sandbox_key)).toBe(200);
  await dialog.getByRole('link', { name: 'Sign in again' }).click();
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
  await page.getByText('This needs a sign-in within the last ten minutes.').waitFor();
  expect(new URL(page.url()).searchParams.get('next')).toContain('open=revoke-key.sandbox');
});

test('an owner invites a colleague as support, who sees no value, no key and no trail', async () => {
  const { page, open, account } = await openConsole(system, browser);
  const user = await system.user(account.sandbox_key, { external_ref: 'ada', profile: { weight_kg: 64.5 } });
  await open('/settings?tab=colleagues');
  await expectGoodPage(page);
  await page.getByRole('button', { name: 'Invite a colleague' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite a colleague' });
  await dialog.getByLabel('E-mail address').fill('sam@example.com');
  await dialog.getByLabel('Support').check();
  await expectGoodPage(page);
  await dialog.getByRole('button', { name: 'Invite a colleague' }).click();
  await page.getByRole('dialog', { name: 'sam@example.com is invited' }).waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('cell', { name: 'sam@example.com', exact: true }).waitFor();

  const support = await openConsole(system, browser, { account, role: 'support' });
  await support.open('/settings');
  expect(await support.page.getByRole('navigation', { name: 'Settings' }).getByRole('link').allInnerTexts()).toEqual([
    'Signing in',
    'Roster',
    'Limits',
  ]);
  const responses: string[] = [];
  support.page.on('response', async (response) => {
    if (/\/v1\//.test(response.url()) && response.ok()) responses.push(await response.text());
  });
  await support.open(`/people/${user}`);
  expect(responses.length).toBeGreaterThan(0);
  expect(responses.join()).not.toContain('64.5');
});

test('a developer manages the sandbox key only', async () => {
  const { page, open } = await openConsole(system, browser, { role: 'developer' });
  await open('/settings');
  await page.getByRole('heading', { name: 'Sandbox key' }).waitFor();
  expect(await page.getByRole('heading', { name: 'Live key' }).count()).toBe(0);
  await expectGoodPage(page);
});

test('the trail lists what was done, and its filters are in the address', async () => {
  const { page, open } = await openConsole(system, browser);
  await open('/settings?tab=keys', 'live');
  await page.getByRole('button', { name: 'Replace key' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replace key' }).click();
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await open('/settings?tab=audit', 'live');
  await page.getByRole('cell', { name: 'replaced an API key' }).waitFor();
  await expectGoodPage(page);
  await page.getByLabel('What was done').selectOption('webhook.deleted');
  await page.getByText('Nothing matches.').waitFor();
  expect(new URL(page.url()).searchParams.get('action')).toBe('webhook.deleted');
});

test('people are invited to join in live, and an invitation is revoked', async () => {
  const { page, open } = await openConsole(system, browser);
  await open('/settings?tab=roster&list=invitations', 'live');
  await page.getByText('There is no invitation here.').waitFor();
  await expectGoodPage(page);
  await page.getByRole('button', { name: 'Invite a person' }).click();
  await page.getByRole('dialog').getByLabel('E-mail address').fill('ada@example.com');
  await page.getByRole('dialog').getByRole('button', { name: 'Invite a person' }).click();
  await page.getByRole('dialog', { name: 'ada@example.com is invited' }).waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Revoke the invitation of ada@example.com' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('cell', { name: 'revoked', exact: true }).waitFor();
  await expectGoodPage(page);
});

test('limits say so when the API states none', async () => {
  const { page, open } = await openConsole(system, browser);
  await page.route(/\/v1\/users\?limit=1$/, (route) => route.fulfill({ json: { data: [], next_cursor: null } }));
  await open('/settings?tab=limits');
  await page.getByText('The API states no limit for this session.').waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});

test('ending the own session signs out, and limits state what the API states', async () => {
  const { page, open } = await openConsole(system, browser, { role: 'support' });
  await open('/settings?tab=limits');
  await page.getByText('100 requests a second, and 200 at once after a pause').waitFor();
  await expectGoodPage(page);
  await open('/settings?tab=colleagues');
  await page.getByRole('table', { name: 'Sessions' }).getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
});

test.each(['keys', 'colleagues', 'roster', 'audit', 'limits'])(
  'a failure on the tab %s says what failed',
  async (tab) => {
    const { page, open } = await openConsole(system, browser);
    await refuse(page, /\/(v1|console\/api\/(keys|colleagues|sessions|passkeys))(\/|\?|$)/);
    await open(`/settings?tab=${tab}`);
    await page.getByText('The service is busy. Try again.').first().waitFor();
    await expectGoodPage(page);
    await page.unroute(/\/(v1|console\/api\/(keys|colleagues|sessions|passkeys))(\/|\?|$)/);
    await retry(page);
    await waitUntilLoaded(page);
    await expect.poll(() => page.getByText('The service is busy. Try again.').count(), { timeout: 10_000 }).toBe(0);
  },
);

test('a passkey of a previous address is listed with where it works, and the page says what to do', async () => {
  const { page, open } = await openConsole(system, browser);
  const passkey = { created_at: '2026-03-14T07:26:53.589Z', last_used_at: null };
  const origin = system.host.baseUrl;
  await page.route('**/console/api/passkeys', (route) =>
    route.fulfill({
      json: {
        data: [
          { id: 'psk_1', name: 'My phone', origin: 'https://former.example.com', is_usable: false, ...passkey },
          { id: 'psk_2', name: 'My laptop', origin, is_usable: true, ...passkey },
        ],
      },
    }),
  );
  await open('/settings?tab=colleagues');
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await row('My phone').getByText('no, only at https://former.example.com').waitFor();
  await row('My laptop').getByText('yes').waitFor();
  await page.getByText('A passkey works only at the address where it was created').waitFor();
  await expectGoodPage(page);
});

test('before a colleague is removed, the page lists what ends and what to replace', async () => {
  const { page, open } = await openConsole(system, browser);
  await page.route('**/console/api/colleagues/*/credentials*', (route) =>
    route.fulfill({
      json: {
        credentials: [
          { kind: 'sdk_session', environment: 'live', count: 3, last_expires_at: '2026-05-13T07:26:53.589Z' },
        ],
        to_rotate: [{ kind: 'webhook_secret', id: 'whk_01k9p3wh8j0m2p4r6t8w0y2a4c', environment: 'live' }],
      },
    }),
  );
  await open('/settings?tab=colleagues');
  await page
    .getByRole('button', { name: /^Remove / })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: /^Remove / });
  await dialog.getByText('Phones (sessions of the Mobile SDK) (live): 3').waitFor();
  await dialog.getByText('Secret of webhook (live)').waitFor();
  expect(await dialog.getByRole('checkbox').isChecked()).toBe(false);
  await expectGoodPage(page);
  const removal = page.waitForRequest((request) => request.method() === 'DELETE');
  await dialog.getByRole('checkbox').check();
  const name = (await dialog.getByRole('heading').innerText()).slice('Remove '.length);
  await dialog.getByRole('textbox').fill(name);
  await dialog.getByRole('button', { name: 'Remove' }).click();
  expect((await removal).url()).toContain('credentials=keep');
});
