// The reference of either form: one page, made from the OpenAPI document it is told.
import { type DocsPage, makePage } from './document.ts';

const made = new Map<string, DocsPage>();

export const docsPage = (): DocsPage => referencePage('/docs', 'openapi.json');
export const form1DocsPage = (): DocsPage => referencePage('/docs/form1', 'openapi.form1.json');

function referencePage(path: string, openApi: string): DocsPage {
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
      fill: { document: openApi, root: '../'.repeat(path.split('/').length - 2) },
    });
  made.set(path, page);
  return page;
}
