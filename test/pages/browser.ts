// Opens the local browser and checks what every page must satisfy.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { projectRoot } from '../harness/python-environment.ts';

export const chromiumPath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Chromium's own sandbox does not work for root, which runs tests in containers. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });

/** The narrowest phone still sold. */
export const smallPhone: BrowserContextOptions = {
  viewport: { width: 320, height: 640 },
  isMobile: true,
  hasTouch: true,
};

/** Opens a page and closes the previous one. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  for (const before of browser.contexts()) await before.close();
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  return context.newPage();
}

export const readHeading = (page: Page): Promise<string> => page.getByRole('heading', { level: 1 }).innerText();

/** Expects no axe finding in light and dark mode, and no horizontal overflow, on a phone either. */
export async function expectGoodPage(page: Page): Promise<void> {
  expect(await axeFindings(page)).toEqual([]);
  const desk = page.viewportSize();
  expect(await overflowWidth(page)).toBe(0);
  if (smallPhone.viewport) await page.setViewportSize(smallPhone.viewport);
  expect(await overflowWidth(page)).toBe(0);
  if (desk) await page.setViewportSize(desk);
}

/** Runs axe in the page itself, once loaded, which takes a third of the time of its package for this driver. */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await runAxe(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  // The only rules that differ in dark mode.
  const dark = await runAxe(page, ['color-contrast', 'link-in-text-block']);
  await page.emulateMedia({ colorScheme: null });
  return [...light, ...dark].map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

interface Violation {
  id: string;
  nodes: { html: string }[];
}

const axeSource = readFileSync(path.join(projectRoot, 'node_modules/axe-core/axe.min.js'), 'utf8');

async function runAxe(page: Page, rules?: string[]): Promise<Violation[]> {
  if (await page.evaluate('typeof axe === "undefined"')) await page.evaluate(axeSource);
  // Nothing runs in a sandboxed frame, including axe, which runs in the page's own document only.
  const otherFrames = await page.locator('iframe:not([sandbox]), frame').count();
  if (otherFrames > 0) throw new Error('the page has a frame that axe would not check');
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: { type: 'rule', values: rules } }) };
  return page.evaluate(
    `axe.run({ exclude: [['iframe[sandbox]']] }, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
}

export const overflowWidth = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** Moves the focus with the Tab key alone, and expects it to be visible. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const focused: string = await page.evaluate('(document.activeElement?.textContent ?? "").trim()');
    if (focused !== name) continue;
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).not.toBe('none');
    return;
  }
  throw new Error(`the Tab key does not reach "${name}"`);
}
