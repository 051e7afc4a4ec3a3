// The browser of this machine, and what every page is held to.
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';

export const chromiumPath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Chromium's own sandbox does not work for root, who runs tests in containers. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });

/** The narrowest that is still sold. */
export const smallPhone: BrowserContextOptions = {
  viewport: { width: 320, height: 640 },
  isMobile: true,
  hasTouch: true,
};

/** The page that was open before is closed. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  for (const before of browser.contexts()) await before.close();
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  return context.newPage();
}

export const readHeading = (page: Page): Promise<string> => page.getByRole('heading', { level: 1 }).innerText();

/** Axe finds nothing in light and in dark, and nothing lies beyond the right edge, on a phone neither. */
export async function expectGoodPage(page: Page): Promise<void> {
  expect(await axeFindings(page)).toEqual([]);
  const desk = page.viewportSize();
  expect(await overflowWidth(page)).toBe(0);
  if (smallPhone.viewport) await page.setViewportSize(smallPhone.viewport);
  expect(await overflowWidth(page)).toBe(0);
  if (desk) await page.setViewportSize(desk);
}

async function axeFindings(page: Page): Promise<string[]> {
  // Nothing runs in a frame that is shut off, axe neither.
  const axe = () => new AxeBuilder({ page }).exclude('iframe[sandbox]');
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await axe().analyze();
  await page.emulateMedia({ colorScheme: 'dark' });
  // All that differs in the dark.
  const dark = await axe().withRules(['color-contrast', 'link-in-text-block']).analyze();
  await page.emulateMedia({ colorScheme: null });
  return [...light.violations, ...dark.violations].map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`,
  );
}

export const overflowWidth = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** By the Tab key alone; what has the focus can be seen. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const focused: string = await page.evaluate('(document.activeElement?.textContent ?? "").trim()');
    if (focused !== name) continue;
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).not.toBe('none');
    return;
  }
  throw new Error(`the Tab key does not lead to "${name}"`);
}
