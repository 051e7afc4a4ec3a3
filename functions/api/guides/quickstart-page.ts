// The page with one program in four languages, from nothing to a chart. Its script only copies text.
import { escapeHtml } from '../../../shared/platform/markup.ts';
import type { DocsPage } from '../docs-kit/docs-page.ts';
import { script as copyButtons } from './browser/copy-buttons.ts?browser';
import { buildGuide, readGuideAsset } from './build-guide.ts';
import { renderCodeBlock } from './code-block.ts';

let page: DocsPage | undefined;

/** Builds the page once and fills in the deployment's base URL last. */
export function renderQuickstartPage(baseUrl: string): DocsPage {
  page ??= buildPage();
  return { ...page, html: page.html.replaceAll('{base_url}', () => escapeHtml(baseUrl)) };
}

const buildPage = (): DocsPage =>
  buildGuide({
    path: '/docs/quickstart',
    title: 'Quickstart · Daybook',
    html: 'quickstart.html',
    styles: ['article.css', 'code-block.css'],
    script: copyButtons,
    fill: {
      key_command: renderCodeBlock({
        caption: 'Shell',
        label: 'Export the address and the key',
        text: "export DAYBOOK_URL='{base_url}' DAYBOOK_KEY='sk_sandbox_…'",
      }).html,
      sample_sh: renderSample('quickstart.sh'),
      sample_ts: renderSample('quickstart.ts'),
      sample_py: renderSample('quickstart.py'),
      sample_kt: renderSample('quickstart.kt'),
    },
  });

const renderSample = (file: string): string =>
  renderCodeBlock({ caption: file, label: file, text: readGuideAsset(file) }).html;
