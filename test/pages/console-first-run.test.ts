// From the first start to a chart in two clicks: the printed link, and the button on its page.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChildHost, startChildHost, startProgram } from '../harness/child-host.ts';
import { expectGoodPage, openBrowser, openPage } from './browser.ts';
import { waitUntilLoaded } from './console-browser.ts';

let browser: Browser;
let dataDir: string;
let host: ChildHost;

beforeAll(async () => {
  browser = await openBrowser();
  dataDir = mkdtempSync(join(tmpdir(), 'daybook-'));
  host = await startChildHost(dataDir, startProgram);
});
afterAll(async () => {
  await browser.close();
  await host.kill();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Only the printed link, as a terminal opens it. */
const readConsoleLink = (): string => /^ {2}console +(\S+)/m.exec(host.output())?.[1] ?? '';
const readPersonId = (): string => JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')).sandbox_user;

test('the printed link leads to the charts of a week, also after a kill in the first seconds', async () => {
  // The link is the first thing below the line that says where the service is.
  expect(host.output()).toMatch(/^ready \S+\n\n {2}console /m);
  const person = readPersonId();
  await host.kill();
  host = await startChildHost(dataDir, startProgram);
  expect(readPersonId()).toBe(person);

  const page = await openPage(browser);
  await page.goto(readConsoleLink());
  await page.getByRole('button', { name: 'Sign in with this link' }).click();
  await page.waitForURL(new RegExp(`/console/people/${person}`));
  await page.getByRole('heading', { name: 'sample-person', level: 1 }).waitFor();
  // The data arrives while the reader signs in; the page reads it without being reloaded.
  const steps = page.getByRole('slider', { name: /^Steps by day/ });
  await steps.waitFor({ timeout: 30_000 });
  const days = await fetch(`${host.baseUrl}/v1/users/${person}/daily?types=steps`, {
    headers: { authorization: `Bearer ${host.demo.sandbox_key}` },
  });
  const { series } = JSON.parse(await days.text());
  expect(series.steps.filter((value: number | null) => value !== null).length).toBeGreaterThanOrEqual(7);
  await waitUntilLoaded(page);
  await expectGoodPage(page);

  await page.getByRole('link', { name: 'Overview' }).click();
  const first = page.getByRole('region', { name: 'Your first request in three steps' });
  for (const [language, code] of [
    ['curl', 'curl -s -X POST'],
    ['TypeScript', 'await fetch('],
    ['Python', 'requests.post('],
  ] as const) {
    await first.getByRole('button', { name: language }).first().click();
    await first.locator('pre').first().getByText(code).waitFor();
  }
}, 120_000);
