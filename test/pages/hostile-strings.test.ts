// Whatever strangers write as names and descriptions, no page becomes wider than the screen, and no
// character turns the text around it or hides in it.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addColleague } from '../harness/console-session.ts';
import { type Receiver, startReceiver } from '../harness/receiver.ts';
import { type System, startSystem } from '../harness/system.ts';
import { openBrowser, overflowWidth } from './browser.ts';
import { openConsole, waitUntilLoaded } from './console-browser.ts';

let system: System;
let browser: Browser;
let receiver: Receiver;
let account: Awaited<ReturnType<System['account']>>;
let user: string;
let workout: string;
let webhook: string;
let devices: string[];
let member: string;

beforeAll(async () => {
  [system, browser, receiver] = await Promise.all([startSystem(), openBrowser(), startReceiver()]);
  account = await system.account();
  const token = account.sandbox_key;
  const endpoint = { url: receiver.url, events: ['*'], description: 'x' };
  webhook = (await system.call('POST', '/v1/webhooks', { token, body: endpoint })).body.data.id;
  const profile = { sandbox_persona: 'athlete' };
  user = await system.user(token, { external_ref: 'ada', timezone: 'Europe/Berlin', profile });
  const invitation = { email: 'ada@example.com', name: 'Ada' };
  member = (await system.call('POST', '/v1/team/roster/invitations', { token: account.live_key, body: invitation }))
    .body.data?.id;
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
const chosen = new Set(['external_ref', 'name', 'model', 'description', 'email', 'source_type', 'response_body']);
const spoil = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(spoil);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      if (name === 'url' && typeof each === 'string') return [name, `${each}/${hostile}`];
      if (name === 'sentences' && Array.isArray(each)) return [name, each.map((sentence) => `${sentence} ${hostile}`)];
      return [name, chosen.has(name) && typeof each === 'string' ? hostile : spoil(each)];
    }),
  );
};

async function spoilResponses(page: Page): Promise<void> {
  await page.route(/\/(v1|console\/api)\//, async (route) => {
    const response = await route.fetch();
    if (!response.headers()['content-type']?.includes('application/json')) return route.fulfill({ response });
    return route.fulfill({ response, json: spoil(await response.json()) });
  });
}

const dialogOverflow = `(() => {
  const dialog = document.querySelector('dialog[open]');
  return dialog ? Math.max(0, dialog.scrollWidth - dialog.clientWidth) : 0;
})()`;
const readHidden = `(document.body.innerText.match(/[\\u200b\\u202a-\\u202e\\u2060-\\u2069\\ufeff]/g) ?? []).length`;

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
    '/providers',
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
    await spoilResponses(page);
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

test('a roster, a menu and a search bear such names as well', async () => {
  const { page, open } = await openConsole(system, browser, { account, viewport: { width: 390, height: 844 } });
  await spoilResponses(page);
  await open('/settings?tab=roster&list=invitations', 'live');
  expect(member).toBeDefined();
  expect(await overflowWidth(page)).toBe(0);
  await page.locator('.account-menu summary').click();
  await page.getByRole('button', { name: 'Sign out' }).first().waitFor();
  expect(await overflowWidth(page)).toBe(0);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('ada');
  await page.getByRole('option').last().waitFor();
  expect(await page.evaluate(dialogOverflow)).toBe(0);
  expect(await page.evaluate(readHidden)).toBe(0);
});
