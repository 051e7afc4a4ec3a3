// The page that tells how scores are made: it runs no script.
import { type DocsPage, makePage } from './document.ts';

let page: DocsPage | undefined;

export function scoresPage(): DocsPage {
  page ??= makePage({ path: '/docs/scores', html: 'scores.html', styles: ['page.css', 'article.css'], scripts: [] });
  return page;
}
