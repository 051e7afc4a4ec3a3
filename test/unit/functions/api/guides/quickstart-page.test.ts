import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderQuickstartPage } from '../../../../../functions/api/guides/quickstart-page.ts';
import { checkScriptedPage } from '../docs-kit/page-checks.ts';
import { readCodeBlocks } from '../docs-kit/read-code-blocks.ts';

const base = 'https://api.example.com';
const page = renderQuickstartPage(base);
const blocks = readCodeBlocks(page.html);

test.each(['quickstart.sh', 'quickstart.ts', 'quickstart.py', 'quickstart.kt'])(
  'the quickstart page shows %s exactly as it is tested',
  (name) => {
    const assets = new URL('../../../../../functions/api/guides/assets/', import.meta.url);
    expect(blocks.get(name)).toBe(readFileSync(new URL(name, assets), 'utf8').trimEnd());
  },
);

test('the quickstart page exports the address of this deployment, with a placeholder for the key', () => {
  expect(blocks.get('Export the address and the key')).toBe(`export DAYBOOK_URL='${base}' DAYBOOK_KEY='sk_sandbox_…'`);
});

const withoutSampleUrls = page.html.replaceAll(base, '').replaceAll('http://localhost:8787', '');
checkScriptedPage({ ...page, html: withoutSampleUrls }, '/docs/quickstart');
