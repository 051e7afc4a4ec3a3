import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { renderConfirmPage } from '../../functions/api/connect/confirm-page.ts';
import { renderNotice } from '../../functions/api/connect/notice.ts';
import { problemStatus, renderOutcomePage } from '../../functions/api/connect/outcome-page.ts';
import { renderPickerPage } from '../../functions/api/connect/picker-page.ts';
import type { ConnectProblem } from '../../shared/connections/connect/complete-connection.ts';
import { renderFailurePage } from '../../shared/http/failure-page.ts';
import type { PlainPage } from '../../shared/http/page.ts';
import { Failure } from '../../shared/system/failure.ts';
import { atMs, linkedDevice, linkedUser } from '../harness/linked-user.ts';
import { expectGoodPage, openBrowser, openPage } from './browser.ts';

let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await openBrowser();
  page = await openPage(browser);
});
afterAll(() => browser.close());

/** Safe, because the table has every problem. */
const problems = Object.keys(problemStatus) as ConnectProblem[];

const renderOutcome = (problem: ConnectProblem): PlainPage =>
  renderOutcomePage({
    provider: 'google_health',
    problem,
    deviceId: undefined,
    redirectUrl: undefined,
    returnTo: undefined,
  });

test.each<[string, PlainPage]>([
  [
    'a device in every state',
    renderPickerPage(linkedUser(), { nowMs: atMs, zone: null }, renderNotice({ notice: 'limit_reached' })),
  ],
  ['a device with a long name', renderConfirmPage(linkedDevice('dev_1', { connection: 'sdk', name: 'x'.repeat(120) }))],
  ['a failure', renderFailurePage(new Failure('unavailable', ''))],
  ...problems.map((problem): [string, PlainPage] => [problem, renderOutcome(problem)]),
])('%s is accessible and fits a phone', async (_what, { html }) => {
  await page.setContent(html);
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
  await expectGoodPage(page);
});
