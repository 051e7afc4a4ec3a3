// The page of a group: its search, and what the server left out: schemas, examples and forms, which
// come from the OpenAPI document.
import { readJson } from '../../docs-kit/browser/api-response.ts';
import { createElement, findElement } from '../../docs-kit/browser/dom.ts';
import { activateNavigation } from './navigation.ts';
import type { DescribedApi, OpenApiDocument } from './openapi-document.ts';
import { renderOperation } from './operation-view.ts';
import { listOperations } from './operations.ts';
import { startSearch } from './search-box.ts';

const content = findElement('#content', HTMLElement);
const operationList = findElement('#operations', HTMLElement);
/** Relative to this page, so that the reference also works under a path prefix. */
const base = new URL(content.dataset['root'] ?? '', location.href).href;
const documentUrl = new URL(content.dataset['document'] ?? '', base).href;

async function loadPage(): Promise<void> {
  content.setAttribute('aria-busy', 'true');
  document.querySelector('.failure')?.remove();
  try {
    const response = await fetch(documentUrl, { headers: { Accept: 'application/json' } });
    renderGroup({
      document: await readJson<OpenApiDocument>(response),
      base,
      acceptsSession: content.dataset['form'] === '2',
    });
  } catch (error) {
    console.error(error);
    operationList.before(renderFailure(error instanceof Error ? error.message : String(error)));
  }
  content.setAttribute('aria-busy', 'false');
}

/** What the server rendered stays on the page. */
function renderFailure(reason: string): HTMLElement {
  const retryButton = createElement('button', { type: 'button', class: 'primary-button' }, 'Try again');
  retryButton.addEventListener('click', () => void loadPage());
  return createElement(
    'div',
    { class: 'failure', role: 'alert' },
    createElement(
      'p',
      {},
      'The schemas and forms come from ',
      createElement('a', { href: documentUrl }, documentUrl),
      '.',
    ),
    createElement('p', {}, `Reading it failed: ${reason} Check that the service is running, then try again.`),
    retryButton,
  );
}

function renderGroup(api: DescribedApi): void {
  const operations = listOperations(api).filter(({ tag }) => tag === content.dataset['group']);
  operationList.replaceChildren(...operations.map((operation) => renderOperation(api, operation)));
  activateNavigation();
  document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

startSearch();
void loadPage();
