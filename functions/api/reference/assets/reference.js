// Loads the API's OpenAPI document and adds to the page what the server left out: schemas, examples
// and forms.
import { createElement } from '../../docs-kit/assets/dom.js';
import { activateNavigation } from './navigation.js';
import { listOperations, renderOperation } from './operation.js';

const content = document.querySelector('#content');
const operationList = document.querySelector('#operations');
/** Relative to this page, so that the reference also works under a path prefix. */
const base = new URL(content.dataset.root, location.href).href;
const documentUrl = new URL(content.dataset.document, base).href;

async function loadPage() {
  content.setAttribute('aria-busy', 'true');
  document.querySelector('.failure')?.remove();
  try {
    renderGroup({ document: await loadDocument(), base });
  } catch (error) {
    console.error(error);
    operationList.before(renderFailure(error));
  }
  content.setAttribute('aria-busy', 'false');
}

async function loadDocument() {
  const response = await fetch(documentUrl, { headers: { Accept: 'application/json' } });
  if (!response.ok) throw new Error(`the service responded with ${response.status} ${response.statusText}`.trim());
  return await response.json();
}

/** What the server rendered stays on the page. */
function renderFailure(error) {
  const retryButton = createElement('button', { type: 'button', class: 'primary-button' }, 'Try again');
  retryButton.addEventListener('click', loadPage);
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
    createElement('p', {}, `Reading it failed: ${error.message}. Check that the service is running, then try again.`),
    retryButton,
  );
}

function renderGroup(api) {
  const operations = listOperations(api).filter(({ tag }) => tag === content.dataset.group);
  operationList.replaceChildren(...operations.map((operation) => renderOperation(api, operation)));
  activateNavigation();
  document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

loadPage();
