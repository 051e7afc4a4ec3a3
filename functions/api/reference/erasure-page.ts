// The page on what is erased with a user and what remains: it runs no script.
import { type DocsPage, makePage } from './document.ts';

let page: DocsPage | undefined;

export function erasurePage(): DocsPage {
  page ??= makePage({
    path: '/docs/erasure',
    html: 'erasure.html',
    styles: ['page.css', 'article.css'],
    scripts: [],
  });
  return page;
}
