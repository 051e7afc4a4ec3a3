import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createSyncGate } from '../harness/sync-gate.ts';
import { type System, startSystem } from '../harness/system.ts';
import { expectGoodPage, openBrowser } from './browser.ts';
import { type OpenedConsole, openConsole } from './console-browser.ts';

const gate = createSyncGate();
let system: System;
let browser: Browser;

beforeAll(async () => {
  [system, browser] = await Promise.all([startSystem({ wrapQueue: gate.wrap }), openBrowser()]);
});
// A sync that is still held would keep the host from stopping.
afterEach(() => gate.release());
afterAll(async () => {
  await browser.close();
  await system.stop();
});

/** Three days are known of the person, and no ring of this provider. */
async function createPerson({ account }: OpenedConsole, name: string): Promise<string> {
  const body = { external_ref: name, timezone: 'Europe/Berlin', profile: { sandbox_persona: 'new_user' } };
  const id = await system.user(account.sandbox_key, body);
  await system.host.drain();
  return id;
}

/** What the person does after a colleague has sent them the link of the sandbox page. */
async function connectRing({ page, open }: OpenedConsole, person: string, behavior?: string): Promise<void> {
  await open(`/sandbox?person=${person}`);
  await page.getByRole('button', { name: 'Create a connect link' }).click();
  const opening = page.context().waitForEvent('page');
  await page.getByRole('link', { name: 'Open the connect page' }).click();
  const theirs = await opening;
  await theirs.getByRole('button', { name: 'Connect Ultrahuman' }).click();
  await theirs.getByLabel('Person').selectOption('average');
  if (behavior !== undefined) await theirs.getByLabel('How the provider behaves').selectOption(behavior);
  await theirs.getByRole('button', { name: 'Allow' }).click();
  await theirs.getByText('Ultrahuman is connected').waitFor();
  await theirs.close();
  // Wait for everything else that the connection caused, because tests count the windows of its sync.
  await system.host.drain();
}

const rowOf = (page: Page) =>
  page.getByRole('list', { name: 'Devices' }).getByRole('listitem').filter({ hasText: 'ultrahuman' });

/** A day's steps as the chart reads them aloud. */
async function readSteps(page: Page, daysAgo: number): Promise<string | null> {
  const steps = page.getByRole('slider', { name: /^Steps by day/ });
  await steps.focus();
  await page.keyboard.press('End');
  for (let day = 0; day < daysAgo; day += 1) await page.keyboard.press('ArrowLeft');
  return steps.getAttribute('aria-valuetext');
}

const waitForSteps = (page: Page, daysAgo: number): Promise<void> =>
  expect.poll(() => readSteps(page, daysAgo), { timeout: 15_000 }).toMatch(/: [\d,]+$/);

test('a simulated ring is connected, and the person’s page shows the import until its days are drawn', async () => {
  const opened = await openConsole(system, browser, { role: 'developer' });
  const { page, account, complaints } = opened;
  const person = await createPerson(opened, 'member-31');
  gate.hold(person);
  await connectRing(opened, person);
  await page.getByRole('link', { name: 'Open member-31' }).click();
  const row = rowOf(page);
  await row.getByText('nothing has arrived yet').waitFor();
  await page.evaluate('window.hasNotReloaded = true');

  await gate.step();
  const progress = row.getByRole('progressbar', { name: 'Share of the history that is imported' });
  await progress.waitFor();
  expect(await row.innerText()).toMatch(/importing \w{3} \d+.* – \w{3} \d+, \d{4}\s+0%/);
  expect(await readSteps(page, 5)).toMatch(/: no value$/);

  // The newest days arrive first, and are drawn while older ones are still imported.
  await gate.step();
  await row.getByText('23%').waitFor();
  const { body } = await system.call('GET', `/v1/users/${person}/devices`, { token: account.sandbox_key });
  const { sync } = body.data.find(({ provider }: { provider: string }) => provider === 'ultrahuman');
  expect(sync).toMatchObject({ state: 'backfilling', done: expect.closeTo(7 / 31) });
  expect(await progress.getAttribute('value')).toBe(String(sync.done));
  await waitForSteps(page, 5);

  const views = page.getByRole('navigation', { name: 'Views of this person' });
  await views.getByRole('link', { name: 'Uploads' }).click();
  await page.getByRole('table', { name: 'Uploads' }).waitFor();
  await expectGoodPage(page);
  await views.getByRole('link', { name: 'Days' }).click();

  await gate.release();
  await system.host.drain();
  await row.getByText('synced').waitFor();
  expect(await progress.count()).toBe(0);
  await waitForSteps(page, 7);
  expect(await page.evaluate('window.hasNotReloaded')).toBe(true);
  expect(complaints).toEqual([]);
});

test('an import that a provider interrupts says how much of the history has arrived', async () => {
  const opened = await openConsole(system, browser, { role: 'developer' });
  const { page } = opened;
  const person = await createPerson(opened, 'member-32');
  gate.hold(person);
  await connectRing(opened, person, 'unavailable');
  await page.getByRole('link', { name: 'Open member-32' }).click();
  await gate.step();
  await gate.step();
  // The run that is held is over by then, and what it reads no longer counts.
  system.clock.advance(2 * 60_000);
  await gate.release();
  await system.host.drain();
  const row = rowOf(page);
  await row.getByText('The provider does not answer, or limits requests.').waitFor();
  await row.getByText(/^23% of the history \(\w{3} \d+.* – \w{3} \d+, \d{4}\) is imported\.$/).waitFor();
  await expectGoodPage(page);
});
