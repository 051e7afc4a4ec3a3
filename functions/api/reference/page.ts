// The reference of either form: one page, made from the OpenAPI document it is told.
import { type DocsPage, makePage } from './document.ts';

const made = new Map<string, DocsPage>();

export const docsPage = (): DocsPage => referencePage('/docs', 'openapi.json', 'Daybook API reference');
export const form1DocsPage = (): DocsPage =>
  referencePage('/docs/form1', 'openapi.form1.json', 'Daybook API reference, Form 1');

function referencePage(path: string, openApi: string, title: string): DocsPage {
  const page =
    made.get(path) ??
    makePage({
      path,
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
      openApi,
      fill: { title, document: openApi, root: '../'.repeat(path.split('/').length - 2) },
    });
  made.set(path, page);
  return page;
}
