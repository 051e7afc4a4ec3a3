// The page that draws a week of a sandbox user with nothing but the public API.
import { type DocsPage, makePage } from './document.ts';

let page: DocsPage | undefined;

export function demoPage(): DocsPage {
  page ??= makePage({
    path: '/docs/demo',
    html: 'demo.html',
    styles: ['page.css', 'article.css', 'form.css', 'demo.css'],
    scripts: ['dom.js', 'token.js', 'demo-api.js', 'chart.js', 'demo-charts.js', 'demo.js'],
  });
  return page;
}
