// The page on security: what protects data, what is not covered, and how to report a vulnerability. It runs no script.
import type { DocsPage } from '../docs-kit/docs-page.ts';
import { buildGuide } from './build-guide.ts';

let page: DocsPage | undefined;

export function renderSecurityPage(): DocsPage {
  page ??= buildGuide({
    path: '/docs/security',
    title: 'Security · Daybook',
    html: 'security.html',
    styles: ['article.css'],
  });
  return page;
}
