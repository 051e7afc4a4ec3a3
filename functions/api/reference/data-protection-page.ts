// The page on data protection: which data is stored, where, for how long, and who can read it. It runs no script.
import { buildDocsPage, type DocsPage } from './docs-page.ts';

let page: DocsPage | undefined;

export function renderDataProtectionPage(): DocsPage {
  page ??= buildDocsPage({
    path: '/docs/data-protection',
    html: 'data-protection.html',
    styles: ['page.css', 'article.css'],
    scripts: [],
  });
  return page;
}
