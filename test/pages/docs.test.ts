import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as guides from '../../functions/api/guides/routes.ts';
import { listGroups } from '../../functions/api/reference/reference-groups.ts';
import * as reference from '../../functions/api/reference/routes.ts';
import { providerIds } from '../../shared/catalog/provider.ts';
import { type System, startSystem } from '../harness/system.ts';
import {
  axeFindings,
  expectGoodPage,
  openBrowser,
  openPage,
  overflowWidth,
  readHeading,
  smallPhone,
  tabTo,
} from './browser.ts';

let system: System;
let browser: Browser;

beforeAll(async () => {
  [system, browser] = await Promise.all([startSystem(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await system.stop();
});

/** The tests below check these in more widths. */
const checkedBelow = ['/docs/webhooks', '/docs/errors', '/docs/quickstart'];

/** The pages that the functions serve, so that a new one is checked without being named here. */
const docsPages = [...Object.values(guides), ...Object.values(reference)]
  .map(({ route }) => route.path)
  .filter((path) => /^\/(docs(\/|$)|$)/.test(path) && !path.endsWith('.json') && !path.includes('{'))
  .filter((path) => !checkedBelow.includes(path));
const providerPages = providerIds.map((id) => `/docs/providers/${id}`);
/** The same code draws the pages of both forms: one stands for all of Form 1. */
const groupPages = [...listGroups(2).map(({ slug }) => `/docs/reference/${slug}`), '/docs/form1/users'];

test.each([...docsPages, ...providerPages])('%s is accessible and fits a phone', async (path) => {
  const page = await openPage(browser);
  expect((await page.goto(system.host.baseUrl + path))?.status()).toBe(200);
  await expectGoodPage(page);
});

test.each(['/docs/webhooks', '/docs/errors', '/docs/quickstart'])(
  '%s is accessible, fits a phone and shows every line',
  async (path) => {
    const page = await openPage(browser);
    expect((await page.goto(system.host.baseUrl + path))?.status()).toBe(200);
    await expectGoodPage(page);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await axeFindings(page)).toEqual([]);
    const clipped = `[...document.querySelectorAll('pre')].filter((block) => {
    const { overflowX } = getComputedStyle(block);
    return block.scrollWidth > block.clientWidth && overflowX !== 'auto' && overflowX !== 'scroll';
  }).length`;
    expect(await page.evaluate(clipped)).toBe(0);
  },
);

test.each(groupPages)('%s is accessible and fits a phone', async (path) => {
  const page = await openPage(browser);
  await page.goto(system.host.baseUrl + path);
  await page.locator('.operation .request').first().waitFor();
  await expectGoodPage(page);
});

test.each([
  ['/docs#deleteUser', '/docs/reference/users#deleteUser'],
  ['/docs/form1#listMetrics', '/docs/form1/catalogs#listMetrics'],
])('%s leads to %s', async (old, address) => {
  const page = await openPage(browser);
  await page.goto(system.host.baseUrl + old);
  await page.waitForURL(`**${address}`);
  expect(page.url()).toBe(system.host.baseUrl + address);
});

test.each(['/docs', '/docs/reference/webhooks'])('at %s, the keyboard searches the documentation', async (path) => {
  const page = await openPage(browser);
  await page.goto(system.host.baseUrl + path);
  await page.keyboard.press('/');
  await page.keyboard.type('delete a user');
  await page.getByRole('link', { name: /^Call Delete a user/ }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/reference/users#deleteUser');
});

test('without a script, a group of the reference says what each call does, and has no search that does nothing', async () => {
  const page = await openPage(browser, { javaScriptEnabled: false });
  await page.goto(`${system.host.baseUrl}/docs/reference/users`);
  expect(await page.locator('#deleteUser').innerText()).toContain('/docs/erasure');
  expect(await page.locator('input').filter({ visible: true }).count()).toBe(0);
});

test('the webhooks page copies a command, and without a script it has no button that does nothing', async () => {
  const page = await openPage(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto(`${system.host.baseUrl}/docs/webhooks`);
  await tabTo(page, 'Copy');
  await page.keyboard.press('Enter');
  await page.getByText('Copied').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe("export DAYBOOK_KEY='sk_sandbox_…'");

  const plain = await openPage(browser, { javaScriptEnabled: false });
  await plain.goto(`${system.host.baseUrl}/docs/webhooks`);
  expect(await plain.locator('button').count()).toBe(0);
  expect(await plain.locator('pre').first().innerText()).toBe("export DAYBOOK_KEY='sk_sandbox_…'");
});

test('the navigation fits every width', async () => {
  for (const path of ['/docs', '/docs/form1/users', '/docs/webhooks'])
    for (const width of [320, 500, 834, 900, 1000, 1280]) {
      const page = await openPage(browser, { viewport: { width, height: 800 } });
      await page.goto(system.host.baseUrl + path);
      expect([path, width, await overflowWidth(page)]).toEqual([path, width, 0]);
      expect(await page.evaluate("document.querySelector('.pages').clientHeight")).toBeLessThan(40);
    }
});

test('every provider’s page can be reached from the first page, and fits a phone', async () => {
  const page = await openPage(browser, smallPhone);
  await page.goto(`${system.host.baseUrl}/docs`);
  await page.getByRole('link', { name: 'Providers', exact: true }).click();
  expect(await readHeading(page)).toBe('Providers');
  for (const id of providerIds) {
    await page.goto(`${system.host.baseUrl}/docs/providers`);
    await page.locator(`a[href="providers/${id}"]`).click();
    await page.waitForURL(`**/docs/providers/${id}`);
    expect([page.url().endsWith(`/docs/providers/${id}`), await overflowWidth(page)]).toEqual([true, 0]);
  }
});

test.each([
  ['/docs', 'Daybook API reference', 'Users'],
  ['/docs/form1', 'Daybook API reference, Form 1', 'Users'],
])('%s has its own heading, and the deletion of a user links to what remains', async (path, title, group) => {
  const page = await openPage(browser);
  await page.goto(system.host.baseUrl + path);
  expect(await readHeading(page)).toBe(title);
  await page.getByRole('heading', { name: group, exact: true }).getByRole('link').click();
  await page.locator('#deleteUser').getByRole('link', { name: '/docs/erasure' }).waitFor();
  expect(await readHeading(page)).toBe(group);
  await page.locator('#deleteUser').getByRole('link', { name: '/docs/erasure' }).click();
  expect(page.url()).toBe(`${system.host.baseUrl}/docs/erasure`);
});

/** A user's 90 days are simulated, stored and scored while the page waits. */
const seedingTimeoutMs = 150_000;

test.each([1, 2] as const)(
  'the demo draws 90 days with a sandbox key of Form %i',
  { timeout: 180_000 },
  async (form) => {
    const { sandbox_key } = await system.account({ form });
    const page = await openPage(browser);
    await page.goto(`${system.host.baseUrl}/docs/demo#${sandbox_key}`);
    await page.getByText(/^demo-average, /).waitFor({ timeout: seedingTimeoutMs });
    expect(await page.locator('#status.error').count()).toBe(0);
    expect(await page.locator('.score-card').count()).toBe(5);
    expect(await page.getByRole('heading', { name: 'Steps' }).count()).toBe(1);
    expect(await axeFindings(page)).toEqual([]);
  },
);

test('on a phone the demo has one column, whole gauges, and names instead of ids', { timeout: 180_000 }, async () => {
  const { sandbox_key } = await system.account();
  const page = await openPage(browser, { ...smallPhone, viewport: { width: 375, height: 800 } });
  await page.goto(`${system.host.baseUrl}/docs/demo#${sandbox_key}`);
  await page.getByText(/^demo-average, /).waitFor({ timeout: seedingTimeoutMs });
  await page.locator('.factor-detail').first().waitFor();
  expect(await overflowWidth(page)).toBe(0);
  const widths = await page.locator('.score-card').evaluateAll((cards) => cards.map((card) => card.clientWidth));
  expect(Math.min(...widths)).toBeGreaterThan(300);
  const gauge = await page.locator('.tone-scale').first().boundingBox();
  expect(gauge?.width).toBeGreaterThan(Math.min(...widths) - 40);
  const text = await page.locator('#charts').innerText();
  expect(text).toMatch(/, from (?:Oura|Apple Health)/);
  expect(text).not.toMatch(/[a-z]_[a-z]|\boura\b|apple health/);
});

test('the examples of the scores page run the scorer: each case shows its score, and so does a moved slider', async () => {
  const page = await openPage(browser);
  await page.goto(`${system.host.baseUrl}/docs/scores`);
  const example = page.locator('.example[data-score="strain_score"]');
  const rows = example.locator('.cases tbody tr');
  for (const at of [...Array(await rows.count()).keys()].reverse()) {
    await rows.nth(at).getByRole('button').click();
    const stated = await rows.nth(at).locator('td').first().textContent();
    expect(await example.locator('output').textContent()).toBe(stated);
  }
  const before = await example.locator('output').textContent();
  await example.locator('#strain_score-steps').fill('30000');
  expect(await example.locator('h4').textContent()).toBe('With your values');
  expect(Number(await example.locator('output').textContent())).toBeGreaterThan(Number(before));
});
