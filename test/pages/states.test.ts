import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { confirmPage } from '../../functions/api/connect/confirm-page.ts';
import { noticeOf } from '../../functions/api/connect/notice.ts';
import { outcomePage, problemStatus } from '../../functions/api/connect/outcome-page.ts';
import { pickerPage } from '../../functions/api/connect/picker-page.ts';
import type { ConnectProblem } from '../../shared/connections/connect/complete.ts';
import { failurePage } from '../../shared/http/failure-page.ts';
import type { PlainPage } from '../../shared/http/page.ts';
import { Failure } from '../../shared/system/failure.ts';
import { atMs, linkedDevice, linkedPerson } from '../harness/linked-person.ts';
import { expectGoodPage, openBrowser, openedPage } from './browser.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** Holds because the table has every problem there is. */
const problems = Object.keys(problemStatus) as ConnectProblem[];

const outcome = (problem: ConnectProblem): PlainPage =>
  outcomePage({ provider: 'google_health', problem, deviceId: undefined, redirectUrl: undefined, returnTo: undefined });

test.each<[string, PlainPage]>([
  [
    'a device in every state',
    pickerPage(linkedPerson(), { nowMs: atMs, zone: null }, noticeOf({ notice: 'limit_reached' })),
  ],
  ['a long name of a device', confirmPage(linkedDevice('dev_1', { connection: 'sdk', name: 'x'.repeat(120) }))],
  ['a failure', failurePage(new Failure('unavailable', ''))],
  ...problems.map((problem): [string, PlainPage] => [problem, outcome(problem)]),
])('%s is good', async (_what, { html }) => {
  const page = await openedPage(browser);
  await page.setContent(html);
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
  await expectGoodPage(page);
});
