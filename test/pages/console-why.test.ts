// The drawer that explains a number, and the summary and categories of the page behind it.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type System, startSystem } from '../harness/system.ts';
import { expectGoodPage, openBrowser, smallPhone } from './browser.ts';
import { type OpenedConsole, openConsole, waitUntilLoaded } from './console-browser.ts';

let system: System;
let browser: Browser;
let account: Awaited<ReturnType<System['account']>>;
let user: string;

beforeAll(async () => {
  [system, browser] = await Promise.all([startSystem(), openBrowser()]);
  account = await system.account();
  user = await system.user(account.sandbox_key, { external_ref: 'ada', timezone: 'Europe/Berlin' });
  await system.host.drain();
});
afterAll(async () => {
  await browser.close();
  await system.stop();
});

const whyOf = (page: Page): string | null => new URL(page.url()).searchParams.get('why');
const scrollTop = (page: Page): Promise<number> => page.evaluate('scrollY');
const focusIsIn = (page: Page, selector: string): Promise<boolean> =>
  page.evaluate(`document.activeElement?.closest(${JSON.stringify(selector)}) !== null`);

/** Explains yesterday's distance by keyboard, from a place within the page. */
async function openDrawer({ page }: OpenedConsole): Promise<number> {
  const distance = page.getByRole('slider', { name: /^Flights climbed by day/ });
  await distance.scrollIntoViewIfNeeded();
  await distance.focus();
  const top = await scrollTop(page);
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Why this number' }).waitFor();
  await waitUntilLoaded(page);
  return top;
}

test.each([
  ['a desk', {}],
  ['a phone', smallPhone],
])(
  'on %s, Escape, Close and the back button return from the explanation to where the reader was',
  async (_place, options) => {
    const opened = await openConsole(system, browser, { account, ...options });
    const { page, open } = opened;
    await open('/people');
    await page.getByRole('link', { name: /ada/ }).click();
    await page.getByRole('slider', { name: /^Flights climbed by day/ }).waitFor();
    await waitUntilLoaded(page);
    const ways = [
      () => page.keyboard.press('Escape'),
      () => page.getByRole('dialog').getByRole('button', { name: 'Close' }).click(),
      () => page.goBack(),
    ];
    for (const close of ways) {
      const top = await openDrawer(opened);
      const drawer = page.getByRole('dialog', { name: 'Why this number' });
      expect(await drawer.getAttribute('aria-modal')).toBe('true');
      expect(top).toBeGreaterThan(0);
      expect(whyOf(page)).toMatch(/^flights_climbed:/);
      await close();
      await drawer.waitFor({ state: 'detached' });
      await expect.poll(() => whyOf(page)).toBeNull();
      expect(await scrollTop(page)).toBe(top);
      expect(await focusIsIn(page, '[aria-label^="Flights climbed by day"]')).toBe(true);
    }
    // Nothing of the drawer is left in the history.
    await page.goBack();
    await page.getByRole('heading', { name: 'People', level: 1 }).waitFor();
  },
);

test('the focus stays in the drawer, which covers a phone', async () => {
  const opened = await openConsole(system, browser, { account, ...smallPhone });
  const { page } = opened;
  await opened.open(`/people/${user}`);
  await openDrawer(opened);
  for (let presses = 0; presses < 25; presses += 1) {
    await page.keyboard.press('Tab');
    // After its last element the focus is in the browser's own bar, never in the page behind.
    expect(
      (await page.evaluate('document.activeElement === document.body')) || (await focusIsIn(page, 'dialog.drawer')),
    ).toBe(true);
  }
  const box = await page.getByRole('dialog').boundingBox();
  expect(box).toMatchObject({ x: 0, y: 0, ...smallPhone.viewport });
  await expectGoodPage(page);
});

test('a link to an explanation opens it over the page, and closing it leaves the page', async () => {
  const { page, open } = await openConsole(system, browser, { account });
  const date = new Date(system.clock.now() - 86_400_000).toISOString().slice(0, 10);
  await open(`/people/${user}?why=weight:${date}`);
  const drawer = page.getByRole('dialog', { name: 'Why this number' });
  await drawer.getByText('Weight').first().waitFor();
  // The category of the explained number is open behind it.
  await page.locator('figure', { has: page.locator('h3', { hasText: /^Weight$/ }) }).waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  expect(whyOf(page)).toBeNull();
  await page.getByRole('heading', { name: 'ada', level: 1 }).waitFor();
});

test('a person’s page begins with a summary, and draws the charts of one category at a time', async () => {
  const { page, open, complaints } = await openConsole(system, browser, { account });
  await open(`/people/${user}`);
  const summary = page.getByRole('region', { name: 'Summary' });
  const titles = await summary.getByRole('heading', { level: 3 }).allInnerTexts();
  expect(titles).toEqual(['Today', expect.stringMatching(/^(Last night|The newest night, .+)$/), 'Scores', 'Stale']);
  await summary.getByText('every device is in touch').waitFor();
  const chartCount = (): Promise<number> => page.locator('canvas').count();
  const ofActivity = await chartCount();
  expect(ofActivity).toBeGreaterThan(3);
  expect(ofActivity).toBeLessThan(12);

  await page.getByRole('navigation', { name: 'Jump to a category' }).getByRole('link', { name: 'Vitals' }).click();
  await page.getByRole('slider', { name: /^Resting heart rate by day/ }).waitFor();
  expect(await page.evaluate('document.activeElement.textContent')).toMatch(/^Vitals/);
  expect(await chartCount()).toBeGreaterThan(ofActivity);
  await expectGoodPage(page);
  await page.getByRole('button', { name: 'Vitals', expanded: true }).click();
  expect(await chartCount()).toBe(ofActivity);

  await page.getByRole('link', { name: 'Show all charts' }).click();
  await page.getByRole('slider', { name: /^Water by day/ }).waitFor();
  expect(await chartCount()).toBeGreaterThan(25);

  await summary.getByRole('link').last().click();
  await page.getByRole('dialog', { name: 'Why this number' }).waitFor();
  await page.keyboard.press('Escape');
  expect(await focusIsIn(page, '.day-summary')).toBe(true);
  expect(complaints).toEqual([]);
});
