// Consolidation on a person's page: by metric, category and provider, previewed before it is saved.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import type { ColleagueRole } from '../../shared/system/caller.ts';
import { type System, startSystem } from '../harness/system.ts';
import { expectGoodPage, openBrowser } from './browser.ts';
import { openConsole, refuse } from './console-browser.ts';

let system: System;
let browser: Browser;
let account: NewAccount;

beforeAll(async () => {
  [system, browser] = await Promise.all([startSystem(), openBrowser()]);
  account = await system.account();
});
afterAll(async () => {
  await browser.close();
  await system.stop();
});

/** A person of the sandbox with days of several providers. */
async function createPerson(): Promise<string> {
  const person = await system.user(account.sandbox_key, { timezone: 'Europe/Berlin' });
  await system.host.drain();
  return person;
}

async function openSettings(person: string, query = '', role: ColleagueRole = 'owner') {
  const opened = await openConsole(system, browser, { account, role });
  const requests: string[] = [];
  opened.page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/\/consolidation|\/daily|\/explanation/.test(pathname)) requests.push(`${request.method()} ${pathname}`);
  });
  await opened.open(`/people/${person}?tab=consolidation${query}`);
  return { ...opened, requests };
}

const readSettings = async (person: string) =>
  (await system.call('GET', `/v1/users/${person}/consolidation`, { token: account.sandbox_key })).body;
const allCount = ({ providers }: { providers: { enabled: boolean }[] }): boolean =>
  providers.every(({ enabled }) => enabled);
const readMetric = async (person: string, wanted: string) =>
  (await readSettings(person)).metrics.find(({ key }: { key: string }) => key === wanted);
const change = (person: string, body: object) =>
  system.call('PATCH', `/v1/users/${person}/consolidation`, { token: account.sandbox_key, body });

const rowOf = (page: Page, metric: string) =>
  page
    .getByRole('table', { name: 'The settings of every metric' })
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: new RegExp(`^${metric}\\b`) }) });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** The name of what has the focus. */
const readFocused = (page: Page): Promise<string> =>
  page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.textContent');

async function previewAndSave(page: Page): Promise<void> {
  await button(page, 'Preview').click();
  await page.getByRole('table', { name: 'What would change, metric by metric' }).waitFor();
  await button(page, 'Save').click();
}

async function expectRebuilt(page: Page): Promise<void> {
  const progress = page.getByRole('region', { name: 'Days with their new value' });
  await progress.waitFor();
  await system.host.drain();
  await progress.getByText(/\b([1-9]\d*) of \1 days have their new value\./).waitFor({ timeout: 15_000 });
  await progress.getByText('subject.synced', { exact: true }).waitFor({ timeout: 15_000 });
}

test('a provider is switched off for all metrics: previewed, saved, and the days are computed again', async () => {
  const person = await createPerson();
  const { page, complaints, requests } = await openSettings(person);
  expect(await rowOf(page, 'Steps').innerText()).toContain('merged by period');

  const providers = page.getByRole('region', { name: 'Providers for all metrics' });
  await providers.getByRole('link', { name: 'oura' }).click();
  expect(new URL(page.url()).searchParams.get('provider')).toBe('oura');
  await page.getByRole('heading', { name: 'Oura for all metrics' }).waitFor();
  await page.getByLabel('Oura counts').uncheck();
  await page.getByText('Oura no longer counts for any metric', { exact: true }).waitFor();
  await rowOf(page, 'Steps').getByText('off for all metrics').waitFor();
  await rowOf(page, 'Steps').getByText('not saved').waitFor();
  await expect.poll(() => button(page, 'Save').isDisabled()).toBe(true);

  await button(page, 'Preview').click();
  await page
    .getByText(/^If Oura no longer counts for any metric, \d+ of the last 30 days change for this person\.$/)
    .waitFor();
  const preview = page.getByRole('table', { name: 'What would change, metric by metric' });
  const lost = preview.getByRole('row').filter({ hasText: 'would have no value on' }).first();
  const name = await lost.getByRole('button').innerText();
  await lost.getByRole('button').click();
  await page.getByRole('img', { name: /It would have no value on \d+ days?\.$/ }).waitFor();
  await expect.poll(() => lost.getByRole('button', { pressed: true }).innerText()).toBe(name);
  await expectGoodPage(page);

  await button(page, 'Save').click();
  await expectRebuilt(page);
  expect(requests.filter((request) => request.startsWith('PATCH'))).toHaveLength(1);
  const { providers: saved } = await readSettings(person);
  expect(saved).toContainEqual({ provider: 'oura', enabled: false });
  await providers.getByText('off for all metrics').waitFor();
  await expect.poll(() => page.getByText('not saved').count()).toBe(0);
  await expectGoodPage(page);
  expect(complaints).toEqual([]);
});

test('a category is changed at once, and the page names the metrics that keep their method', async () => {
  const person = await createPerson();
  const { page, requests } = await openSettings(person);
  await page.getByRole('link', { name: 'Change all of activity' }).click();
  expect(new URL(page.url()).searchParams.get('category')).toBe('Activity');
  const method = page.getByLabel('How values of several devices become one');
  await method.selectOption('sum');
  const note = page.getByText(/keep(s its| their) own method, because this one is not possible there: /);
  const kept = (await note.innerText()).split(': ')[1]?.replace('.', '').split(', ') ?? [];
  expect(kept.length).toBeGreaterThan(0);
  await page.getByLabel('Apple Health').uncheck();

  // The draft gathers changes of several places, and a metric can differ from its category.
  await rowOf(page, 'Steps').getByRole('link').click();
  await page.getByRole('heading', { name: 'Steps', exact: true }).waitFor();
  await page.getByLabel('Apple Health').check();
  await page.getByRole('link', { name: 'Change all of activity' }).click();
  await page.locator('input:indeterminate').waitFor();
  await page.getByText('counts for some of these metrics').waitFor();
  await expectGoodPage(page);

  await previewAndSave(page);
  await expectRebuilt(page);
  expect(requests.filter((request) => request.startsWith('PATCH'))).toHaveLength(1);
  const { metrics } = await readSettings(person);
  const activity = metrics.filter(({ category }: { category: string }) => category === 'Activity');
  const keptCount = activity.filter(({ method: saved }: { method: string }) => saved !== 'sum').length;
  expect(keptCount).toBe(kept.length);
  expect(activity.filter(allCount).map(({ key }: { key: string }) => key)).toEqual(['steps']);
});

test('a change of consolidation is previewed in a sentence and a chart, and saving shows its progress and event', async () => {
  const person = await createPerson();
  const { page } = await openSettings(person, '&metric=steps');
  await page.getByLabel('Apple Health').uncheck();
  await page.getByRole('button', { name: 'Preview' }).click();
  const sentence = page.getByText(
    /^If Apple Health no longer counts for steps, steps changes on \d+ of \d+ days for this person/,
  );
  await sentence.waitFor();
  const chart = page.getByRole('img', { name: /^If Apple Health no longer counts for steps/ });
  await expect.poll(() => chart.locator('rect.before').count()).toBeGreaterThanOrEqual(7);
  await expectGoodPage(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await expectRebuilt(page);
  const steps = await readMetric(person, 'steps');
  expect(steps.method).toBe('merge');
  expect(steps.providers).toContainEqual({ provider: 'apple_health', enabled: false });
  await rowOf(page, 'Steps').getByText('not the default', { exact: true }).waitFor();
  await expectGoodPage(page);
});

test('what is changed is in the address, and a draft can be discarded', async () => {
  const person = await createPerson();
  const { page } = await openSettings(person, '&metric=steps');
  await page.getByRole('heading', { name: 'Steps', exact: true }).waitFor();
  const method = page.getByLabel('How values of several devices become one');
  await method.selectOption('max');
  await page.getByText('steps becomes the largest value', { exact: true }).waitFor();
  await rowOf(page, 'Steps').getByText('default: merged by period').waitFor();
  await button(page, 'Discard').click();
  await expect.poll(() => readFocused(page)).toBe('Steps');
  await expect.poll(() => method.inputValue()).toBe('merge');
  await expect.poll(() => page.getByText('not saved').count()).toBe(0);

  await page.getByRole('link', { name: 'Change all of vitals' }).click();
  await page.getByRole('heading', { name: 'All of vitals' }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Steps', exact: true }).waitFor();
  await button(page, 'Close').click();
  expect(new URL(page.url()).searchParams.get('metric')).toBeNull();
  await expect.poll(() => page.getByRole('complementary', { name: 'Change the settings' }).count()).toBe(0);
  await expect.poll(() => rowOf(page, 'Steps').locator('th a:focus').count()).toBe(1);

  await rowOf(page, 'Steps').getByRole('link').click();
  await method.selectOption('max');
  await button(page, 'Close').click();
  await button(page, 'Discard').click();
  await expect.poll(() => readFocused(page)).toBe('The settings of every metric');
});

test('a draft outlives other tabs, and changes of the saved settings', async () => {
  const person = await createPerson();
  const { page } = await openSettings(person, '&metric=steps');
  await page.getByLabel('How values of several devices become one').selectOption('max');
  await rowOf(page, 'Steps').getByText('not saved').waitFor();
  const tabs = page.getByRole('navigation', { name: 'Views of this person' });
  await tabs.getByRole('link', { name: 'Days' }).click();
  await page.getByRole('complementary', { name: 'Change the settings' }).waitFor({ state: 'detached' });
  await change(person, { providers: { oura: false } });
  await system.host.drain();
  await tabs.getByRole('link', { name: 'Consolidation' }).click();
  await page.getByText('steps becomes the largest value', { exact: true }).waitFor();
  await rowOf(page, 'Steps').getByText('not saved').waitFor();
  await rowOf(page, 'Weight').getByText('off for all metrics').waitFor();
  await expect.poll(() => page.getByText('not saved', { exact: true }).count()).toBe(1);

  await page.getByRole('button', { name: 'Restore defaults…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Restore the defaults?' });
  await dialog.getByText('Your changes that are not saved are discarded.').waitFor();
  await dialog.getByRole('button', { name: 'Restore defaults', exact: true }).click();
  await expectRebuilt(page);
  await expect.poll(() => page.getByText('not saved').count()).toBe(0);
});

test('a change that somebody else saved first is no rebuild to follow', async () => {
  const person = await createPerson();
  const { page } = await openSettings(person, '&metric=steps');
  await page.getByLabel('How values of several devices become one').selectOption('max');
  await button(page, 'Preview').click();
  await expect.poll(() => button(page, 'Save').isEnabled()).toBe(true);
  await change(person, { metrics: { steps: { method: 'max' } } });
  await system.host.drain();
  await button(page, 'Save').click();
  await page.getByText('These are the current settings.').waitFor();
  await expect.poll(() => page.getByText('not saved').count()).toBe(0);
  await expect.poll(() => page.getByRole('region', { name: 'Days with their new value' }).count()).toBe(0);
});

test('a change of older days only says so, and shows its event', async () => {
  const person = await createPerson();
  const { page } = await openSettings(person, '&metric=steps');
  await page.route('**/consolidation/preview', async (route) => {
    const response = await route.fetch();
    const { data, ...rest } = await response.json();
    await route.fulfill({ response, json: { ...rest, data: { ...data, days_changed: 0, metrics: [] } } });
  });
  await page.getByLabel('Apple Health').uncheck();
  await button(page, 'Preview').click();
  await button(page, 'Save').click();
  const progress = page.getByRole('region', { name: 'Days with their new value' });
  await progress.getByText('None of the last 30 days changes. Older days are computed again too.').waitFor();
  await system.host.drain();
  await progress.getByText('subject.synced', { exact: true }).waitFor({ timeout: 15_000 });
  await progress.getByRole('button', { name: 'Close' }).click();
  await expect.poll(() => readFocused(page)).toBe('Steps');
  await expect.poll(() => progress.count()).toBe(0);
});

test('another change after a preview needs another preview', async () => {
  const person = await createPerson();
  const { page } = await openSettings(person, '&metric=steps');
  await page.getByLabel('Apple Health').uncheck();
  await button(page, 'Preview').click();
  await expect.poll(() => button(page, 'Save').isEnabled()).toBe(true);
  await page.getByLabel('How values of several devices become one').selectOption('max');
  await expect.poll(() => button(page, 'Save').isDisabled()).toBe(true);
  await expect.poll(() => page.getByRole('table', { name: 'What would change, metric by metric' }).count()).toBe(0);
  await page.getByText('Preview the changes before you save them.').waitFor();
});

test('the defaults are restored only after a question that says what changes', async () => {
  const person = await createPerson();
  await change(person, {
    providers: { oura: false },
    metrics: { steps: { method: 'max', providers: { oura: false } } },
  });
  await system.host.drain();
  const { page, requests } = await openSettings(person);
  await rowOf(page, 'Steps').getByText('not the default', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Restore defaults…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Restore the defaults?' });
  await dialog.getByText(/^With the defaults, \d+ of the last 30 days change for this person\.$/).waitFor();
  await expectGoodPage(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(requests.filter((request) => request.startsWith('DELETE'))).toEqual([]);

  await page.getByRole('button', { name: 'Restore defaults…' }).click();
  await dialog.getByRole('button', { name: 'Restore defaults', exact: true }).click();
  await expectRebuilt(page);
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  const { providers, metrics } = await readSettings(person);
  expect(providers.every(({ enabled }: { enabled: boolean }) => enabled)).toBe(true);
  expect(metrics.some(({ overridden }: { overridden: boolean }) => overridden)).toBe(false);
  expect(metrics.every(allCount)).toBe(true);
  await expect.poll(() => rowOf(page, 'Steps').getByText('not the default', { exact: true }).count()).toBe(0);
});

test('defaults that are set already are not restored again', async () => {
  const person = await createPerson();
  const { page, requests } = await openSettings(person);
  await page.getByRole('button', { name: 'Restore defaults…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Restore the defaults?' });
  await dialog.getByText('The defaults are set already.').waitFor();
  await expect
    .poll(() => dialog.getByRole('button', { name: 'Restore defaults', exact: true }).isDisabled())
    .toBe(true);
  expect(requests.filter((request) => request.startsWith('POST'))).toEqual([]);
});

test('the defaults are restored once the preview has arrived', async () => {
  const person = await createPerson();
  await change(person, { providers: { oura: false } });
  await system.host.drain();
  const { page } = await openSettings(person);
  const held = Promise.withResolvers<void>();
  await page.route('**/consolidation/preview', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Restore defaults…' }).click();
  const action = page.getByRole('dialog').getByRole('button', { name: 'Restore defaults', exact: true });
  await action.waitFor();
  await expect.poll(() => action.isDisabled()).toBe(true);
  held.resolve();
  await expect.poll(() => action.isEnabled()).toBe(true);
});

test('the defaults are restored without a preview if it fails, or if the person shares no data', async () => {
  const person = await createPerson();
  await change(person, { providers: { oura: false } });
  await system.host.drain();
  const { page, requests } = await openSettings(person);
  await refuse(page, /\/consolidation\/preview$/);
  await page.getByRole('button', { name: 'Restore defaults…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Restore the defaults?' });
  const action = dialog.getByRole('button', { name: 'Restore defaults', exact: true });
  await dialog.getByText('The service is busy. Try again.').waitFor();
  await expect.poll(() => action.isEnabled()).toBe(true);

  const { body } = await system.call('GET', `/v1/users/${person}`, { token: account.sandbox_key });
  await page.route(new RegExp(`/v1/users/${person}$`), (route) =>
    route.fulfill({ json: { ...body, status: 'unshared' } }),
  );
  requests.length = 0;
  await page.reload();
  await dialog.getByText('This person shares no data now, so there is no preview.').waitFor();
  await action.click();
  await page.getByText('The defaults are restored. The days are being computed again.').waitFor();
  expect(requests.filter((request) => request.startsWith('POST'))).toEqual([]);
});

test('support reads the settings, and no value, preview or change is offered or requested', async () => {
  const person = await createPerson();
  await change(person, { providers: { oura: false }, metrics: { steps: { method: 'max' } } });
  const { page, requests } = await openSettings(person, '&metric=steps', 'support');
  await rowOf(page, 'Steps').getByText('the largest value').waitFor();
  await rowOf(page, 'Steps').getByText('off for all metrics').waitFor();
  await page.getByText('Your role can read these settings.').waitFor();
  const tab = page.locator('.tab-body');
  await expect.poll(() => tab.locator('button, a, input, select, svg').count()).toBe(0);
  expect([...new Set(requests)]).toEqual([`GET /v1/users/${person}/consolidation`, 'GET /v1/consolidation/catalog']);
  await expectGoodPage(page);
});
