// The page that charts a sandbox user's days, using only the public API.
import { type DocsPage, toJsonAttribute } from '../docs-kit/docs-page.ts';
import { script } from './browser/demo/demo.ts?browser';
import { buildGuide } from './build-guide.ts';
import { providerNames } from './provider-text.ts';

let page: DocsPage | undefined;

export function renderDemoPage(): DocsPage {
  page ??= buildGuide({
    path: '/docs/demo',
    title: 'Three months of data · Daybook',
    html: 'demo.html',
    styles: ['article.css', 'form.css', 'code-block.css', 'score-icons.css', 'demo.css', 'demo-scores.css'],
    script,
    fill: { provider_names: toJsonAttribute(providerNames) },
  });
  return page;
}
