// The page on security: what protects data, what is not covered, and how to report a vulnerability. It runs no script.
import { buildDocsPage, type DocsPage } from './docs-page.ts';

let page: DocsPage | undefined;

export function renderSecurityPage(): DocsPage {
  page ??= buildDocsPage({
    path: '/docs/security',
    html: 'security.html',
    styles: ['page.css', 'article.css'],
    scripts: [],
  });
  return page;
}
