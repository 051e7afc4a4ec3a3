import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { renderDemoPage } from '../../../../../functions/api/guides/demo-page.ts';
import { renderProvidersPage } from '../../../../../functions/api/guides/providers-page.ts';
import { renderScoresPage } from '../../../../../functions/api/guides/scores-page.ts';
import { renderWebhooksPage } from '../../../../../functions/api/guides/webhooks-page.ts';
import { findGroupPage, renderOverviewPage } from '../../../../../functions/api/reference/reference-page.ts';
import { readImports, sourceFiles } from '../../../../architecture/imports.ts';

const folders = ['docs-kit', 'guides', 'reference'].map(
  (name) => new URL(`../../../../../functions/api/${name}/assets/`, import.meta.url),
);

test('every style in the folders of assets is used by a page', () => {
  const everyPage = [
    renderOverviewPage(2),
    ...[findGroupPage(2, 'users')].filter((page) => page !== undefined),
    renderProvidersPage(),
    renderScoresPage(),
    renderWebhooksPage('https://api.example.com'),
    renderDemoPage(),
  ]
    .map((page) => page.html)
    .join('\n');
  const files = folders.flatMap((folder) => readdirSync(folder).map((name) => new URL(name, folder)));
  const linked = files.filter(({ pathname }) => pathname.endsWith('.css'));
  expect(linked.length).toBeGreaterThan(10);
  for (const file of linked) expect(everyPage, file.pathname).toContain(readFileSync(file, 'utf8'));
});

test('no asset of a group has the name of a shared one, because a bundle has both in one folder', () => {
  const [shared = [], ...own] = folders.map((folder) => readdirSync(folder));
  expect(own.flat().filter((name) => shared.includes(name))).toEqual([]);
});

test('every script is part of a page: no module for browsers is left unused', () => {
  const root = fileURLToPath(new URL('../../../../../', import.meta.url));
  const imports = readImports(root);
  const scripts = sourceFiles(root).filter((file) => /^functions\/api\/[^/]+\/browser\//.test(file));
  const imported = new Set(imports.map(({ to }) => to.replace(/\?browser$/, '')));
  expect(scripts.length).toBeGreaterThan(20);
  expect(scripts.filter((file) => !imported.has(file))).toEqual([]);
});
