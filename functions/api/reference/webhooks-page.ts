// The page on receiving webhooks. It runs no script.
import { buildDocsPage, type DocsPage } from './docs-page.ts';

let page: DocsPage | undefined;

export function renderWebhooksPage(): DocsPage {
  page ??= buildDocsPage({
    path: '/docs/webhooks',
    html: 'webhooks.html',
    styles: ['page.css', 'article.css'],
    scripts: [],
  });
  return page;
}
