// The page on data protection: which data is stored, where, for how long, and who can read it. It runs no script.
import type { DocsPage } from '../docs-kit/docs-page.ts';
import { buildGuide } from './build-guide.ts';

let page: DocsPage | undefined;

export function renderDataProtectionPage(): DocsPage {
  page ??= buildGuide({
    path: '/docs/data-protection',
    title: 'Data protection · Daybook',
    html: 'data-protection.html',
    styles: ['article.css'],
  });
  return page;
}
