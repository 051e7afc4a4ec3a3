// The browser of this machine, and what every page is held to.
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

export const chromiumPath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Chromium's own sandbox does not work for root, who runs tests in containers. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });

/** The narrowest that is still sold. */
export const phone: BrowserContextOptions = { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true };

export async function openedPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  return context.newPage();
}

/** What axe finds, by rule, in light and in dark. */
export async function axeFindings(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).analyze();
    found.push(
      ...violations.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes.map(({ html }) => html).join(' ')}`),
    );
  }
  await page.emulateMedia({ colorScheme: null });
  return found;
}

/** How many pixels of the page lie beyond its right edge. */
export const beyondTheEdge = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
