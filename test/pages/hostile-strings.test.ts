// Whatever strangers write as names and descriptions, no page becomes wider than the screen, and no
// character turns the text around it or hides in it.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { renderConfirmPage } from '../../functions/api/connect/confirm-page.ts';
import { renderPickerPage } from '../../functions/api/connect/picker-page.ts';
import { createAccount } from '../../shared/accounts/accounts.ts';
import { addColleague } from '../harness/console-session.ts';
import { atMs, linkedDevice, linkedUser } from '../harness/linked-user.ts';
import { type Receiver, startReceiver } from '../harness/receiver.ts';
import { type System, startSystem } from '../harness/system.ts';
import { createInvitation } from '../harness/team-members.ts';
import { openBrowser, openPage, overflowWidth } from './browser.ts';
import { openConsole, waitUntilLoaded } from './console-browser.ts';
import { createSandboxUser } from './sandbox-user.ts';

let system: System;
let browser: Browser;
let receiver: Receiver;
let account: Awaited<ReturnType<System['account']>>;
let user: string;
let workout: string;
let webhook: string;
let devices: string[];

beforeAll(async () => {
  [system, browser, receiver] = await Promise.all([startSystem(), openBrowser(), startReceiver()]);
  account = await system.account();
  const token = account.sandbox_key;
  const endpoint = { url: receiver.url, events: ['*'], description: 'x' };
  webhook = (await system.call('POST', '/v1/webhooks', { token, body: endpoint })).body.data.id;
  const profile = { sandbox_persona: 'athlete' };
  user = await system.user(token, { external_ref: 'ada', timezone: 'Europe/Berlin', profile });
  const invitation = { email: 'ada@example.com', name: 'Ada' };
  await system.call('POST', '/v1/team/roster/invitations', { token: account.live_key, body: invitation });
  await addColleague(system, account, 'developer');
  await system.host.drain();
  const read = async (path: string) => (await system.call('GET', `/v1/users/${user}${path}`, { token })).body;
  const today = new Date(system.clock.now()).toISOString().slice(0, 10);
  const month = new Date(system.clock.now() - 20 * 86_400_000).toISOString().slice(0, 10);
  workout = (await read(`/workouts?from_date=${month}&to_date=${today}`)).data[0].id;
  devices = (await read('')).devices.map(({ id }: { id: string }) => id);
}, 120_000);
afterAll(async () => {
  await browser.close();
  await receiver.close();
  await system.stop();
});

/** As long as the longest name, one word, turned around, and with a part that cannot be seen. */
const hostile = `\u202e\u200b${'W'.repeat(250)}\u2066\u2060\ufeff`;
/** What accounts, colleagues, members, phones and receivers choose. */
const chosen = ['external_ref', 'name', 'model', 'description', 'email', 'source_type', 'response_body'];
/** Runs in the page: the API answers only requests of its own pages, so they are not repeated from outside. */
const spoilResponses = `
  const hostile = ${JSON.stringify(hostile)};
  const chosen = new Set(${JSON.stringify(chosen)});
  const spoilEntry = ([name, each]) => {
    if (name === 'url' && typeof each === 'string') return [name, each + '/' + hostile];
    if (name === 'sentences') return [name, each.map((sentence) => sentence + ' ' + hostile)];
    return [name, chosen.has(name) && typeof each === 'string' ? hostile : spoil(each)];
  };
  const spoil = (value) => {
    if (Array.isArray(value)) return value.map(spoil);
    return value && typeof value === 'object' ? Object.fromEntries(Object.entries(value).map(spoilEntry)) : value;
  };
  const send = globalThis.fetch;
  globalThis.fetch = async (...args) => {
    const response = await send(...args);
    if (!response.headers.get('content-type')?.includes('application/json')) return response;
    const { status, headers } = response;
    return new Response(JSON.stringify(spoil(await response.json())), { status, headers });
  };
`;

const dialogOverflow = `(() => {
  const dialog = document.querySelector('dialog[open]');
  return dialog ? Math.max(0, dialog.scrollWidth - dialog.clientWidth) : 0;
})()`;
const readHidden = `(document.body.innerText.match(/[\\u200b\\u202a-\\u202e\\u2060-\\u2069\\ufeff]/g) ?? []).length`;

const expectNothingWiderOrHidden = async (page: Page, where: string): Promise<void> => {
  const found = { where, width: await overflowWidth(page), hidden: await page.evaluate(readHidden) };
  expect(found).toEqual({ where, width: 0, hidden: 0 });
  expect(await page.evaluate('document.body.innerText')).toContain('WWWW');
};

const addresses = (): string[] => {
  const person = `/people/${user}`;
  const yesterday = new Date(system.clock.now() - 86_400_000).toISOString().slice(0, 10);
  const [device = ''] = devices;
  return [
    '/',
    '/people',
    person,
    `${person}?why=steps:${yesterday}`,
    ...['nights', 'scores', 'uploads', 'events', 'consolidation'].map((tab) => `${person}?tab=${tab}`),
    `${person}?tab=workouts&workout=${workout}`,
    ...['erase', 'connect', `disconnect.${device}`, `replay.${device}`].map((act) => `${person}?open=${act}`),
    '/webhooks',
    ...['', '?open=edit', '?open=delete', '?open=rotate', '?open=recover'].map(
      (query) => `/webhooks/${webhook}${query}`,
    ),
    '/events',
    `/sandbox?person=${user}`,
    ...['keys', 'colleagues', 'roster', 'audit', 'limits'].map((tab) => `/settings?tab=${tab}`),
  ];
};

test.each([
  [390, 844],
  [1440, 900],
])(
  'at a width of %i, names of 255 characters make no page and no dialog wider, and nothing in them hides',
  async (width, height) => {
    const { page, open, complaints } = await openConsole(system, browser, { account, viewport: { width, height } });
    await page.addInitScript({ content: spoilResponses });
    let spoiled = 0;
    for (const address of addresses()) {
      await open(address);
      await waitUntilLoaded(page);
      const text: string = await page.evaluate('document.body.innerText');
      if (text.includes('WWWW')) spoiled += 1;
      const found = {
        address,
        page: await overflowWidth(page),
        dialog: await page.evaluate(dialogOverflow),
        hidden: await page.evaluate(readHidden),
      };
      expect(found).toEqual({ address, page: 0, dialog: 0, hidden: 0 });
    }
    // The strings are really there.
    expect(spoiled).toBeGreaterThan(15);
    expect(complaints).toEqual([]);
  },
  120_000,
);

test('a roster and the menu bear such names as well', async () => {
  const { page, open } = await openConsole(system, browser, { account, viewport: { width: 390, height: 844 } });
  await page.addInitScript({ content: spoilResponses });
  await open('/settings?tab=roster&list=invitations', 'live');
  await page.locator('main').getByText('WWWW').first().waitFor();
  expect(await overflowWidth(page)).toBe(0);
  await page.locator('.account-menu summary').click();
  await page.getByRole('button', { name: 'Sign out' }).first().waitFor();
  expect(await overflowWidth(page)).toBe(0);
  expect(await page.evaluate(readHidden)).toBe(0);
});

test.each([320, 1440])('at a width of %i, so do the pages of end users, and the mailbox', async (width) => {
  const named = await createAccount(system.host.deps, { name: hostile });
  const page = await openPage(browser, { viewport: { width, height: 800 } });
  const see = async (url: string, where: string) => {
    await page.goto(url);
    await expectNothingWiderOrHidden(page, where);
  };
  const { baseUrl } = system.host;
  const joinUrl = `${baseUrl}/join/${(await createInvitation(system.host.deps, named.account_id)).token}`;
  await see(joinUrl, 'joining');
  await page.getByRole('button').first().click();
  await page.waitForLoadState();
  await expectNothingWiderOrHidden(page, 'joined');
  await see(joinUrl, 'joined before');

  const person = await createSandboxUser(system, 'Europe/Berlin', named);
  await see(await person.createPickerLink(), 'wearables');

  const invitation = { email: `${'w'.repeat(60)}@${'w'.repeat(60)}.example`, name: 'W'.repeat(100) };
  const { status, text } = await system.call('POST', '/v1/team/roster/invitations', {
    token: named.live_key,
    body: invitation,
  });
  expect(status, text).toBe(201);
  await system.host.drain();
  await see(`${baseUrl}/mailbox`, 'mailbox');
  await see(`${baseUrl}/mailbox/${system.host.mailbox.messages()[0]?.id}`, 'message');
  await see(`${baseUrl}/mailbox/${system.host.mailbox.messages()[0]?.id}/document`, 'message as a document');

  const device = linkedDevice('dev_1', { connection: 'sdk', name: hostile, model: hostile });
  await page.setContent(
    renderPickerPage(linkedUser({ devices: [device] }), { nowMs: atMs, zone: null }, undefined).html,
  );
  await expectNothingWiderOrHidden(page, 'a device');
  await page.setContent(renderConfirmPage(device).html);
  await expectNothingWiderOrHidden(page, 'disconnecting a device');
});
