// The page on what is erased with a user and what remains. It runs no script.
import { buildDocsPage, type DocsPage } from './docs-page.ts';

let page: DocsPage | undefined;

export function renderErasurePage(): DocsPage {
  page ??= buildDocsPage({
    path: '/docs/erasure',
    html: 'erasure.html',
    styles: ['page.css', 'article.css'],
    scripts: [],
  });
  return page;
}
