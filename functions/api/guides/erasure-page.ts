// The page on what is erased with a user and what remains. It runs no script.
import type { DocsPage } from '../docs-kit/docs-page.ts';
import { buildGuide } from './build-guide.ts';

let page: DocsPage | undefined;

export function renderErasurePage(): DocsPage {
  page ??= buildGuide({
    path: '/docs/erasure',
    title: 'What Daybook erases with a user',
    html: 'erasure.html',
    styles: ['article.css'],
  });
  return page;
}
