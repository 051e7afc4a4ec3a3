import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { joinProblemPage } from '../../functions/api/join/join-pages.ts';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { languages } from '../../shared/platform/language.ts';
import type { JoinProblem } from '../../shared/team/join.ts';
import { invited } from '../harness/invited.ts';
import { type System, startSystem } from '../harness/system.ts';
import { beyondTheEdge, expectGoodPage, heading, openBrowser, openedPage, smallPhone, tabTo } from './browser.ts';

let system: System;
let browser: Browser;
let account: NewAccount;

beforeAll(async () => {
  [system, browser] = await Promise.all([startSystem(), openBrowser()]);
});
beforeEach(async () => {
  account = await system.account();
});
afterAll(async () => {
  await browser.close();
  await system.stop();
});

const link = async (input = {}): Promise<string> =>
  `${system.host.baseUrl}/join/${(await invited(system.host.deps, account.account_id, input)).token}`;
const members = async (): Promise<number> =>
  (await system.call('GET', '/v1/team/roster', { token: account.live_key })).body.data.length;

describe.each([
  ['at a desk', {}],
  ['on a phone', smallPhone],
  ['without JavaScript', { javaScriptEnabled: false }],
] as const)('a person %s', (_where, options) => {
  test('joins, and is told so; the link then says that there is nothing to do', async () => {
    const page = await openedPage(browser, options);
    const url = await link({ name: 'Alex Kim' });
    await page.goto(url);
    expect(await heading(page)).toBe('Join a test');
    expect(await beyondTheEdge(page)).toBe(0);
    expect(await members()).toBe(0);
    await page.getByRole('button', { name: 'Join the team' }).click();
    expect(await heading(page)).toBe('You have joined a test');
    expect(await members()).toBe(1);
    await page.goto(url);
    expect(await heading(page)).toBe('You have already joined a test');
    expect(await page.getByRole('button').count()).toBe(0);
    expect(await members()).toBe(1);
  });
});

test('the user of a person who joins is given the time zone of the browser', async () => {
  const page = await openedPage(browser, { timezoneId: 'Asia/Tokyo' });
  await page.goto(await link());
  await page.getByRole('button', { name: 'Join the team' }).click();
  await page.getByRole('heading', { name: 'You have joined' }).waitFor();
  const { body } = await system.call('GET', '/v1/users', { token: account.live_key });
  expect(body.data).toMatchObject([{ timezone: 'Asia/Tokyo', timezone_source: 'device' }]);
});

test('with the keyboard alone a person joins', async () => {
  const page = await openedPage(browser);
  await page.goto(await link());
  await tabTo(page, 'Join the team');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'You have joined' }).waitFor();
  expect(await members()).toBe(1);
});

test.each(languages)('the pages are good in %s, whatever people and teams are called', async (language) => {
  const page = await openedPage(browser);
  await page.goto(await link({ language, name: `${'Wolfeschlegelsteinhausenbergerdorff'.repeat(2)} <b>"x"</b>` }));
  expect(await page.locator('html').getAttribute('lang')).toBe(language);
  await expectGoodPage(page);
  await page.getByRole('button').click();
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
  await expectGoodPage(page);
});

const problems: readonly JoinProblem[] = ['unknown_link', 'accepted', 'revoked', 'expired', 'user_gone', 'team_closed'];

test.each(problems)('a link that leads nowhere (%s) is told on a good page, in every language', async (problem) => {
  for (const language of languages) {
    const page = await openedPage(browser);
    await page.setContent(joinProblemPage(problem, 'x'.repeat(200), language).html);
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    expect(await page.getByRole('button').count()).toBe(0);
    await expectGoodPage(page);
  }
});
