import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { renderJoinProblemPage } from '../../functions/api/join/join-pages.ts';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { languages } from '../../shared/platform/language.ts';
import type { JoinProblem } from '../../shared/team/accept-invitation.ts';
import { type System, startSystem } from '../harness/system.ts';
import { createInvitation } from '../harness/team-members.ts';
import { expectGoodPage, openBrowser, openPage, overflowWidth, readHeading, smallPhone, tabTo } from './browser.ts';

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

const createJoinLink = async (input = {}): Promise<string> =>
  `${system.host.baseUrl}/join/${(await createInvitation(system.host.deps, account.account_id, input)).token}`;
const countMembers = async (): Promise<number> =>
  (await system.call('GET', '/v1/team/roster', { token: account.live_key })).body.data.length;

describe.each([
  ['on a desktop', {}],
  ['on a phone', smallPhone],
  ['without JavaScript', { javaScriptEnabled: false }],
] as const)('a user %s', (_where, options) => {
  test('joins, and sees a confirmation; the link then says that there is nothing to do', async () => {
    const page = await openPage(browser, options);
    const url = await createJoinLink({ name: 'Alex Kim' });
    await page.goto(url);
    expect(await readHeading(page)).toBe('Join a test');
    expect(await overflowWidth(page)).toBe(0);
    expect(await countMembers()).toBe(0);
    await page.getByRole('button', { name: 'Join the team' }).click();
    expect(await readHeading(page)).toBe('You have joined a test');
    expect(await countMembers()).toBe(1);
    await page.goto(url);
    expect(await readHeading(page)).toBe('You have already joined a test');
    expect(await page.getByRole('button').count()).toBe(0);
    expect(await countMembers()).toBe(1);
  });
});

test('someone who has joined is led on to choosing wearables', async () => {
  const page = await openPage(browser, smallPhone);
  await page.goto(await createJoinLink({ language: 'fr' }));
  await page.getByRole('button').click();
  await tabTo(page, 'Choisir mes appareils');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/connect\/links\//);
  expect(await readHeading(page)).toBe('Your wearables');
  expect(await page.getByText('Choose what a test can read.').count()).toBe(1);
});

test('the user of a new member gets the time zone of the browser', async () => {
  const page = await openPage(browser, { timezoneId: 'Asia/Tokyo' });
  await page.goto(await createJoinLink());
  await page.getByRole('button', { name: 'Join the team' }).click();
  await page.getByRole('heading', { name: 'You have joined' }).waitFor();
  const { body } = await system.call('GET', '/v1/users', { token: account.live_key });
  expect(body.data).toMatchObject([{ timezone: 'Asia/Tokyo', timezone_source: 'device' }]);
});

test('a user can join with the keyboard alone', async () => {
  const page = await openPage(browser);
  await page.goto(await createJoinLink());
  await tabTo(page, 'Join the team');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'You have joined' }).waitFor();
  expect(await countMembers()).toBe(1);
});

test.each(languages)(
  'the pages are accessible and fit a phone in %s, with any name of a user or team',
  async (language) => {
    const page = await openPage(browser);
    await page.goto(
      await createJoinLink({ language, name: `${'Wolfeschlegelsteinhausenbergerdorff'.repeat(2)} <b>"x"</b>` }),
    );
    expect(await page.locator('html').getAttribute('lang')).toBe(language);
    await expectGoodPage(page);
    await page.getByRole('button').click();
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    await expectGoodPage(page);
  },
);

const problems: readonly JoinProblem[] = ['unknown_link', 'accepted', 'revoked', 'expired', 'user_gone', 'team_closed'];

test.each(problems)(
  'the page of an invalid link (%s) is accessible and fits a phone, in every language',
  async (problem) => {
    const page = await openPage(browser);
    for (const language of languages) {
      await page.setContent(renderJoinProblemPage(problem, 'x'.repeat(200), language).html);
      expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
      expect(await page.getByRole('button').count()).toBe(0);
      await expectGoodPage(page);
    }
  },
);
