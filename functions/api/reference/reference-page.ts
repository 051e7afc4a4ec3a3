// The API reference pages of both forms, each built in the browser from its OpenAPI document.
import { buildDocsPage, type DocsPage } from './docs-page.ts';

const cachedPages = new Map<string, DocsPage>();

export const renderReferencePage = (): DocsPage => renderPage('/docs', 'openapi.json', 'Daybook API reference');
export const renderForm1ReferencePage = (): DocsPage =>
  renderPage('/docs/form1', 'openapi.form1.json', 'Daybook API reference, Form 1');

function renderPage(path: string, openApi: string, title: string): DocsPage {
  const page =
    cachedPages.get(path) ??
    buildDocsPage({
      path,
      html: 'reference.html',
      styles: ['page.css', 'operation.css', 'form.css', 'code-block.css'],
      scripts: [
        'dom.js',
        'token.js',
        'schema.js',
        'request.js',
        'response-view.js',
        'try-operation.js',
        'operation.js',
        'navigation.js',
        'reference.js',
      ],
      openApi,
      fill: { title, document: openApi, root: '../'.repeat(path.split('/').length - 2) },
    });
  cachedPages.set(path, page);
  return page;
}
