// The page on receiving webhooks: it runs no script.
import { type DocsPage, makePage } from './document.ts';

let page: DocsPage | undefined;

export function webhooksPage(): DocsPage {
  page ??= makePage({
    path: '/docs/webhooks',
    html: 'webhooks.html',
    styles: ['page.css', 'article.css'],
    scripts: [],
  });
  return page;
}
