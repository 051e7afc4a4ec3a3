import { type DocsPage, makePage } from './document.ts';

let page: DocsPage | undefined;

export function docsPage(): DocsPage {
  page ??= makePage({
    path: '/docs',
    html: 'page.html',
    styles: ['page.css', 'operation.css', 'form.css'],
    scripts: [
      'dom.js',
      'token.js',
      'schema.js',
      'request.js',
      'answer.js',
      'try.js',
      'operation.js',
      'navigation.js',
      'page.js',
    ],
  });
  return page;
}
